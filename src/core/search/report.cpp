// What a search reports: candidates, the move to play, principal variations.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "search/tree_search.hpp"

namespace tesuji {

namespace {

constexpr std::size_t longest_line = 24;

// For equal proven scores: the faster win or the slower loss; a known distance before an unknown one.
bool ends_better(const Candidate& a, const Candidate& b) {
  if (!a.plies || !b.plies) return a.plies.has_value() && !b.plies.has_value();
  return *a.proven > 0.0 ? *a.plies < *b.plies : *a.plies > *b.plies;
}

}  // namespace

Candidate TreeSearch::describe(const Edges& edges, std::uint32_t position, int mover) const {
  Candidate candidate;
  candidate.move = tree_->move_at(edges, position);
  candidate.prior = tree_->prior_at(edges, position);
  candidate.line.push_back(candidate.move);
  if (threat_.certain && !threat_.answered_by(candidate.move)) candidate.proven = 0.0;
  candidate.amaf = SelectionFormula::amaf_value(tree_->table(edges), position);
  if (const GlobalAmaf* const known = global_amaf(candidate.move, mover)) candidate.amaf = known->mean();
  const Index child = tree_->child_at(edges, position);
  if (child == no_index) return candidate;
  const Node& node = tree_->node(child);
  const std::uint32_t visits = node.visits.load();
  candidate.visits = visits;
  candidate.value = visits > 0 ? node.mean(visits) : 0.0;
  const Outcome known = node.outcome.load();
  if (outcomes_->known(known, mover)) {
    candidate.proven = outcomes_->score(known, mover);
  }
  if (candidate.proven) candidate.value = *candidate.proven;
  if (hidden_) return candidate;  // the continuation depends on hidden information
  candidate.line.clear();
  extend_line(child, candidate.line);
  return candidate;
}

// The move to play: a proven win; otherwise the most visited unproven move, unless a proven score is at least as good;
// a proven loss only if there is nothing else.
Index TreeSearch::best_child(const Node& node) const {
  const Index edges = node.edges.load(std::memory_order_acquire);
  if (edges == no_index) return no_index;
  const Edges& of = tree_->edges(edges);
  const int mover = node.player.load();
  if (mover == chance_player) return no_index;  // a line ends at a chance node
  Index open = no_index;                        // most visited unproven child
  Index certain = no_index;                     // best proven child
  const auto more = [&](Index a, Index b) {
    const Node& x = tree_->node(a);
    const Node& y = tree_->node(b);
    const std::uint32_t nx = x.visits.load();
    const std::uint32_t ny = y.visits.load();
    return nx != ny ? nx > ny : nx > 0 && x.mean(nx) > y.mean(ny);
  };
  const auto score = [&](Index child) { return outcomes_->score(tree_->node(child).outcome.load(), mover); };
  for (std::uint32_t i = 0; i < of.total; ++i) {
    const Index child = tree_->child_at(of, i);
    if (child == no_index) continue;
    if (!outcomes_->known(tree_->node(child).outcome.load(), mover)) {
      if ((tree_->node(child).marks.load() & mark::inferior) != 0) continue;
      if (open == no_index || more(child, open)) open = child;
      continue;
    }
    const bool better = certain == no_index || score(child) > score(certain) ||
                        (score(child) == score(certain) && more(child, certain));
    if (better) certain = child;
  }
  if (certain == no_index || open == no_index) return certain == no_index ? open : certain;
  const std::uint32_t visits = tree_->node(open).visits.load();
  // Minus a margin for noise: one won playout does not outweigh a proven draw.
  const double hoped = visits > 0 ? tree_->node(open).mean(visits) - 0.5 / std::sqrt(static_cast<double>(visits)) : 0.0;
  return score(certain) > 0 && score(certain) >= hoped ? certain : open;
}

void TreeSearch::extend_line(Index from, MoveList& line) const {
  for (Index at = from; at != no_index && line.size() < longest_line; at = best_child(tree_->node(at))) {
    const Node& node = tree_->node(at);
    if (at != from && node.visits.load() == 0) break;
    line.push_back(node.move);
  }
}

// A proof does not say how long a win takes, so that following proofs alone need not make progress. The tablebase's
// distances decide among proven wins and among proven losses.
void TreeSearch::apply_tablebase(Report& report) const {
  const std::unique_ptr<State> state = root_state_->clone();
  for (Candidate& candidate : report.candidates) {
    if (!candidate.proven || (*candidate.proven > 0.0 && *candidate.proven < 1.0)) continue;
    state->assign_after(*root_state_, candidate.move);
    if (state->over()) {
      candidate.plies = 1;
    } else if (const std::optional<ExactResult> known = hooks_.tablebase->probe(*state); known && known->plies > 0) {
      candidate.plies = 1 + known->plies;
    }
  }
  const auto begin = report.candidates.begin();
  const auto end = report.candidates.end();
  auto best = std::find_if(begin, end, [&](const Candidate& candidate) { return candidate.move == report.move; });
  for (auto other = begin; other != end; ++other) {
    if (best->proven && other->proven == best->proven && ends_better(*other, *best)) best = other;
  }
  report.move = best->move;
  // The length of a defence is known only if every move's distance is.
  const bool all = std::all_of(begin, end, [](const Candidate& candidate) { return candidate.plies.has_value(); });
  if (report.proven && (all || *report.proven > 0.0)) report.plies = best->plies;
}

// In a lost position, play the reply to the threat that took most visits to refute, so that the opponent has to find
// the win. Also replace a move that does not stop a certain threat, if possible by one that is not proven to lose.
void TreeSearch::prefer_longest_defence(Report& report) const {
  if (report.proven != 0.0 && (!threat_.certain || threat_.answered_by(report.move))) return;
  const auto worth = [&](const Candidate& candidate) {
    return std::pair(report.proven == 0.0 || candidate.proven != 0.0, candidate.visits);
  };
  const Candidate* best = nullptr;
  for (const Candidate& candidate : report.candidates) {
    if (!threat_.answered_by(candidate.move)) continue;
    if (best == nullptr || worth(candidate) > worth(*best)) best = &candidate;
  }
  if (best != nullptr) report.move = best->move;
}

// Reports the prover's move and line, which is shorter than that of other proven wins may be.
void TreeSearch::apply_root_win(Report& report) const {
  report.move = win_->line.front();
  report.plies = win_->plies;
  for (Candidate& candidate : report.candidates) {
    if (candidate.move != report.move) continue;
    candidate.line = win_->line;
    candidate.plies = win_->plies;
  }
}

Move TreeSearch::choice() const { return win_ ? win_->line.front() : tree_->node(best_child(root_node())).move; }

Report TreeSearch::report() const {
  Report report;
  for (const auto& worker : workers_) {
    report.iterations += worker->completed.load();
    report.nodes += worker->allocator.nodes.load();
  }
  const PositionCache* const cache = root_state_->position_cache();
  report.bytes = tree_->bytes() + (cache != nullptr ? cache->cache_bytes() : 0);
  report.seconds = limits_.seconds();
  report.stop = limits_.reason();
  report.memory_full = tree_->full();
  const Node& node = root_node();
  const int mover = node.player.load();
  if (outcomes_->known(node.outcome.load(), mover)) report.proven = outcomes_->score(node.outcome.load(), mover);

  const Edges& edges = tree_->edges(node.edges.load());
  for (std::uint32_t i = 0; i < edges.total; ++i) {
    report.candidates.push_back(describe(edges, i, mover));
    report.visits += report.candidates.back().visits;
  }
  report.move = tree_->node(best_child(node)).move;
  if (!win_) prefer_longest_defence(report);
  if (hooks_.tablebase != nullptr && !hidden_) apply_tablebase(report);
  if (win_) apply_root_win(report);
  std::stable_sort(report.candidates.begin(), report.candidates.end(), [&](const Candidate& a, const Candidate& b) {
    if ((a.move == report.move) != (b.move == report.move)) return a.move == report.move;
    if (a.visits != b.visits) return a.visits > b.visits;
    return a.value != b.value ? a.value > b.value : ends_better(a, b);
  });
  const Candidate& best = report.candidates.front();
  report.value = best.visits > 0 || best.proven ? best.value : 0.5;
  return report;
}

}  // namespace tesuji
