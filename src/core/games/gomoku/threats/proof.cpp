// Proofs of the threat search: relevant defences, proof steps, verification.
#include <algorithm>

#include "games/gomoku/threats/threats.hpp"

namespace tesuji::gomoku {

// The defender has one move before the attacker plays the line. It is irrelevant unless it occupies one of the line's
// cells or helps the defender to a five on the way. In the second case it makes a four together with replies that the
// line forces: at that point of the line it is among the cells where the defender can make a four.
//
// Renju's forbidden cells depend on nearby stones. If the line relies on a cell being forbidden to Black, or on a move
// that is nearly forbidden, every move may be relevant.
void ThreatSolver::relevant_defences(int attacker, const FourLine& line, CellList& found) {
  const int defender = 1 - attacker;
  CellSet seen;
  const auto add = [&](int cell) {
    if (cell == no_cell || seen.has(cell)) return;
    seen.flip(cell);
    found.add(cell);
  };
  for (const Four& four : line) {
    add(four.move);
    add(four.five);
    add(four.other);
  }
  const bool a_five = line.back().five == no_cell;
  const bool relies = !a_five && line.back().other == no_cell;
  bool anything = board_.may_be_forbidden(defender) && (relies || board_.nearly_full());
  CellList fours;
  int played = 0;
  for (const Four& four : line) {
    fours.clear();
    board_.fours(defender, fours);
    for (const int cell : fours) add(cell);
    if (a_five) break;
    anything |= board_.close_to_forbidden(four.move, attacker);
    board_.play(four.move, attacker);
    board_.play(four.five, defender);
    played += 2;
  }
  for (; played > 0; --played) board_.undo();
  if (anything) {
    for (int cell = 0; cell < board_.cells(); ++cell) {
      if (board_.empty(cell)) add(cell);
    }
  }
}

int ThreatSolver::add_step(int move, int otherwise, const std::vector<ProofReply>& replies) {
  ProofStep step;
  step.move = move;
  step.otherwise = otherwise;
  step.first_reply = static_cast<int>(proof_.replies.size());
  step.replies = static_cast<int>(replies.size());
  int longest = replies.empty() && otherwise != no_step ? proof_.steps[static_cast<std::size_t>(otherwise)].plies : 0;
  for (const ProofReply& reply : replies) {
    longest = std::max(longest, proof_.steps[static_cast<std::size_t>(reply.step)].plies);
  }
  if (otherwise != no_step) step.plies = longest + 2;
  proof_.replies.insert(proof_.replies.end(), replies.begin(), replies.end());
  proof_.steps.push_back(step);
  return static_cast<int>(proof_.steps.size()) - 1;
}

int ThreatSolver::add_line(const FourLine& line) {
  int next = no_step;
  for (auto four = line.rbegin(); four != line.rend(); ++four) {
    if (four->five == no_cell) {
      next = add_step(four->move, no_step, {});
      continue;
    }
    std::vector<ProofReply> replies;
    if (next == no_step && four->other != no_cell) next = add_step(four->other, no_step, {});
    if (next != no_step) replies.push_back({four->five, next});
    next = add_step(four->move, add_step(four->five, no_step, {}), replies);
  }
  return next;
}

// Replays the proof and checks every step against the rules. ProofTable compares one hash only; this uses a second,
// independent one as well.
bool ThreatSolver::verify(int attacker, int index, Verified& known) {
  const int defender = 1 - attacker;
  if (index == no_step) return false;
  if (const auto found = known.find(index); found != known.end() && found->second == board_.second_hash()) return true;
  const ProofStep step = proof_.steps[static_cast<std::size_t>(index)];
  if (!board_.empty(step.move) || !board_.legal(step.move, attacker)) return false;
  if (board_.makes_five(step.move, attacker)) return true;
  if (step.otherwise == no_step) return false;
  const auto follows = [&](int cell) {
    for (const ProofReply& reply : replies_of(step)) {
      if (reply.cell == cell) return reply.step;
    }
    return step.otherwise;
  };
  const std::uint64_t before = board_.second_hash();
  board_.play(step.move, attacker);
  bool holds = board_.count_fives(defender) == 0 && board_.can_move(defender);
  CellList answers;
  if (holds && board_.count_fives(attacker) > 0) {
    holds = board_.makes_five(proof_.steps[static_cast<std::size_t>(step.otherwise)].move, attacker);
    board_.fives(attacker, answers);
  } else if (holds) {
    holds = verify(attacker, step.otherwise, known);
    if (holds) relevant_defences(attacker, line_at(step.otherwise), answers);
  }
  for (const int answer : answers) {
    if (!holds || !board_.legal(answer, defender)) continue;
    board_.play(answer, defender);
    holds = verify(attacker, follows(answer), known);
    board_.undo();
  }
  board_.undo();
  if (holds) known[index] = before;
  return holds;
}

// The inverse of add_line().
FourLine ThreatSolver::line_at(int index) const {
  FourLine line;
  while (index != no_step) {
    const ProofStep& step = proof_.steps[static_cast<std::size_t>(index)];
    line.push_back({step.move});
    if (step.otherwise == no_step) break;
    line.back().five = proof_.steps[static_cast<std::size_t>(step.otherwise)].move;
    index = step.replies > 0 ? proof_.replies[static_cast<std::size_t>(step.first_reply)].step : no_step;
  }
  if (line.size() > 1 && line.back().five == no_cell) {  // the second five of the last four, not a four of its own
    line[line.size() - 2].other = line.back().move;
    line.pop_back();
  }
  return line;
}

// The steps reachable from `root`, renumbered. A step's successors have smaller indices.
Proof ThreatSolver::extract(int root) const {
  const auto count = static_cast<std::size_t>(root) + 1;
  std::vector<int> number(count, no_step);
  number[count - 1] = 0;
  for (std::size_t i = count; i-- > 0;) {
    const ProofStep& step = proof_.steps[i];
    if (number[i] == no_step) continue;
    if (step.otherwise != no_step) number[static_cast<std::size_t>(step.otherwise)] = 0;
    for (const ProofReply& reply : replies_of(step)) number[static_cast<std::size_t>(reply.step)] = 0;
  }
  Proof part;
  for (std::size_t i = 0; i < count; ++i) {
    if (number[i] == no_step) continue;
    number[i] = static_cast<int>(part.steps.size());
    ProofStep step = proof_.steps[i];
    if (step.otherwise != no_step) step.otherwise = number[static_cast<std::size_t>(step.otherwise)];
    step.first_reply = static_cast<int>(part.replies.size());
    for (const ProofReply& reply : replies_of(proof_.steps[i])) {
      part.replies.push_back({reply.cell, number[static_cast<std::size_t>(reply.step)]});
    }
    part.steps.push_back(step);
  }
  part.root = number[count - 1];
  return part;
}

std::vector<int> ThreatSolver::main_line(int attacker, int index) {
  std::vector<int> line;
  while (true) {
    const ProofStep& step = proof_.steps[static_cast<std::size_t>(index)];
    line.push_back(step.move);
    board_.play(step.move, attacker);
    if (step.otherwise == no_step) break;
    ProofReply reply{no_cell, step.otherwise};
    for (const ProofReply& other : replies_of(step)) {
      const auto plies = [&](int of) { return proof_.steps[static_cast<std::size_t>(of)].plies; };
      const bool longer = reply.cell == no_cell || plies(other.step) > plies(reply.step);
      if (longer && board_.legal(other.cell, 1 - attacker)) reply = other;
    }
    if (reply.cell == no_cell) reply.cell = board_.first_legal(1 - attacker);
    line.push_back(reply.cell);
    board_.play(reply.cell, 1 - attacker);
    index = reply.step;
  }
  for (std::size_t i = 0; i < line.size(); ++i) board_.undo();
  return line;
}

}  // namespace tesuji::gomoku
