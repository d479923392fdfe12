// Search with hidden information: single-observer information-set MCTS (Cowling, Powley and Whitehouse, "Information
// Set Monte Carlo Tree Search", 2012).
//
// Every simulation starts from another state that fits all that the player to move has seen; the real one is never
// looked into. All share one tree, whose nodes are what the moves so far say. So which moves are legal in a node, and
// even who is to move, differs from one simulation to the next: only what is legal now can be chosen, and a move that
// the node has not met is added to it. A move that is seldom legal must not look neglected, so the N of the selection
// rule is how often the move could have been chosen:
//
//   score = Q + C·√(ln(N + 1) / n) + …,   N: visits of the node in which the move was legal
//
// Nothing is proven here: each result is one of a state that may not be the real one. For the same reason an urgent
// threat, and proximity, only set an order. One thread searches.
#include <stdexcept>

#include "search/atomics.hpp"
#include "search/mcts.hpp"

namespace tesuji {

// A state that fits what the root's player has seen.
void Mcts::imagine(Worker& worker) {
  const int observer = tree_->node(root_).player.load(relaxed);
  worker.state->determinize(*root_state_, observer, worker.random);
  if (worker.state->over()) throw std::invalid_argument("determinize() must not end the game");
  if (worker.state->player() != observer) throw std::invalid_argument("determinize() must keep the player to move");
}

// As descend(); node.player is who acts in this simulation.
Mcts::Way Mcts::descend_hidden(Worker& worker, Scores& result) {
  imagine(worker);
  State& state = *worker.state;
  worker.trace.clear();
  worker.path.assign(1, {root_, no_index, 0, unproven});
  auto visits = static_cast<std::uint32_t>(root_visits(worker) + 1);
  for (Index at = root_;;) {
    if (state.over()) {
      result = state.scores();
      return Way::certain;
    }
    const int mover = state.player();
    Node& node = tree_->node(at);
    node.player.store(static_cast<std::int8_t>(mover), relaxed);
    if (node.family.load(relaxed) == no_index && visits <= options_.expand_after) return Way::leaf;
    const Index family = list_available(worker, at, mover);
    if (family == no_index) return Way::leaf;
    const std::uint32_t position = select_available(worker, tree_->family(family), mover);
    const Index next = position == Tree::no_position
                           ? no_index
                           : tree_->ensure_child(worker.allocator, tree_->family(family), position);
    if (next == no_index) return Way::leaf;  // no memory for it
    worker.path.push_back({next, family, position, unproven});
    visits = count_visit(worker, worker.path.back(), mover);
    const Move move = tree_->node(next).move;
    if (options_.rave != Rave::off) worker.trace.push_back({move, mover});
    state.play(move);
    at = next;
  }
}

// Lists what can happen now in worker.legal, and sees to it that the node knows of it. Returns the node's family.
Index Mcts::list_available(Worker& worker, Index at, int mover) {
  Node& node = tree_->node(at);
  State& state = *worker.state;
  if (mover == chance_player) {
    worker.legal.assign(1, state.draw(worker.random));
  } else {
    state.moves(worker.legal);
  }
  Index index = node.family.load(relaxed);
  if (index == no_index) index = expand(worker, node, true, hooks_.move_ordering.get());
  if (index == no_index) return no_index;
  Family& family = tree_->family(index);
  std::vector<std::uint32_t>& places = worker.places;
  if (places.size() < state.move_limit()) places.resize(state.move_limit(), 0);
  const auto known = [&](Move move) {
    return places[move] < family.total && tree_->move_at(family, places[move]) == move;
  };
  tree_->with_moves(family, [&](const auto* moves) {
    for (std::uint32_t i = 0; i < family.total; ++i) places[moves[i]] = i;
  });
  MoveList& added = worker.unordered;
  added.clear();
  for (const Move move : worker.legal) {
    if (!known(move)) added.push_back(move);
  }
  if (at == root_ && (!added.empty() || worker.legal.size() != family.total)) {
    throw std::invalid_argument("determinize() must keep the legal moves of the player it is for");
  }
  if (added.empty()) return index;
  worker.added_weights.clear();
  if (mover != chance_player) {
    worker.moves = worker.legal;
    worker.weights.clear();
    put_in_order(worker, hooks_.move_ordering.get());
    added.clear();
    for (std::size_t i = 0; i < worker.moves.size(); ++i) {
      if (known(worker.moves[i])) continue;
      added.push_back(worker.moves[i]);
      if (!worker.weights.empty()) worker.added_weights.push_back(worker.weights[i]);
    }
  }
  std::uint32_t place = family.total;
  if (tree_->add_moves(worker.allocator, family, added, worker.added_weights)) {
    for (const Move move : added) places[move] = place++;
  }
  return index;
}

// As select(), among worker.legal.
std::uint32_t Mcts::select_available(Worker& worker, const Family& family, int mover) const {
  const Table table = tree_->table(family);
  std::uint32_t* const available = Tree::available(table);
  const float* const means = options_.rave == Rave::global && mover != chance_player
                                 ? global_means(worker, family, mover, family.total)
                                 : nullptr;
  std::uint32_t best = Tree::no_position;
  float best_score = 0;
  std::uint32_t untried = Tree::no_position;
  for (const Move move : worker.legal) {
    const std::uint32_t place = worker.places[move];
    if (place >= family.total || tree_->move_at(family, place) != move) continue;  // there was no memory for it
    if (mover == chance_player) return place;
    const SelectionRule::AtNode at = rule_.at_node(++available[place], family.exploration);
    const Index child = table.child[place].load(relaxed);
    const bool fresh = child == no_index || tree_->node(child).visits.load(relaxed) == 0;
    if (fresh && child == no_index && tree_->full()) continue;
    if (fresh && rule_.each_once_first()) {
      untried = std::min(untried, place);
      continue;
    }
    const float score = fresh && options_.rave == Rave::off
                            ? rule_.untried(at, tree_->prior_at(family, place))
                            : rule_.score(at, table, place, means == nullptr ? nullptr : means + place);
    if (best == Tree::no_position || score > best_score || (score == best_score && place < best)) {
      best = place;
      best_score = score;
    }
  }
  return untried != Tree::no_position ? untried : best;
}

}  // namespace tesuji
