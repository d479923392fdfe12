// Defences against a win by fours.
//
// A move that does not affect the threatened line loses to it. Each of the others is tried and loses if the opponent
// has another line. A four of the defender's must be answered first; it fails if there is no defence after the answer.
#include "games/gomoku/threats/threats.hpp"

namespace tesuji::gomoku {

namespace {

constexpr int fours_at_once = 24;  // of the opponent's line
constexpr int fours_between = 4;   // of the defender, before giving up a defence

}  // namespace

Defence ThreatSolver::defend(const Patterns& patterns, int defender, const SolverLimits& limits) {
  begin(patterns, limits);
  Defence defence;
  FourLine threat;
  const AttackResult outcome = win_by_fours(1 - defender, fours_at_once, threat);
  if (outcome == AttackResult::won) {
    defence.threat.verdict = Verdict::won;
    defence.threat.line = main_line(1 - defender, add_line(threat));
    survives(defender, threat, fours_between, &defence.moves);
  } else {
    if (outcome == AttackResult::lost) defence.threat.verdict = Verdict::none;
    add_legal_moves(defender, defence.moves);
  }
  finish(defence.threat);
  return defence;
}

void ThreatSolver::add_legal_moves(int colour, std::vector<int>& moves) const {
  for (int cell = 0; cell < board_.cells(); ++cell) {
    if (board_.empty(cell) && board_.legal(cell, colour)) moves.push_back(cell);
  }
}

// Whether any move is not proven to lose. `moves` receives all of them; if null, stops at the first.
bool ThreatSolver::survives(int defender, const FourLine& threat, int fours, std::vector<int>* moves) {
  CellList tries;
  board_.fives(defender, tries);
  if (tries.size() > 0) {  // the defender wins; nothing is proven about the other moves
    if (moves != nullptr) add_legal_moves(defender, *moves);
    return true;
  }
  relevant_defences(1 - defender, threat, tries);
  bool any = false;
  for (const int move : tries) {
    if (!board_.legal(move, defender)) continue;
    board_.play(move, defender);
    const bool holds = survives_after(defender, fours);
    board_.undo();
    if (!holds) continue;
    any = true;
    if (moves == nullptr) return true;
    moves->push_back(move);
  }
  return any;
}

// After a move of the defender that did not make five.
bool ThreatSolver::survives_after(int defender, int fours) {
  const int opponent = 1 - defender;
  FourLine line;
  if (!board_.can_move(opponent)) return true;
  if (win_by_fours(opponent, fours_at_once, line) == AttackResult::won) return false;
  if (fours == 0 || stop_ != SolverStop::finished || board_.count_fives(defender) != 1) return true;
  const int answer = board_.first_five(defender);
  if (!board_.legal(answer, opponent)) return true;
  board_.play(answer, opponent);
  const bool threatened = win_by_fours(opponent, fours_at_once, line) == AttackResult::won;
  const bool holds = !threatened || survives(defender, line, fours - 1, nullptr);
  board_.undo();
  return holds;
}

}  // namespace tesuji::gomoku
