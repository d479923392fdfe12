// Victory by continuous fours.
#include <algorithm>

#include "games/gomoku/threats/threats.hpp"

namespace tesuji::gomoku {

AttackResult ThreatSolver::win_by_fours(int attacker, int max_fours, FourLine& line) {
  line.clear();
  if (const int five = board_.first_five(attacker); five != no_cell) {
    line.push_back({five});
    return AttackResult::won;
  }
  for (int fours = 1; fours <= max_fours; ++fours) {
    const AttackResult outcome = fours_within(attacker, fours, line);
    if (outcome == AttackResult::won) std::reverse(line.begin(), line.end());
    if (outcome != AttackResult::shallow) return outcome;
  }
  return AttackResult::shallow;
}

// Whether the defender, who has no five, cannot stop the four just made. Otherwise four.five is the reply.
bool ThreatSolver::unstoppable(int defender, Four& four) {
  CellList fives;
  board_.fives(1 - defender, fives);
  four.five = fives.size() > 0 ? fives[0] : no_cell;
  four.other = fives.size() > 1 ? fives[1] : no_cell;
  if (four.other == no_cell && board_.legal(four.five, defender)) return false;
  if (four.other != no_cell && !board_.legal(four.five, defender)) std::swap(four.five, four.other);
  return board_.can_move(defender);  // without any legal move the game is a draw
}

// Fills the line in reverse. The attacker has no five here.
AttackResult ThreatSolver::fours_within(int attacker, int fours, FourLine& line) {
  const int defender = 1 - attacker;
  int forced = no_cell;
  if (const int count = board_.count_fives(defender); count > 0) {
    forced = board_.first_five(defender);
    if (count > 1 || !board_.makes_four(forced, attacker)) return AttackResult::lost;
  }
  const std::uint64_t hash = board_.hash(attacker);
  if (fours_failed_.failed(hash, FailureTable::at_any_depth)) return AttackResult::lost;
  if (fours_failed_.failed(hash, fours)) return AttackResult::shallow;

  CellList moves;
  if (forced != no_cell) {
    moves.add(forced);
  } else {
    board_.fours(attacker, moves);
  }
  // The last four must be a double one, unless a forbidden cell can stop the defender's reply. The four before it must
  // prepare the double one: otherwise that one would win at once.
  const bool only_doubles = fours == 1 && !board_.may_be_forbidden(defender);
  const bool only_preparations = fours == 2 && forced == no_cell && board_.rule() != Rule::renju;
  AttackResult outcome = AttackResult::lost;
  for (const int move : moves) {
    if ((only_doubles || only_preparations) && !board_.makes_double_four(move, attacker) &&
        !(only_preparations && board_.prepares_double_four(move, attacker))) {
      outcome = AttackResult::shallow;
      continue;
    }
    if (!count_node()) return AttackResult::stopped;
    if (!board_.legal(move, attacker)) continue;
    Four four{move};
    board_.play(move, attacker);
    AttackResult after = AttackResult::shallow;
    if (unstoppable(defender, four)) {
      after = AttackResult::won;
    } else if (four.other != no_cell || !board_.legal(four.five, defender)) {
      after = AttackResult::lost;  // a draw: the defender has no move
    } else if (fours > 1) {
      board_.play(four.five, defender);
      after = fours_within(attacker, fours - 1, line);
      board_.undo();
    }
    board_.undo();
    if (after == AttackResult::won) line.push_back(four);
    if (after == AttackResult::won || after == AttackResult::stopped) return after;
    if (after == AttackResult::shallow) outcome = AttackResult::shallow;
  }
  fours_failed_.store(hash, outcome == AttackResult::lost ? FailureTable::at_any_depth : fours);
  return outcome;
}

}  // namespace tesuji::gomoku
