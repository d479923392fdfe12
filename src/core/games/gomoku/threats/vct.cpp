// Victory by continuous threats: fours, and moves that threaten to win by fours. Most of these make an open three; of
// the quiet ones, most make a closed three or two open twos; the others are found by trying every cell.
//
// After such a threat the defender may reply anywhere, but only relevant_defences() (proof.cpp) can refute it;
// all of them are searched.
#include "games/gomoku/threats/threats.hpp"

namespace tesuji::gomoku {

namespace {

constexpr int fours_of_all_moves = 12;  // in a line of the attacker, where a failure must be certain

// Failures with few moves say nothing about those with more.
constexpr std::uint64_t moves_salt = 0x5851F42D4C957F2DULL;

}  // namespace

void ThreatSolver::attacking_moves(CellList& moves) const {
  board_.fours(attacker_, moves);
  board_.threes(attacker_, moves);
  if (moves_ == VctMoves::quiet) board_.quiet_threats(attacker_, moves);
  if (moves_ != VctMoves::all) return;
  std::array<bool, max_cells> listed{};
  for (const int move : moves) listed[static_cast<std::size_t>(move)] = true;
  for (int cell = 0; cell < board_.cells(); ++cell) {
    if (board_.empty(cell) && !listed[static_cast<std::size_t>(cell)]) moves.add(cell);
  }
}

AttackResult ThreatSolver::attack(int depth, int& step) {
  if (!count_node()) return AttackResult::stopped;
  const int defender = 1 - attacker_;
  const std::uint64_t hash = board_.hash(attacker_);
  step = proven_.find(hash);
  if (step != no_step) return AttackResult::won;
  const std::uint64_t failure = hash ^ static_cast<std::uint64_t>(moves_) * moves_salt;
  if (threats_failed_.failed(failure, FailureTable::at_any_depth)) return AttackResult::lost;
  if (threats_failed_.failed(failure, depth)) return AttackResult::shallow;

  FourLine line;
  const int fours = moves_ == VctMoves::all ? fours_of_all_moves : fours_attacking;
  const AttackResult by_fours = win_by_fours(attacker_, fours, line);
  if (by_fours == AttackResult::won) {
    step = add_line(line);
    proven_.store(hash, step);
  }
  if (by_fours == AttackResult::won || by_fours == AttackResult::stopped) return by_fours;

  CellList moves;
  const int fives = board_.count_fives(defender);
  if (fives > 1) return AttackResult::lost;
  if (fives == 1) {
    moves.add(board_.first_five(
        defender));  // costs no depth, so that the defender's fours do not push the win over the horizon
  } else if (depth == 0) {
    return AttackResult::shallow;
  } else {
    attacking_moves(moves);
  }
  AttackResult outcome = by_fours;
  for (const int move : moves) {
    if (!board_.legal(move, attacker_)) continue;
    board_.play(move, attacker_);
    const AttackResult after = search_replies(move, fives == 1 ? depth : depth - 1, step);
    board_.undo();
    if (after == AttackResult::won) proven_.store(hash, step);
    if (after == AttackResult::won || after == AttackResult::stopped) return after;
    if (after == AttackResult::shallow) outcome = AttackResult::shallow;
  }
  threats_failed_.store(failure, outcome == AttackResult::lost ? FailureTable::at_any_depth : depth);
  return outcome;
}

std::optional<AttackResult> ThreatSolver::find_replies(int move, Replies& found) {
  const int defender = 1 - attacker_;
  if (board_.count_fives(defender) > 0) return AttackResult::lost;
  found.to_four = board_.count_fives(attacker_) > 0;
  if (found.to_four) {
    found.four = {move};
    if (unstoppable(defender, found.four)) return AttackResult::won;
    if (found.four.other != no_cell || !board_.legal(found.four.five, defender)) return AttackResult::lost;
    found.cells.add(found.four.five);
    return std::nullopt;
  }
  const bool all = moves_ == VctMoves::all;
  const AttackResult threatened = win_by_fours(attacker_, all ? most_fours : fours_threatened, found.threat);
  if (threatened == AttackResult::stopped || (all && threatened == AttackResult::shallow)) return threatened;
  if (threatened != AttackResult::won || !board_.can_move(defender)) return AttackResult::lost;
  // The defender refutes the threat by winning with fours.
  FourLine counter;
  const AttackResult countered = win_by_fours(defender, fours_countered, counter);
  if (countered == AttackResult::won) return AttackResult::lost;
  if (countered == AttackResult::stopped) return AttackResult::stopped;
  relevant_defences(attacker_, found.threat, found.cells);
  return std::nullopt;
}

int ThreatSolver::add_attack(int move, const Replies& to, const std::vector<ProofReply>& replies) {
  const int otherwise = to.to_four ? add_step(to.four.five, no_step, {}) : add_line(to.threat);
  return add_step(move, otherwise, replies);
}

// After an attacking move.
AttackResult ThreatSolver::search_replies(int move, int depth, int& step) {
  const int defender = 1 - attacker_;
  Replies found;
  if (const std::optional<AttackResult> settled = find_replies(move, found)) {
    if (*settled == AttackResult::won) step = add_line({found.four});
    return *settled;
  }
  std::vector<ProofReply> replies;
  for (const int answer : found.cells) {
    if (!board_.legal(answer, defender)) continue;
    int next = no_step;
    board_.play(answer, defender);
    const AttackResult outcome = attack(depth, next);
    board_.undo();
    if (outcome != AttackResult::won) return outcome;
    replies.push_back({answer, next});
  }
  step = add_attack(move, found, replies);
  return AttackResult::won;
}

}  // namespace tesuji::gomoku
