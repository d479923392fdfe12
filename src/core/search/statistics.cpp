// Visits and scores of the tree: counted during the descent (a virtual loss), completed during the backup.
//
// With several simulations that wait for the network, a node gets its mean score for each until the result arrives, and
// a node without a result the value of an untried move: simulations under way make it less worth exploring, but not
// worse (Liu et al., Watch the unobserved, 2020). If a waiting simulation counted as lost, the next one would go to the
// worse sibling rather than elsewhere in the tree: with 4 leaves at a time and 60 visits, that cost 75 Elo in Hex.
//
// The nodes hold the truth; refresh() copies what selection needs into the parent's table.
#include "search/tree_search.hpp"

namespace tesuji {

namespace {

constexpr std::uint32_t inverse_share = 4;  // of the visits that may be pending

}  // namespace

void TreeSearch::refresh(Index edges, std::uint32_t position, Index child, int mover) {
  if (mover == chance_player) return;
  const Tree& tree = *tree_;
  const ChildTable table = tree.table(tree.edges(edges));
  if (position >= table.capacity) return;
  const Node& node = tree.node(child);
  const Outcome known = node.outcome.load(acquire);
  const std::uint32_t visits = node.visits.load(relaxed);
  if (solver_ && outcomes_->known(known, mover)) {
    formula_.set_proven(table, position, outcomes_->score(known, mover));
  } else if ((node.marks.load(relaxed) & mark::inferior) != 0) {
    formula_.set_proven(table, position, 0.0);  // never selected
  } else if (visits > 0) {
    formula_.update(table, position, node);
  } else {
    formula_.make_untried(table, position, node);
  }
}

// The value that the selection has given an untried move.
std::uint64_t TreeSearch::first_virtual_value(const Worker& worker, const PathStep& step) const {
  const Tree& tree = *tree_;
  const Edges& edges = tree.edges(step.edges);
  const float estimate = tree.node(worker.path.end()[-2].node).estimate;
  return to_fixed(formula_.relative_first_play(estimate, tree.prior_sum(edges, edges.tried.load(relaxed))));
}

std::uint32_t TreeSearch::count_visit(Worker& worker, PathStep& step, int chooser) {
  Node& node = tree_->node(step.node);
  if (threads_ == 1) {
    const std::uint32_t before = add(node.visits, 1, false);
    if (batch_size_ > 1) {
      step.virtual_value = before > 0 ? node.score_sum.load(relaxed) / before : first_virtual_value(worker, step);
      add(node.score_sum, step.virtual_value, false);
      refresh(step.edges, step.position, step.node, chooser);
    }
    return before + 1;
  }
  const std::uint32_t counted = node.visits.load(relaxed);
  const std::uint32_t limit = pending_limit(counted, threads_, inverse_share);
  PendingVisits& pending = worker.pending_visits.at(step.node);
  if (!pending.of(step.node) || pending.visits >= limit) {
    if (limit < 2) {
      if (pending.of(step.node)) flush(pending);
      add(node.visits, 1, true);
      refresh(step.edges, step.position, step.node, chooser);
      return counted + 1;
    }
    flush(pending);
    pending.step = step;
    pending.chooser = chooser;
  }
  ++pending.visits;
  return counted + pending.visits;
}

void TreeSearch::flush(Worker& worker) {
  for (PendingVisits& pending : worker.pending_visits) flush(pending);
  for (PendingSamples& pending : worker.pending_samples) flush(pending);
}

void TreeSearch::flush(PendingVisits& pending) {
  if (pending.visits > 0) {
    Node& node = tree_->node(pending.step.node);
    node.visits.fetch_add(pending.visits, relaxed);
    node.score_sum.fetch_add(pending.score_sum, relaxed);
    refresh(pending.step.edges, pending.step.position, pending.step.node, pending.chooser);
  }
  pending = {};
}

void TreeSearch::back_up(Worker& worker, const Scores& result) {
  Tree& tree = *tree_;
  const bool shared = threads_ > 1;
  const Scores* scores = &result;
  // Not the root: it needs no score, and all threads would contend for it.
  for (std::size_t i = worker.path.size(); --i > 0;) {
    const PathStep& step = worker.path[i];
    const int chooser = tree.node(worker.path[i - 1].node).player.load(relaxed);
    Node& node = tree.node(step.node);
    PendingVisits& pending = worker.pending_visits.at(step.node);
    const bool waits = shared && pending.of(step.node);
    const std::uint64_t score = (chooser == chance_player ? 0 : to_fixed((*scores)[chooser])) - step.virtual_value;
    if (waits) {
      pending.score_sum += score;
    } else {
      add(node.score_sum, score, shared);
    }
    // Proofs are written immediately.
    if (!waits || node.outcome.load(acquire) != unproven) refresh(step.edges, step.position, step.node, chooser);
    if (step.proven_best != unproven) scores = &outcomes_->scores(step.proven_best);
  }
  learn_amaf(worker, result);
}

void TreeSearch::undo(Worker& worker, const std::vector<PathStep>& path) {
  Tree& tree = *tree_;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const PathStep& step = path[i];
    PendingVisits& pending = worker.pending_visits.at(step.node);
    if (pending.of(step.node)) {
      --pending.visits;
    } else {
      tree.node(step.node).visits.fetch_sub(1, relaxed);
      tree.node(step.node).score_sum.fetch_sub(step.virtual_value, relaxed);
      refresh(step.edges, step.position, step.node, tree.node(path[i - 1].node).player.load(relaxed));
    }
  }
}

}  // namespace tesuji
