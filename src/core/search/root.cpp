// The root before the first simulation: immediate results of its moves, and forced wins found by the game's prover.
#include <algorithm>

#include "search/atomics.hpp"
#include "search/mcts.hpp"

namespace tesuji {

namespace {

constexpr std::uint32_t probes_between_clock_reads = 16;  // for native games

}  // namespace

// Whether there is time to probe another move. At least a few milliseconds are used: enough for all moves of a native
// game.
bool Mcts::may_probe(std::uint32_t probes) {
  if (cancelled_.load(relaxed)) return false;
  if (!slow_ && probes % probes_between_clock_reads != 0) return true;
  const auto now = Clock::now();
  if (now - last_poll_ < poll_interval) return true;
  if (out_of_time()) return false;
  last_poll_ = now;
  if (monitor_ != nullptr && !poll_within_batch(*monitor_)) cancel();
  return !cancelled_.load(relaxed);
}

// Creates all children, looks up threats and immediate results, and sets kept_visits_ to the sum of the children's
// visits. Moves for which there is no time are probed at their first visit.
void Mcts::probe_root_moves(Worker& worker) {
  Node& node = tree_->node(root_);
  root_threat_ = {};
  if (hooks_.threat_response != nullptr && !hidden_) {
    worker.state->assign(*root_state_);
    hooks_.threat_response->respond(*worker.state, root_threat_);
  }
  const Index edges_index = node.edges.load();
  Edges& edges = tree_->edges(edges_index);
  const std::uint32_t limit = edges.limit.load(relaxed);
  std::uint32_t probes = 0;
  last_poll_ = Clock::now();
  const auto look = [&](std::uint32_t position, bool again) {
    const Index index = tree_->child_at(edges, position);
    if (index == no_index) return;
    Node& child = tree_->node(index);
    const bool unknown = again || child.player.load() == player_unknown;
    if (unknown && !hidden_ && child.outcome.load() == unproven && may_probe(probes++)) {
      worker.state->assign(*root_state_);
      worker.state->play(child.move);
      Scores ignored;
      initialize_node(worker, child, ignored, again || position < limit);
    }
    check_memory();
    refresh(edges_index, position, index, node.player.load());
  };
  // All children first, so that a report during the probes is complete.
  kept_visits_ = 0;
  for (std::uint32_t i = 0; i < edges.total; ++i) {
    const Index index = tree_->ensure_child(worker.allocator, edges, i);
    if (index != no_index) kept_visits_ += tree_->node(index).visits.load();
  }
  count_root_samples();
  for (std::uint32_t i = 0; i < edges.total; ++i) look(i, false);
  if (!solver_ || prove(root_)) return;
  // All other moves lose: probe those that were set aside.
  if (worker.prover == nullptr || edges.limit.load(relaxed) == limit) return;
  for (std::uint32_t i = limit; i < edges.total; ++i) look(i, true);
  prove(root_);
}

// Marks the first move of a win that the prover finds as proven.
void Mcts::prove_root_win(SearchMonitor& monitor, double seconds) {
  root_win_.reset();
  const Node& node = tree_->node(root_);
  const Outcome known = node.outcome.load();
  if (provers_.empty() || (known != unproven && outcomes_->score(known, node.player.load()) < 1.0)) return;
  const auto go_on = [&] { return poll_within_batch(monitor) && !cancelled_.load(relaxed); };
  root_win_ = provers_.front()->prove(*root_state_, prover_time_share * seconds, go_on);
  if (!root_win_) return;
  const int mover = node.player.load();
  Scores scores{};
  scores[mover] = 1.0;
  const Index edges_index = node.edges.load();
  Edges& edges = tree_->edges(edges_index);
  for (std::uint32_t i = 0; i < edges.total; ++i) {
    const Index child = tree_->child_at(edges, i);
    if (child == no_index || tree_->node(child).move != root_win_->line.front()) continue;
    tree_->node(child).outcome.store(outcomes_->intern(scores));
    refresh(edges_index, i, child, mover);
  }
  prove(root_);
}

}  // namespace tesuji
