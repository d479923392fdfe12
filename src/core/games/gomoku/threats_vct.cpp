// Victory by continuous threats: fours, and moves that threaten to win by fours.
//
// After such a threat the defender may answer anywhere. What is no part of the threatened line, and brings no five of
// the defender's into it, cannot stop it (disturbances() in threats_proof.cpp); every other answer is searched.
#include "games/gomoku/threats_search.hpp"

namespace tesuji::gomoku {

namespace {

constexpr int fours_at_once = 12;    // of the attacker, in a row
constexpr int fours_threatened = 3;  // after a move that is to count as a threat

constexpr int fours_countered = 6;  // of the defender

}  // namespace

Outcome ThreatSearch::attack(int depth, int& step) {
  if (!go_on()) return Outcome::stopped;
  const int defender = 1 - attacker_;
  const std::uint64_t hash = board_.hash(attacker_);
  step = proven_.find(hash);
  if (step != no_step) return Outcome::won;
  if (threats_failed_.failed(hash, FailureTable::at_any_depth)) return Outcome::lost;
  if (threats_failed_.failed(hash, depth)) return Outcome::shallow;

  FourLine line;
  const Outcome by_fours = win_by_fours(attacker_, fours_at_once, line);
  if (by_fours == Outcome::won) {
    step = add_line(line);
    proven_.store(hash, step);
  }
  if (by_fours == Outcome::won || by_fours == Outcome::stopped) return by_fours;

  CellList moves;
  const int fives = board_.count_fives(defender);
  if (fives > 1) return Outcome::lost;
  if (fives == 1) {
    moves.add(board_.first_five(defender));  // stopping a five costs no depth: the defender cannot gain time with fours
  } else if (depth == 0) {
    return Outcome::shallow;
  } else {
    board_.fours(attacker_, moves);
    board_.threes(attacker_, moves);
  }
  Outcome outcome = by_fours;
  for (const int move : moves) {
    if (!board_.legal(move, attacker_)) continue;
    board_.play(move, attacker_);
    const Outcome after = hold(move, fives == 1 ? depth : depth - 1, step);
    board_.undo();
    if (after == Outcome::won) proven_.store(hash, step);
    if (after == Outcome::won || after == Outcome::stopped) return after;
    if (after == Outcome::shallow) outcome = Outcome::shallow;
  }
  threats_failed_.store(hash, outcome == Outcome::lost ? FailureTable::at_any_depth : depth);
  return outcome;
}

// The attacker has made this move.
Outcome ThreatSearch::hold(int move, int depth, int& step) {
  const int defender = 1 - attacker_;
  if (board_.count_fives(defender) > 0) return Outcome::lost;
  if (board_.count_fives(attacker_) == 0) return hold_three(move, depth, step);
  Four four{move};
  if (cannot_be_stopped(defender, four)) {
    step = add_line({four});
    return Outcome::won;
  }
  if (four.other != no_cell || !board_.legal(four.five, defender)) return Outcome::lost;
  int next = no_step;
  board_.play(four.five, defender);
  const Outcome outcome = attack(depth, next);
  board_.undo();
  if (outcome == Outcome::won) {
    const int five = add_step(four.five, no_step, {});
    step = add_step(move, five, {{four.five, next}});
  }
  return outcome;
}

Outcome ThreatSearch::hold_three(int move, int depth, int& step) {
  const int defender = 1 - attacker_;
  FourLine threat;
  const Outcome threatened = win_by_fours(attacker_, fours_threatened, threat);
  if (threatened == Outcome::stopped) return Outcome::stopped;
  if (threatened != Outcome::won || !board_.can_move(defender)) return Outcome::lost;
  // A defender who wins by fours needs no other answer.
  FourLine counter;
  const Outcome countered = win_by_fours(defender, fours_countered, counter);
  if (countered == Outcome::won) return Outcome::lost;
  if (countered == Outcome::stopped) return Outcome::stopped;
  CellList answers;
  disturbances(attacker_, threat, answers);
  std::vector<ProofReply> replies;
  for (const int answer : answers) {
    if (!board_.legal(answer, defender)) continue;
    int next = no_step;
    board_.play(answer, defender);
    const Outcome outcome = attack(depth, next);
    board_.undo();
    if (outcome != Outcome::won) return outcome;
    replies.push_back({answer, next});
  }
  step = add_step(move, add_line(threat), replies);
  return Outcome::won;
}

}  // namespace tesuji::gomoku
