#include "search/simulation/information_set.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/atomics.hpp"

namespace tesuji {

void InformationSetDescent::determinize(Worker& worker) const {
  const State& real = *context_.root_state;
  const int observer = context_.root_node().player.load(relaxed);
  real.hidden_information()->determinize(*worker.state, observer, worker.random);
  if (worker.state->over()) throw std::invalid_argument("determinize() must not end the game");
  if (worker.state->player() != observer) throw std::invalid_argument("determinize() must keep the player to move");
}

DescentEnd InformationSetDescent::descend(Worker& worker, Scores& result) {
  Tree& tree = *context_.tree;
  determinize(worker);
  State& state = *worker.state;
  worker.trace.clear();
  worker.path.assign(1, {context_.root, no_index, 0, unproven});
  auto visits = static_cast<std::uint32_t>(context_.root_visits(worker) + 1);
  for (Index at = context_.root;;) {
    if (state.over()) {
      result = state.scores();
      return DescentEnd::exact;
    }
    const int mover = state.player();
    Node& node = tree.node(at);
    node.player.store(static_cast<std::int8_t>(mover), relaxed);
    if (node.edges.load(relaxed) == no_index && visits <= context_.options.expand_after) return DescentEnd::leaf;
    if (at != context_.root && context_.limits.slow() && context_.limits.stopped()) return DescentEnd::leaf;
    const Index edges = list_available_moves(worker, at, mover);
    if (edges == no_index) return DescentEnd::leaf;
    const std::uint32_t position = select_available(worker, tree.edges(edges), mover);
    const Index next =
        position == Tree::no_position ? no_index : tree.ensure_child(worker.allocator, tree.edges(edges), position);
    if (next == no_index) return DescentEnd::leaf;  // out of memory
    worker.path.push_back({next, edges, position, unproven});
    visits = statistics_.count_visit(worker, worker.path.back(), mover);
    const Move move = tree.node(next).move;
    if (context_.options.rave != Rave::off) worker.trace.push_back({move, mover});
    state.play(move);
    at = next;
  }
}

// Lists the moves available now in worker.legal and adds new ones to the node. Returns the node's edges.
Index InformationSetDescent::list_available_moves(Worker& worker, Index at, int mover) {
  Tree& tree = *context_.tree;
  Node& node = tree.node(at);
  State& state = *worker.state;
  if (mover == chance_player) {
    worker.legal.assign(1, state.sample_chance(worker.random));
  } else {
    state.moves(worker.legal);
  }
  Index index = node.edges.load(relaxed);
  if (index == no_index) index = expansion_.expand(worker, node, true, context_.hooks.move_ordering.get());
  if (index == no_index) return no_index;
  Edges& edges = tree.edges(index);
  std::vector<std::uint32_t>& positions = worker.positions;
  if (positions.size() < state.move_limit()) positions.resize(state.move_limit(), 0);
  const auto known = [&](Move move) {
    return positions[move] < edges.total && tree.move_at(edges, positions[move]) == move;
  };
  tree.with_moves(edges, [&](const auto* moves) {
    for (std::uint32_t i = 0; i < edges.total; ++i) positions[moves[i]] = i;
  });
  MoveList& added = worker.unordered;
  added.clear();
  for (const Move move : worker.legal) {
    if (!known(move)) added.push_back(move);
  }
  if (at == context_.root && (!added.empty() || worker.legal.size() != edges.total)) {
    throw std::invalid_argument("determinize() must keep the legal moves of the player it is for");
  }
  if (added.empty()) return index;
  worker.added_weights.clear();
  if (mover != chance_player) {
    worker.moves = worker.legal;
    worker.weights.clear();
    expansion_.order_moves(worker, context_.hooks.move_ordering.get(), at == context_.root);
    added.clear();
    for (std::size_t i = 0; i < worker.moves.size(); ++i) {
      if (known(worker.moves[i])) continue;
      added.push_back(worker.moves[i]);
      if (!worker.weights.empty()) worker.added_weights.push_back(worker.weights[i]);
    }
  }
  std::uint32_t place = edges.total;
  if (tree.add_moves(worker.allocator, edges, added, worker.added_weights)) {
    for (const Move move : added) positions[move] = place++;
  }
  return index;
}

// As Descent::select(), among worker.legal.
std::uint32_t InformationSetDescent::select_available(Worker& worker, const Edges& edges, int mover) {
  const Tree& tree = *context_.tree;
  const SelectionRule& rule = context_.rule;
  const Table table = tree.table(edges);
  std::uint32_t* const available = Tree::available(table);
  const float* const means = context_.options.rave == Rave::global && mover != chance_player
                                 ? amaf_.global_means(worker, edges, mover, edges.total)
                                 : nullptr;
  std::uint32_t best = Tree::no_position;
  float best_score = 0;
  std::uint32_t untried = Tree::no_position;
  for (const Move move : worker.legal) {
    const std::uint32_t place = worker.positions[move];
    if (place >= edges.total || tree.move_at(edges, place) != move) continue;  // no memory to add it
    if (mover == chance_player) return place;
    const SelectionRule::AtNode at = rule.at_node(++available[place], edges);
    const Index child = table.child[place].load(relaxed);
    const bool fresh = child == no_index || tree.node(child).visits.load(relaxed) == 0;
    if (fresh && child == no_index && tree.full()) continue;
    if (fresh && rule.each_once_first()) {
      untried = std::min(untried, place);
      continue;
    }
    const float score = fresh && context_.options.rave == Rave::off
                            ? rule.untried(at, tree.prior_at(edges, place))
                            : rule.score(at, table, place, means == nullptr ? nullptr : means + place);
    if (best == Tree::no_position || score > best_score || (score == best_score && place < best)) {
      best = place;
      best_score = score;
    }
  }
  return untried != Tree::no_position ? untried : best;
}

}  // namespace tesuji
