#include "search/simulation/descent.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/atomics.hpp"

namespace tesuji {

DescentEnd Descent::descend(Worker& worker, Scores& result) {
  Tree& tree = *context_.tree;
  const Outcomes& outcomes = *context_.outcomes;
  const Index root = context_.root;
  const bool rave = context_.options.rave != Rave::off;
  worker.state->assign(*context_.root_state);
  worker.trace.clear();
  worker.path.assign(1, {root, no_index, 0, unproven});
  auto visits = static_cast<std::uint32_t>(context_.root_visits(worker) + 1);
  for (Index at = root;;) {
    Node& node = tree.node(at);
    Index edges = node.edges.load(acquire);
    if (edges == no_index && visits > context_.options.expand_after) {
      edges = expansion_.expand(worker, node, false, context_.hooks.move_ordering.get());
    }
    if (edges != no_index && at != root && study_.due(node, visits) && study_.study(worker, at, visits, result)) {
      solver_.prove_path(worker);
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
    visits = statistics_.count_visit(worker, worker.path.back(), node.player.load(relaxed));
    const Outcome known = child.outcome.load(acquire);
    if (rave) worker.trace.push_back({child.move, node.player.load(relaxed)});
    if (outcomes.complete(known)) {
      // Another thread may have proven this child but checked the parent before a sibling's proof arrived.
      if (context_.solver) solver_.prove(at);
      result = outcomes.scores(known);
      return DescentEnd::exact;
    }
    worker.state->play(child.move);
    if (child.player.load(relaxed) == player_unknown && expansion_.initialize(worker, child, result, true)) {
      if (context_.solver && child.outcome.load(acquire) != unproven) solver_.prove_path(worker);
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
std::uint32_t Descent::select(Worker& worker, const Node& node, Edges& edges, std::uint32_t visits,
                              Outcome& proven_best) {
  Tree& tree = *context_.tree;
  const SelectionRule& rule = context_.rule;
  const int mover = node.player.load(relaxed);
  if (mover == chance_player) return sample_chance_move(worker, edges);
  const std::uint32_t limit = edges.limit.load(relaxed);
  const std::uint32_t tried = std::min(edges.tried.load(acquire), limit);
  if (tried < limit && rule.each_once_first()) {
    const std::uint32_t next = try_next(worker, edges, mover);
    if (next != Tree::no_position) return next;
  }
  // With RAVE every move has an AMAF value; without it only the tried moves and the next untried one compete.
  const bool rave = context_.options.rave != Rave::off;
  const Table table = tree.table(edges);
  const std::uint32_t count = rave && !rule.each_once_first() ? limit : std::min(tried, table.capacity);
  SelectionRule::AtNode at = rule.at_node(visits, edges);
  if (rule.first_play_is_relative()) {
    at.first_play = rule.relative_first_play(node.estimate, tree.prior_sum(edges, tried));
  }
  if (count == 0) return rule.each_once_first() ? Tree::no_position : try_next(worker, edges, mover);
  const float* means =
      context_.options.rave == Rave::global ? amaf_.global_means(worker, edges, mover, count) : nullptr;
  const SelectionRule::Best best = rule.best(at, table, count, means, worker.scores);
  if (!rave && tried < limit && rule.untried(at, tree.prior_at(edges, tried)) > best.score) {
    const std::uint32_t next = try_next(worker, edges, mover);
    if (next != Tree::no_position) return next;
  }
  if (!context_.solver) return best.position;
  const Index child = table.child[best.position].load(acquire);
  const Outcome known = child == no_index ? unproven : tree.node(child).outcome.load(acquire);
  if (!context_.outcomes->complete(known)) return best.position;
  const std::uint32_t other =
      !rave && tried < limit ? try_next(worker, edges, mover) : solver_.best_unproven(worker, edges, mover, count);
  if (other == Tree::no_position) return best.position;
  proven_best = known;
  return other;
}

// Passes over what a study has settled.
std::uint32_t Descent::try_next(Worker& worker, Edges& edges, int mover) {
  Tree& tree = *context_.tree;
  for (;;) {
    const std::uint32_t next = tree.try_next(worker.allocator, edges);
    if (next == Tree::no_position || context_.study_at[0] == SearchContext::no_study) return next;
    const Index child = tree.child_at(edges, next);
    if (child == no_index || !solver_.settled(tree.node(child), mover)) return next;
  }
}

std::uint32_t Descent::sample_chance_move(Worker& worker, const Edges& edges) const {
  const Move move = worker.state->sample_chance(worker.random);
  std::uint32_t position = Tree::no_position;
  context_.tree->with_moves(edges, [&](const auto* moves) {
    position = static_cast<std::uint32_t>(std::find(moves, moves + edges.total, move) - moves);
  });
  if (position == edges.total) throw std::invalid_argument("a chance outcome is not among moves()");
  return position;
}

}  // namespace tesuji
