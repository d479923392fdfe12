#include "search/simulation/statistics.hpp"

#include "base/atomics.hpp"

namespace tesuji {

namespace {

constexpr std::uint32_t inverse_share = 4;  // of the visits that may be held back

// Whether the current simulation's visit has not been written to the tree yet.
bool holds(const HeldVisits& held, Index node) { return held.visits > 0 && held.step.node == node; }

}  // namespace

void Statistics::refresh(Index edges, std::uint32_t position, Index child, int mover) {
  if (mover == chance_player) return;
  const Tree& tree = *context_.tree;
  const Table table = tree.table(tree.edges(edges));
  if (position >= table.capacity) return;
  const Node& node = tree.node(child);
  const Outcome known = node.outcome.load(acquire);
  const std::uint32_t visits = node.visits.load(relaxed);
  if (context_.solver && context_.outcomes->known(known, mover)) {
    context_.rule.set_proven(table, position, context_.outcomes->score(known, mover));
  } else if ((node.marks.load(relaxed) & mark::inferior) != 0) {
    context_.rule.set_proven(table, position, 0.0);  // never selected
  } else if (visits > 0) {
    context_.rule.update(table, position, node);
  } else {
    context_.rule.make_untried(table, position, node);
  }
}

// The value that the selection has given an untried move.
std::uint64_t Statistics::first_loan(const Worker& worker, const Worker::Step& step) const {
  if (!context_.rule.first_play_is_relative()) return 0;
  const Tree& tree = *context_.tree;
  const Edges& edges = tree.edges(step.edges);
  const float estimate = tree.node(worker.path.end()[-2].node).estimate;
  return to_fixed(context_.rule.relative_first_play(estimate, tree.prior_sum(edges, edges.tried.load(relaxed))));
}

std::uint32_t Statistics::count_visit(Worker& worker, Worker::Step& step, int chooser) {
  Node& node = context_.tree->node(step.node);
  if (context_.options.threads == 1) {
    const std::uint32_t before = add(node.visits, 1, false);
    if (context_.options.leaves > 1) {
      step.lent = before > 0 ? node.score_sum.load(relaxed) / before : first_loan(worker, step);
      add(node.score_sum, step.lent, false);
      refresh(step.edges, step.position, step.node, chooser);
    }
    return before + 1;
  }
  const std::uint32_t counted = node.visits.load(relaxed);
  const std::uint32_t limit = held_back_limit(counted, context_.options.threads, inverse_share);
  HeldVisits& held = worker.held_visits.at(step.node);
  if (!holds(held, step.node) || held.visits >= limit) {
    if (limit < 2) {
      if (holds(held, step.node)) flush(held);
      add(node.visits, 1, true);
      refresh(step.edges, step.position, step.node, chooser);
      return counted + 1;
    }
    flush(held);
    held.step = step;
    held.chooser = chooser;
  }
  ++held.visits;
  return counted + held.visits;
}

void Statistics::flush(Worker& worker) {
  for (HeldVisits& held : worker.held_visits) flush(held);
}

void Statistics::flush(HeldVisits& held) {
  if (held.visits > 0) {
    Node& node = context_.tree->node(held.step.node);
    node.visits.fetch_add(held.visits, relaxed);
    node.score_sum.fetch_add(held.score_sum, relaxed);
    refresh(held.step.edges, held.step.position, held.step.node, held.chooser);
  }
  held = {};
}

void Statistics::back_up(Worker& worker, const Scores& result) {
  Tree& tree = *context_.tree;
  const bool shared = context_.options.threads > 1;
  const Scores* scores = &result;
  // Not the root: it needs no score, and all threads would contend for it.
  for (std::size_t i = worker.path.size(); --i > 0;) {
    const Worker::Step& step = worker.path[i];
    const int chooser = tree.node(worker.path[i - 1].node).player.load(relaxed);
    Node& node = tree.node(step.node);
    HeldVisits& held = worker.held_visits.at(step.node);
    const bool waits = shared && holds(held, step.node);
    const std::uint64_t score = (chooser == chance_player ? 0 : to_fixed((*scores)[chooser])) - step.lent;
    if (waits) {
      held.score_sum += score;
    } else {
      add(node.score_sum, score, shared);
    }
    // Proofs are written immediately.
    if (!waits || node.outcome.load(acquire) != unproven) refresh(step.edges, step.position, step.node, chooser);
    if (step.proven_best != unproven) scores = &context_.outcomes->scores(step.proven_best);
  }
}

void Statistics::undo(Worker& worker) {
  Tree& tree = *context_.tree;
  for (std::size_t i = 1; i < worker.path.size(); ++i) {
    const Worker::Step& step = worker.path[i];
    HeldVisits& held = worker.held_visits.at(step.node);
    if (holds(held, step.node)) {
      --held.visits;
    } else {
      tree.node(step.node).visits.fetch_sub(1, relaxed);
      tree.node(step.node).score_sum.fetch_sub(step.lent, relaxed);
      refresh(step.edges, step.position, step.node, tree.node(worker.path[i - 1].node).player.load(relaxed));
    }
  }
}

}  // namespace tesuji
