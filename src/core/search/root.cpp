// The root before the first simulation: what its moves lead to at once, and what the game's own prover makes of it.
#include <algorithm>

#include "search/atomics.hpp"
#include "search/mcts.hpp"

namespace tesuji {

namespace {

constexpr std::uint32_t looks_between_clock_reads = 16;  // where no Python is called

}  // namespace

// Whether there is time to look at another move. A few milliseconds there are always: enough for all moves of a native
// game.
bool Mcts::may_look_on(std::uint32_t looks) {
  if (cancelled_.load(relaxed)) return false;
  if (!slow_ && looks % looks_between_clock_reads != 0) return true;
  const auto now = Clock::now();
  if (now - last_poll_ < poll_interval) return true;
  if (out_of_time()) return false;
  last_poll_ = now;
  if (host_ != nullptr && !poll_within_batch(*host_)) cancel();
  return !cancelled_.load(relaxed);
}

// Finds what threatens and the moves that end the game at once, and makes the root's visits the sum of its children's.
// Moves for which there is no time are looked at when they are first visited.
void Mcts::look_at_root_moves(Worker& worker) {
  Node& node = tree_->node(root_);
  root_threat_ = {};
  if (hooks_.threat_response != nullptr && !hidden_) {
    worker.state->assign(*root_state_);
    hooks_.threat_response->respond(*worker.state, root_threat_);
  }
  const Index family_index = node.family.load();
  Family& family = tree_->family(family_index);
  const std::uint32_t limit = family.limit.load(relaxed);
  std::uint32_t looks = 0;
  last_poll_ = Clock::now();
  const auto look = [&](std::uint32_t position, bool again) {
    const Index index = tree_->child_at(family, position);
    if (index == no_index) return;
    Node& child = tree_->node(index);
    const bool unknown = again || child.player.load() == player_unknown;
    if (unknown && !hidden_ && child.outcome.load() == unproven && may_look_on(looks++)) {
      worker.state->assign(*root_state_);
      worker.state->play(child.move);
      Scores ignored;
      arrive(worker, child, ignored, again || position < limit);
    }
    watch_memory();
    refresh(family_index, position, index, node.player.load());
  };
  // All of them first: who asks for a report on the way finds the children there.
  kept_visits_ = 0;
  for (std::uint32_t i = 0; i < family.total; ++i) {
    const Index index = tree_->ensure_child(worker.allocator, family, i);
    if (index != no_index) kept_visits_ += tree_->node(index).visits.load();
  }
  count_root_samples();
  for (std::uint32_t i = 0; i < family.total; ++i) look(i, false);
  if (!solver_ || prove(root_)) return;
  // What is set aside is asked about when it is needed: all the others lose.
  if (worker.prover == nullptr || family.limit.load(relaxed) == limit) return;
  for (std::uint32_t i = limit; i < family.total; ++i) look(i, true);
  prove(root_);
}

// A win that the game's own prover finds: the first move of it is known to win.
void Mcts::prove_root_win(Host& host, double seconds) {
  root_win_.reset();
  const Node& node = tree_->node(root_);
  const Outcome known = node.outcome.load();
  if (provers_.empty() || (known != unproven && outcomes_->score(known, node.player.load()) < 1.0)) return;
  const auto go_on = [&] { return poll_within_batch(host) && !cancelled_.load(relaxed); };
  root_win_ = provers_.front()->prove(*root_state_, prover_share * seconds, go_on);
  if (!root_win_) return;
  const int mover = node.player.load();
  Scores scores{};
  scores[mover] = 1.0;
  const Index family_index = node.family.load();
  Family& family = tree_->family(family_index);
  for (std::uint32_t i = 0; i < family.total; ++i) {
    const Index child = tree_->child_at(family, i);
    if (child == no_index || tree_->node(child).move != root_win_->line.front()) continue;
    tree_->node(child).outcome.store(outcomes_->intern(scores));
    refresh(family_index, i, child, mover);
  }
  prove(root_);
}

}  // namespace tesuji
