// Single-observer information-set MCTS (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search",
// 2012).
//
// Every simulation starts from a fresh determinization: a state consistent with what the side to move has seen. All
// simulations share one tree, whose nodes are move sequences. The legal moves of a node, and even the side to move,
// differ between simulations: only moves that are legal now are selected, and new ones are added to the node. The
// selection formula counts how often a move was available:
//
//   score = Q + C·√(ln(N + 1) / n) + …,   N: visits of the node in which the move was legal
//
// Nothing is proven, because a determinization may differ from the real state. For the same reason urgent threats and
// proximity only order the moves. Single-threaded.
#include <algorithm>
#include <stdexcept>

#include "search/tree_search.hpp"

namespace tesuji {

void TreeSearch::determinize(Worker& worker) const {
  const State& real = *root_state_;
  const int observer = root_node().player.load(relaxed);
  real.hidden_information()->determinize(*worker.state, observer, worker.random);
  if (worker.state->over()) throw std::invalid_argument("determinize() must not end the game");
  if (worker.state->player() != observer) throw std::invalid_argument("determinize() must keep the player to move");
}

TreeSearch::DescentEnd TreeSearch::descend_hidden(Worker& worker, Scores& result) {
  Tree& tree = *tree_;
  determinize(worker);
  State& state = *worker.state;
  worker.trace.clear();
  worker.path.assign(1, {root_, no_index, 0, unproven});
  auto visits = static_cast<std::uint32_t>(root_visits(worker) + 1);
  for (Index at = root_;;) {
    if (state.over()) {
      result = state.scores();
      return DescentEnd::exact;
    }
    const int mover = state.player();
    Node& node = tree.node(at);
    node.player.store(static_cast<std::int8_t>(mover), relaxed);
    if (node.edges.load(relaxed) == no_index && visits <= expand_after_) return DescentEnd::leaf;
    if (at != root_ && limits_.slow() && limits_.stopped()) return DescentEnd::leaf;
    const Index edges = list_available_moves(worker, at, mover);
    if (edges == no_index) return DescentEnd::leaf;
    const std::uint32_t position = select_available(worker, tree.edges(edges), mover);
    const Index next =
        position == Tree::no_position ? no_index : tree.ensure_child(worker.allocator, tree.edges(edges), position);
    if (next == no_index) return DescentEnd::leaf;  // out of memory
    worker.path.push_back({next, edges, position, unproven});
    visits = count_visit(worker, worker.path.back(), mover);
    const Move move = tree.node(next).move;
    if (formula_.uses_rave()) worker.trace.push_back({move, mover});
    state.play(move);
    at = next;
  }
}

// Lists the moves available now in worker.legal and adds new ones to the node. Returns the node's edges.
Index TreeSearch::list_available_moves(Worker& worker, Index at, int mover) {
  Tree& tree = *tree_;
  Node& node = tree.node(at);
  State& state = *worker.state;
  if (mover == chance_player) {
    worker.legal.assign(1, state.sample_chance(worker.random));
  } else {
    state.moves(worker.legal);
  }
  Index index = node.edges.load(relaxed);
  if (index == no_index) index = expand(worker, node, true, hooks_.move_ordering.get());
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
  if (at == root_ && (!added.empty() || worker.legal.size() != edges.total)) {
    throw std::invalid_argument("determinize() must keep the legal moves of the player it is for");
  }
  if (added.empty()) return index;
  worker.added_weights.clear();
  if (mover != chance_player) {
    worker.moves = worker.legal;
    worker.weights.clear();
    order_moves(worker, hooks_.move_ordering.get(), at == root_);
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

// As select(), among worker.legal.
std::uint32_t TreeSearch::select_available(Worker& worker, const Edges& edges, int mover) {
  const Tree& tree = *tree_;
  const ChildTable table = tree.table(edges);
  std::uint32_t* const available = Tree::available(table);
  const float* const means = formula_.rave() == Rave::global && mover != chance_player
                                 ? global_means(worker, edges, mover, edges.total)
                                 : nullptr;
  std::uint32_t best = Tree::no_position;
  float best_score = 0;
  std::uint32_t untried = Tree::no_position;
  for (const Move move : worker.legal) {
    const std::uint32_t place = worker.positions[move];
    if (place >= edges.total || tree.move_at(edges, place) != move) continue;  // no memory to add it
    if (mover == chance_player) return place;
    const SelectionFormula::AtNode at = formula_.at_node(++available[place], edges);
    const Index child = table.child[place].load(relaxed);
    const bool fresh = child == no_index || tree.node(child).visits.load(relaxed) == 0;
    if (fresh && child == no_index && tree.full()) continue;
    if (fresh && formula_.each_once_first()) {
      untried = std::min(untried, place);
      continue;
    }
    const float score = fresh && !formula_.uses_rave()
                            ? formula_.untried(at, tree.prior_at(edges, place))
                            : formula_.score(at, table, place, means == nullptr ? nullptr : means + place);
    if (best == Tree::no_position || score > best_score || (score == best_score && place < best)) {
      best = place;
      best_score = score;
    }
  }
  return untried != Tree::no_position ? untried : best;
}

}  // namespace tesuji
