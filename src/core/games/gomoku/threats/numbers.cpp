// Victory by continuous threats, by proof numbers: depth first within thresholds (Nagai, Df-pn algorithm for searching
// AND/OR trees, 2002), on a graph that is kept in memory.
//
// It always goes where the least work could settle the root, however deep that is, while the search by depth tries all
// attacks of one length before a longer one. Each finds wins that the other does not find in the same time.
#include <algorithm>
#include <utility>

#include "games/gomoku/threats/threats.hpp"

namespace tesuji::gomoku {

namespace {

// Proof numbers of attacks that have not been tried: about as many as there are replies. Deeper ones have more, so that
// fours, which leave one reply, are not played one after the other without end. Chosen by the wins found in 101
// positions.
constexpr ProofNumber proof_of_four = 1;
constexpr ProofNumber proof_of_three = 2;
constexpr ProofNumber proof_of_quiet_move = 6;
constexpr int plies_per_number = 8;

// A threshold a quarter above the second best, so that the search does not jump between two branches.
ProofNumber above(ProofNumber second) { return second >= infinite / 2 ? infinite : second + 1 + second / 4; }

// The threshold of the largest of `open` terms of a sum.
ProofNumber threshold_of_term(ProofNumber limit, ProofNumber open) {
  return limit == infinite ? infinite : limit - std::min(limit, open - 1);
}

// The best of several terms by one number, and the weak sum of the other number. Terms are added in order.
struct Choice {
  int best = no_cell;
  ProofNumber least = infinite;
  ProofNumber second = infinite;
  ProofNumber largest = 0;
  ProofNumber open = 0;

