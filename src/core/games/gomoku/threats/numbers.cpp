// Victory by continuous threats, by proof numbers: depth first within thresholds (Nagai, Df-pn algorithm for searching
// AND/OR trees, 2002), on a graph that is kept in memory.
//
// It always goes where the least work could settle the root, however deep that is, while the search by depth tries all
// attacks of one length before a longer one. Each finds wins that the other does not find in the same time.
#include <algorithm>
#include <utility>

#include "games/gomoku/threats/search.hpp"

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

AttackResult ThreatSearch::win_by_numbers(int& root) {
  if (graph_.empty()) graph_.find(board_.hash(attacker_));
  settle_position(0, {infinite, infinite});
  const ProofNumbers found = graph_.position(0).numbers;
  if (found.proof == 0) {
    // What was found once is found again, without a limit.
    const ThreatLimits limits = std::exchange(limits_, {std::numeric_limits<std::uint64_t>::max(), 0, nullptr});
    std::unordered_map<int, int> steps;
    root = step_of_position(0, steps);
    limits_ = limits;
    return AttackResult::won;
  }
  return found.disproof == 0 || graph_.bytes() > graph_bytes_ ? AttackResult::lost : AttackResult::stopped;
}

// Until one of the numbers reaches its threshold. Both return false if a limit of the search was reached.
bool ThreatSearch::settle_position(int index, ProofNumbers thresholds) {
  if (graph_.position(index).attacks == ProofGraph::unexpanded && !expand_position(index)) return false;
  while (!graph_.position(index).numbers.settled()) {
    ProofGraph::Position& position = graph_.position(index);
    Choice choice;
    for (int i = position.first_attack; i < position.first_attack + position.attacks; ++i) {
      const ProofNumbers numbers = graph_.attack(i).numbers;
      if (numbers.disproof > 0) choice.add(i, numbers.proof, numbers.disproof);
    }
    if (choice.open == 0 || choice.least == 0) {
      position.numbers = choice.open == 0 ? refuted_numbers : proven_numbers;
      break;
    }
    position.numbers = {choice.least, choice.sum()};
    if (position.numbers.proof >= thresholds.proof || position.numbers.disproof >= thresholds.disproof) break;
    board_.play(graph_.attack(choice.best).cell, attacker_);
    const bool go_on = settle_attack(choice.best, {std::min(thresholds.proof, above(choice.second)),
                                                   threshold_of_term(thresholds.disproof, choice.open)});
    board_.undo();
    if (!go_on) return false;
  }
  return true;
}

bool ThreatSearch::settle_attack(int index, ProofNumbers thresholds) {
  if (graph_.attack(index).replies == ProofGraph::unexpanded && !expand_attack(index)) return false;
  while (!graph_.attack(index).numbers.settled()) {
    ProofGraph::Attack& attack = graph_.attack(index);
    Choice choice;
    for (int i = attack.first_reply; i < attack.first_reply + attack.replies; ++i) {
      const ProofNumbers numbers = graph_.position(graph_.reply(i).position).numbers;
      if (numbers.proof > 0) choice.add(i, numbers.disproof, numbers.proof);
    }
    if (choice.open == 0 || choice.least == 0) {
      attack.numbers = choice.open == 0 ? proven_numbers : refuted_numbers;
      break;
    }
    attack.numbers = {choice.sum(), choice.least};
    if (attack.numbers.proof >= thresholds.proof || attack.numbers.disproof >= thresholds.disproof) break;
    const ProofGraph::Reply reply = graph_.reply(choice.best);
    board_.play(reply.cell, 1 - attacker_);
    const bool go_on = settle_position(reply.position, {threshold_of_term(thresholds.proof, choice.open),
                                                        std::min(thresholds.disproof, above(choice.second))});
    board_.undo();
    if (!go_on) return false;
  }
  return true;
}

// Returns false if a limit was reached.
bool ThreatSearch::expand_position(int index) {
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
  position.first_attack = first;
  position.attacks = static_cast<std::int16_t>(graph_.attacks() - first);
  if (by_fours == AttackResult::won) {
    position.numbers = proven_numbers;
  } else if (position.attacks == 0) {
    position.numbers = refuted_numbers;
  }
  return true;
}

// After the attack. Returns false if a limit was reached.
bool ThreatSearch::expand_attack(int index) {
  const int defender = 1 - attacker_;
  const auto settle = [&](ProofNumbers numbers) {
    graph_.attack(index).replies = 0;
    graph_.attack(index).numbers = numbers;
    return true;
  };
  if (board_.count_fives(defender) > 0) return settle(refuted_numbers);
  CellList answers;
  if (board_.count_fives(attacker_) > 0) {
    Four four{graph_.attack(index).cell};
    if (unstoppable(defender, four)) return settle(proven_numbers);
    if (four.other != no_cell || !board_.legal(four.five, defender)) return settle(refuted_numbers);
    answers.add(four.five);
  } else {
    FourLine threat;
    const AttackResult threatened = win_by_fours(attacker_, fours_threatened, threat);
    if (threatened == AttackResult::stopped) return false;
    if (threatened != AttackResult::won || !board_.can_move(defender)) return settle(refuted_numbers);
    FourLine counter;
    const AttackResult countered = win_by_fours(defender, fours_countered, counter);
    if (countered == AttackResult::stopped) return false;
    if (countered == AttackResult::won) return settle(refuted_numbers);
    relevant_defences(attacker_, threat, answers);
  }
  const int first = graph_.replies();
  for (const int answer : answers) {
    if (!board_.legal(answer, defender)) continue;
    graph_.add_reply(answer, graph_.find(board_.hash_after(answer, defender, attacker_)));
  }
  ProofGraph::Attack& attack = graph_.attack(index);
  attack.first_reply = first;
  attack.replies = static_cast<std::int16_t>(graph_.replies() - first);
  return true;
}

// The proof of a proven position; the board must show it.
int ThreatSearch::step_of_position(int index, std::unordered_map<int, int>& steps) {
  if (const auto known = steps.find(index); known != steps.end()) return known->second;
  const ProofGraph::Position position = graph_.position(index);
  int step = no_step;
  for (int i = position.first_attack; i < position.first_attack + position.attacks && step == no_step; ++i) {
    if (graph_.attack(i).numbers.proof > 0) continue;
    board_.play(graph_.attack(i).cell, attacker_);
    step = step_of_attack(i, steps);
    board_.undo();
  }
  FourLine line;
  if (step == no_step && win_by_fours(attacker_, fours_attacking, line) == AttackResult::won) step = add_line(line);
  return steps[index] = step;
}

int ThreatSearch::step_of_attack(int index, std::unordered_map<int, int>& steps) {
  const ProofGraph::Attack attack = graph_.attack(index);
  const int defender = 1 - attacker_;
  std::vector<ProofReply> replies;
  for (int i = attack.first_reply; i < attack.first_reply + attack.replies; ++i) {
    const ProofGraph::Reply reply = graph_.reply(i);
    board_.play(reply.cell, defender);
    replies.push_back({reply.cell, step_of_position(reply.position, steps)});
    board_.undo();
    if (replies.back().step == no_step) return no_step;
  }
  if (board_.count_fives(attacker_) > 0) {
    Four four{attack.cell};
    if (unstoppable(defender, four)) return add_line({four});
    return add_step(attack.cell, add_step(four.five, no_step, {}), replies);
  }
  FourLine threat;
  if (win_by_fours(attacker_, fours_threatened, threat) != AttackResult::won) return no_step;
  return add_step(attack.cell, add_line(threat), replies);
}

}  // namespace tesuji::gomoku
