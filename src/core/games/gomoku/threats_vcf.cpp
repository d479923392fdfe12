// Victory by continuous fours.
#include <algorithm>

#include "games/gomoku/threats_search.hpp"

namespace tesuji::gomoku {

Outcome ThreatSearch::win_by_fours(int attacker, int most_fours, FourLine& line) {
  line.clear();
  if (const int five = board_.first_five(attacker); five != no_cell) {
    line.push_back({five});
    return Outcome::won;
  }
  for (int fours = 1; fours <= most_fours; ++fours) {
    const Outcome outcome = fours_within(attacker, fours, line);
    if (outcome == Outcome::won) std::reverse(line.begin(), line.end());
    if (outcome != Outcome::shallow) return outcome;
  }
  return Outcome::shallow;
}

// Whether the defender, who has no five, can do nothing against the fours just made. Otherwise four.five is the reply.
bool ThreatSearch::cannot_be_stopped(int defender, Four& four) {
  CellList fives;
  board_.fives(1 - defender, fives);
  four.five = fives.size() > 0 ? fives[0] : no_cell;
  four.other = fives.size() > 1 ? fives[1] : no_cell;
  if (four.other == no_cell && board_.legal(four.five, defender)) return false;
  if (four.other != no_cell && !board_.legal(four.five, defender)) std::swap(four.five, four.other);
  return board_.can_move(defender);  // a player who has no legal move at all has a draw
}

// The line comes out in reverse. The attacker has no five here: one that was there would have been stopped.
Outcome ThreatSearch::fours_within(int attacker, int fours, FourLine& line) {
  const int defender = 1 - attacker;
  int forced = no_cell;
  if (const int count = board_.count_fives(defender); count > 0) {
    forced = board_.first_five(defender);
    if (count > 1 || !board_.makes_four(forced, attacker)) return Outcome::lost;
  }
  const std::uint64_t hash = board_.hash(attacker);
  if (fours_failed_.failed(hash, FailureTable::at_any_depth)) return Outcome::lost;
  if (fours_failed_.failed(hash, fours)) return Outcome::shallow;

  CellList moves;
  if (forced != no_cell) {
    moves.add(forced);
  } else {
    board_.fours(attacker, moves);
  }
  // Who must not leave a cell open because it is forbidden is White's prey; otherwise the last four is a double one.
  const bool only_doubles = fours == 1 && !board_.may_be_forbidden(defender);
  Outcome outcome = Outcome::lost;
  for (const int move : moves) {
    if (only_doubles && !board_.makes_double_four(move, attacker)) {
      outcome = Outcome::shallow;
      continue;
    }
    if (!go_on()) return Outcome::stopped;
    if (!board_.legal(move, attacker)) continue;
    Four four{move};
    board_.play(move, attacker);
    Outcome after = Outcome::shallow;
    if (cannot_be_stopped(defender, four)) {
      after = Outcome::won;
    } else if (four.other != no_cell || !board_.legal(four.five, defender)) {
      after = Outcome::lost;  // a draw: the defender has no move
    } else if (fours > 1) {
      board_.play(four.five, defender);
      after = fours_within(attacker, fours - 1, line);
      board_.undo();
    }
    board_.undo();
    if (after == Outcome::won) line.push_back(four);
    if (after == Outcome::won || after == Outcome::stopped) return after;
    if (after == Outcome::shallow) outcome = Outcome::shallow;
  }
  fours_failed_.store(hash, outcome == Outcome::lost ? FailureTable::at_any_depth : fours);
  return outcome;
}

}  // namespace tesuji::gomoku
