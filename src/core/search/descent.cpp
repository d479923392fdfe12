// The descent of a simulation: from the root, by the selection formula, to a leaf or an exact result.
#include <algorithm>
#include <stdexcept>

#include "search/tree_search.hpp"

namespace tesuji {

TreeSearch::DescentEnd TreeSearch::descend(Worker& worker, Scores& result) {
  Tree& tree = *tree_;
  const Outcomes& outcomes = *outcomes_;
  const Index root = root_;
  const bool rave = formula_.uses_rave();
  worker.state->assign(*root_state_);
  worker.trace.clear();
  worker.path.assign(1, {root, no_index, 0, unproven});
  auto visits = static_cast<std::uint32_t>(root_visits(worker) + 1);
  for (Index at = root;;) {
    Node& node = tree.node(at);
    Index edges = node.edges.load(acquire);
    if (edges == no_index && visits > expand_after_) {
      edges = expand(worker, node, false, hooks_.move_ordering.get());
    }
    if (edges != no_index && at != root && proof_search_due(node, visits) && search_proof(worker, at, visits, result)) {
      prove_path(worker);
      return DescentEnd::exact;
    }
    Outcome proven_best = unproven;
    std::uint32_t position = at == root ? worker.root_position : Tree::no_position;
    if (edges != no_index && position == Tree::no_position) {
      position = select(worker, node, tree.edges(edges), visits, proven_best);
    }
    const Index next =
        position == Tree::no_position ? no_index : tree.ensure_child(worker.allocator, tree.edges(edges), position);
    if (next == no_index) {
      // All of the root's children exist unless memory ran out: another thread is adding the next one.
      return at == root && edges != no_index && !tree.full() ? DescentEnd::blocked : DescentEnd::leaf;
    }
    Node& child = tree.node(next);
    worker.path.push_back({next, edges, position, proven_best});
    visits = count_visit(worker, worker.path.back(), node.player.load(relaxed));
    const Outcome known = child.outcome.load(acquire);
    if (rave) worker.trace.push_back({child.move, node.player.load(relaxed)});
    if (outcomes.complete(known)) {
      // Another thread may have proven this child but checked the parent before a sibling's proof arrived.
      if (solver_) prove(at);
      result = outcomes.scores(known);
      return DescentEnd::exact;
    }
    worker.state->play(child.move);
    if (child.player.load(relaxed) == player_unknown && initialize(worker, child, result, true)) {
      if (solver_ && child.outcome.load(acquire) != unproven) prove_path(worker);
      return DescentEnd::exact;
    }
    at = next;
  }
}

// The position of the child to descend into, or no_position if there is none and no memory for another.
//
// If the best child is proven, another visit would teach nothing. The best unproven child is explored then, while the
// nodes above receive the proven result (`proven_best`): their statistics do not change, and the node gets closer to a
// proof.
std::uint32_t TreeSearch::select(Worker& worker, const Node& node, Edges& edges, std::uint32_t visits,
                                 Outcome& proven_best) {
  Tree& tree = *tree_;
  const int mover = node.player.load(relaxed);
  if (mover == chance_player) return sample_chance_move(worker, edges);
  const std::uint32_t limit = edges.limit.load(relaxed);
  const std::uint32_t tried = std::min(edges.tried.load(acquire), limit);
  if (tried < limit && formula_.each_once_first()) {
    const std::uint32_t next = try_next(worker, edges, mover);
    if (next != Tree::no_position) return next;
  }
  // With RAVE every move has an AMAF value; without it only the tried moves and the next untried one compete.
  const bool rave = formula_.uses_rave();
  const ChildTable table = tree.table(edges);
  const std::uint32_t count = rave && !formula_.each_once_first() ? limit : std::min(tried, table.capacity);
  SelectionFormula::AtNode at = formula_.at_node(visits, edges);
  if (formula_.first_play_is_relative()) {
    at.first_play = formula_.relative_first_play(node.estimate, tree.prior_sum(edges, tried));
  }
  if (count == 0) return formula_.each_once_first() ? Tree::no_position : try_next(worker, edges, mover);
  const float* means = formula_.rave() == Rave::global ? global_means(worker, edges, mover, count) : nullptr;
  const SelectionFormula::Best best = formula_.best(at, table, count, means, worker.scores);
  if (!rave && tried < limit && formula_.untried(at, tree.prior_at(edges, tried)) > best.score) {
    const std::uint32_t next = try_next(worker, edges, mover);
    if (next != Tree::no_position) return next;
  }
  if (!solver_) return best.position;
  const Index child = table.child[best.position].load(acquire);
  const Outcome known = child == no_index ? unproven : tree.node(child).outcome.load(acquire);
  if (!outcomes_->complete(known)) return best.position;
  const std::uint32_t other =
      !rave && tried < limit ? try_next(worker, edges, mover) : best_unproven(worker, edges, mover, count);
  if (other == Tree::no_position) return best.position;
  proven_best = known;
  return other;
}

// Passes over what a proof search has settled.
std::uint32_t TreeSearch::try_next(Worker& worker, Edges& edges, int mover) {
  Tree& tree = *tree_;
  for (;;) {
    const std::uint32_t next = tree.try_next(worker.allocator, edges);
    if (next == Tree::no_position || proof_search_at_[0] == never) return next;
    const Index child = tree.child_at(edges, next);
    if (child == no_index || !settled(tree.node(child), mover)) return next;
  }
}

std::uint32_t TreeSearch::sample_chance_move(Worker& worker, const Edges& edges) {
  const Move move = worker.state->sample_chance(worker.random);
  std::uint32_t position = Tree::no_position;
  tree_->with_moves(edges, [&](const auto* moves) {
    position = static_cast<std::uint32_t>(std::find(moves, moves + edges.total, move) - moves);
  });
  if (position == edges.total) throw std::invalid_argument("a chance outcome is not among moves()");
  return position;
}

}  // namespace tesuji