  void add(int index, ProofNumber minimised, ProofNumber summed) {
    ++open;
    largest = std::max(largest, summed);
    if (best == no_cell || minimised < least) {
      second = least;
      least = minimised;
      best = index;
    } else {
      second = std::min(second, minimised);
    }
  }
  ProofNumber sum() const { return largest + open - 1; }
};

}  // namespace

AttackResult ThreatSolver::win_by_numbers(int& root) {
  if (graph_.empty()) graph_.find(board_.hash(attacker_));
  settle(true, 0, {infinite, infinite});
  const ProofNumbers found = graph_.position(0).numbers;
  if (found.proof == 0) {
    // What was found once is found again, without a limit.
    const SolverLimits limits = std::exchange(limits_, {std::numeric_limits<std::uint64_t>::max(), 0, nullptr});
    std::unordered_map<int, int> steps;
    root = step_of_position(0, steps);
    limits_ = limits;
    return AttackResult::won;
  }
  return found.disproof == 0 || graph_.bytes() > graph_bytes_ ? AttackResult::lost : AttackResult::stopped;
}

// A position with the attacker to move, or an attack that has been played, until one of the numbers reaches its
// threshold. Returns false if a limit of the search was reached.
bool ThreatSolver::settle(bool attacking, int index, ProofNumbers thresholds) {
  const auto minimised = attacking ? &ProofNumbers::proof : &ProofNumbers::disproof;
  const auto summed = attacking ? &ProofNumbers::disproof : &ProofNumbers::proof;
  const auto node = [&]() -> ProofGraph::Node& { return attacking ? graph_.position(index) : graph_.attack(index); };
  if (node().count == ProofGraph::unexpanded && !(attacking ? expand_position(index) : expand_attack(index))) {
    return false;
  }
  while (!node().numbers.settled()) {
    ProofNumbers& numbers = node().numbers;
    Choice choice;
    for (int i = node().first; i < node().first + node().count; ++i) {
      const ProofNumbers child =
          attacking ? graph_.attack(i).numbers : graph_.position(graph_.reply(i).position).numbers;
      if (child.*summed > 0) choice.add(i, child.*minimised, child.*summed);
    }
    if (choice.open == 0 || choice.least == 0) {
      numbers = (choice.open == 0) == attacking ? refuted_numbers : proven_numbers;
      break;
    }
    numbers.*minimised = choice.least;
    numbers.*summed = choice.sum();
    if (numbers.proof >= thresholds.proof || numbers.disproof >= thresholds.disproof) break;
    ProofNumbers next;
    next.*minimised = std::min(thresholds.*minimised, above(choice.second));
    next.*summed = threshold_of_term(thresholds.*summed, choice.open);
    const ProofGraph::Reply child =
        attacking ? ProofGraph::Reply{choice.best, graph_.attack(choice.best).cell} : graph_.reply(choice.best);
    board_.play(child.cell, attacking ? attacker_ : 1 - attacker_);
    const bool go_on = settle(!attacking, child.position, next);
    board_.undo();
    if (!go_on) return false;
  }
  return true;
}

// Returns false if a limit was reached.
bool ThreatSolver::expand_position(int index) {
  if (!count_node() || graph_.bytes() > graph_bytes_) return false;
  const int defender = 1 - attacker_;
  FourLine line;
  const AttackResult by_fours = win_by_fours(attacker_, fours_attacking, line);
  if (by_fours == AttackResult::stopped) return false;
  const int first = graph_.attacks();
  const auto depth = static_cast<ProofNumber>(board_.plies() / plies_per_number);
  const auto add = [&](const CellList& moves, ProofNumber proof) {
    for (const int move : moves) {
      if (board_.legal(move, attacker_)) graph_.add_attack(move, proof + depth);
    }
  };
  const int fives = board_.count_fives(defender);
  CellList moves;
  if (by_fours != AttackResult::won && fives == 1) {
    moves.add(board_.first_five(defender));
    add(moves, proof_of_four);
  } else if (by_fours != AttackResult::won && fives == 0) {
    board_.fours(attacker_, moves);
    add(moves, proof_of_four);
    moves.clear();
    board_.threes(attacker_, moves);
    add(moves, proof_of_three);
    moves.clear();
    board_.quiet_threats(attacker_, moves);
    add(moves, proof_of_quiet_move);
  }
  ProofGraph::Position& position = graph_.position(index);
  position.first = first;
  position.count = static_cast<std::int16_t>(graph_.attacks() - first);
  if (by_fours == AttackResult::won) {
    position.numbers = proven_numbers;
  } else if (position.count == 0) {
    position.numbers = refuted_numbers;
  }
  return true;
}

// After the attack. Returns false if a limit was reached.
bool ThreatSolver::expand_attack(int index) {
  Replies found;
  if (const std::optional<AttackResult> settled = find_replies(graph_.attack(index).cell, found)) {
    if (*settled == AttackResult::stopped) return false;
    graph_.attack(index).count = 0;
    graph_.attack(index).numbers = *settled == AttackResult::won ? proven_numbers : refuted_numbers;
    return true;
  }
  const int defender = 1 - attacker_;
  const int first = graph_.replies();
  for (const int answer : found.cells) {
    if (!board_.legal(answer, defender)) continue;
    graph_.add_reply(answer, graph_.find(board_.hash_after(answer, defender, attacker_)));
  }
  graph_.attack(index).first = first;
  graph_.attack(index).count = static_cast<std::int16_t>(graph_.replies() - first);
  return true;
}

// The proof of a proven position; the board must show it.
int ThreatSolver::step_of_position(int index, std::unordered_map<int, int>& steps) {
  if (const auto known = steps.find(index); known != steps.end()) return known->second;
  const ProofGraph::Position position = graph_.position(index);
  int step = no_step;
  for (int i = position.first; i < position.first + position.count && step == no_step; ++i) {
    if (graph_.attack(i).numbers.proof > 0) continue;
    board_.play(graph_.attack(i).cell, attacker_);
    step = step_of_attack(i, steps);
    board_.undo();
  }
  FourLine line;
  if (step == no_step && win_by_fours(attacker_, fours_attacking, line) == AttackResult::won) step = add_line(line);
  return steps[index] = step;
}

int ThreatSolver::step_of_attack(int index, std::unordered_map<int, int>& steps) {
  const ProofGraph::Node attack = graph_.attack(index);
  const int defender = 1 - attacker_;
  std::vector<ProofReply> replies;
  for (int i = attack.first; i < attack.first + attack.count; ++i) {
    const ProofGraph::Reply reply = graph_.reply(i);
    board_.play(reply.cell, defender);
    replies.push_back({reply.cell, step_of_position(reply.position, steps)});
    board_.undo();
    if (replies.back().step == no_step) return no_step;
  }
  Replies to;
  to.to_four = board_.count_fives(attacker_) > 0;
  if (to.to_four) {
    to.four = {attack.cell};
    if (unstoppable(defender, to.four)) return add_line({to.four});
  } else if (win_by_fours(attacker_, fours_threatened, to.threat) != AttackResult::won) {
    return no_step;
  }
  return add_attack(attack.cell, to, replies);
}

}  // namespace tesuji::gomoku
