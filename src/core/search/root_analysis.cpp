#include "search/root_analysis.hpp"

#include <algorithm>
#include <memory>

#include "base/atomics.hpp"

namespace tesuji {

namespace {

constexpr std::uint32_t probes_between_clock_reads = 16;  // for native games

}  // namespace

// Whether there is time to probe another move. At least a few milliseconds are used: enough for all moves of a native
// game.
bool RootAnalysis::may_probe(std::uint32_t probes) {
  SearchLimits& limits = context_.limits;
  if (limits.cancelled()) return false;
  if (!limits.slow() && probes % probes_between_clock_reads != 0) return true;
  const auto now = SearchLimits::Clock::now();
  if (now - last_poll_ < SearchLimits::poll_interval) return true;
  if (limits.out_of_time()) return false;
  last_poll_ = now;
  if (limits.monitor() != nullptr && !poll_within_batch(*limits.monitor())) limits.cancel();
  return !limits.cancelled();
}

void RootAnalysis::probe_moves(Worker& worker) {
  Tree& tree = *context_.tree;
  const ThreatResponse* const threats = context_.hooks.threat_response.get();
  Node& node = context_.root_node();
  threat_ = {};
  if (threats != nullptr && !context_.hidden) {
    worker.state->assign(*context_.root_state);
    threats->respond(*worker.state, threat_);
  }
  const Index edges_index = node.edges.load();
  Edges& edges = tree.edges(edges_index);
  const std::uint32_t limit = edges.limit.load(relaxed);
  std::uint32_t probes = 0;
  last_poll_ = SearchLimits::Clock::now();
  const auto look = [&](std::uint32_t position, bool again) {
    const Index index = tree.child_at(edges, position);
    if (index == no_index) return;
    Node& child = tree.node(index);
    const bool unknown = again || child.player.load() == player_unknown;
    if (unknown && (again || context_.probe_root_moves) && !context_.hidden && child.outcome.load() == unproven &&
        may_probe(probes++)) {
      worker.state->assign(*context_.root_state);
      worker.state->play(child.move);
      Scores ignored;
      expansion_.initialize(worker, child, ignored, again || position < limit);
    }
    context_.check_memory();
    statistics_.refresh(edges_index, position, index, node.player.load());
  };
  // All children first, so that a report during the probes is complete.
  context_.kept_visits = 0;
  for (std::uint32_t i = 0; i < edges.total; ++i) {
    const Index index = tree.ensure_child(worker.allocator, edges, i);
    if (index != no_index) context_.kept_visits += tree.node(index).visits.load();
  }
  amaf_.begin();
  if (!context_.probe_root_moves && worker.prover != nullptr && context_.solver) {
    study_.mark_losing_root_moves(worker);
  }
  for (std::uint32_t i = 0; i < edges.total; ++i) look(i, false);
  if (!context_.solver || solver_.prove(context_.root)) return;
  // All other moves lose: probe those that were set aside.
  if (worker.prover == nullptr || edges.limit.load(relaxed) == limit) return;
  for (std::uint32_t i = limit; i < edges.total; ++i) look(i, true);
  solver_.prove(context_.root);
}

void RootAnalysis::prove_win(SearchMonitor& monitor, const ProverBudget& share) {
  const Outcomes& outcomes = *context_.outcomes;
  win_.reset();
  const Node& node = context_.root_node();
  const Outcome known = node.outcome.load();
  if (context_.provers.empty() || (known != unproven && outcomes.score(known, node.player.load()) < 1.0)) return;
  study_.begin();
  win_ = study_.study_root();
  const auto go_on = [&] { return poll_within_batch(monitor) && !context_.limits.cancelled(); };
  if (!win_) win_ = context_.provers.front()->prove(*context_.root_state, Prover::Purpose::root, share, go_on);
  if (!win_) return;
  mark(win_->line.front(), 1.0);
}

void RootAnalysis::verify(Move move, SearchMonitor& monitor, const ProverBudget& budget) {
  if (context_.provers.empty() || std::find(verified_.begin(), verified_.end(), move) != verified_.end()) return;
  verified_.push_back(move);
  const std::unique_ptr<State> after = context_.root_state->clone();
  after->play(move);
  if (after->over() || context_.root_node().outcome.load() != unproven) return;
  const auto go_on = [&] { return poll_within_batch(monitor) && !context_.limits.cancelled(); };
  if (context_.provers.front()->prove(*after, Prover::Purpose::choice, budget, go_on)) mark(move, 0.0);
}

void RootAnalysis::prove_shortly(std::uint64_t effort) {
  if (context_.provers.empty() || context_.root_node().outcome.load() != unproven) return;
  const std::optional<Prover::Win> win =
      context_.provers.front()->prove(*context_.root_state, Prover::Purpose::selfplay, {0, effort}, {});
  if (win) mark(win->line.front(), 1.0);
}

bool RootAnalysis::refute_shortly(Move move, std::uint64_t effort) {
  if (context_.provers.empty() || context_.root_node().outcome.load() != unproven) return false;
  const std::unique_ptr<State> after = context_.root_state->clone();
  after->play(move);
  if (after->over() || !context_.provers.front()->prove(*after, Prover::Purpose::selfplay, {0, effort}, {})) {
    return false;
  }
  mark(move, 0.0);
  return true;
}

// Marks a move as proven, with the score of the side to move.
void RootAnalysis::mark(Move move, double score) {
  Tree& tree = *context_.tree;
  const Node& node = context_.root_node();
  const int mover = node.player.load();
  Scores scores{};
  scores[mover] = score;
  scores[1 - mover] = 1.0 - score;
  const Index edges_index = node.edges.load();
  const Edges& edges = tree.edges(edges_index);
  for (std::uint32_t i = 0; i < edges.total; ++i) {
    const Index child = tree.child_at(edges, i);
    if (child == no_index || tree.node(child).move != move) continue;
    tree.node(child).outcome.store(context_.outcomes->intern(scores));
    statistics_.refresh(edges_index, i, child, mover);
  }
  solver_.prove(context_.root);
}

}  // namespace tesuji
