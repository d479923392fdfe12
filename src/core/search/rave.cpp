// RAVE (Gelly and Silver 2011): all-moves-as-first statistics, keyed by (player, move), per node or for the whole
// search.
#include <algorithm>
#include <limits>

#include "base/benign_race.hpp"
#include "search/atomics.hpp"
#include "search/mcts.hpp"

namespace tesuji {

namespace {

// With several threads, a node with more visits than this learns from one simulation in 32 only, to reduce contention:
// it has hundreds of samples of each move by then.
constexpr std::uint32_t sampled_from = 512;
constexpr std::uint32_t sampling = 32;

// Adds the score to every move that was played at or after `since`. Branchless, because the branch is unpredictable.
template <typename Moves>
TESUJI_BENIGN_RACE void credit(const Table& table, std::uint32_t count, const Moves* moves, const std::uint32_t* stamps,
                               std::uint32_t since, std::int32_t score) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::int32_t played = -static_cast<std::int32_t>(stamps[moves[i]] >= since);
    table.amaf_sum[i] += score & played;
    table.amaf_visits[i] -= played;
  }
}

}  // namespace

// For native games only called before the threads start; for Python games under the GIL.
void Mcts::grow_global_amaf() {
  if (options_.rave != Rave::global) return;
  const std::size_t slots = root_state_->move_limit() * static_cast<std::size_t>(root_state_->players());
  while (global_amaf_.size() < slots) global_amaf_.emplace_back();
}

// May exceed the kept visits: a simulation that finds no memory for a child updates the AMAF sums only.
void Mcts::count_root_samples() {
  root_samples_ = kept_visits_;
  const Edges& edges = tree_->edges(tree_->node(root_).edges.load(acquire));
  const Table table = tree_->table(edges);
  if (table.amaf_visits == nullptr || edges.total == 0) return;
  const std::int32_t most = *std::max_element(table.amaf_visits, table.amaf_visits + edges.total);
  root_samples_ = std::max(root_samples_, static_cast<std::uint64_t>(most));
}

const float* Mcts::global_means(Worker& worker, const Edges& edges, int mover, std::uint32_t count) const {
  const auto players = static_cast<std::size_t>(outcomes_->players());
  worker.means.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t slot = tree_->move_at(edges, i) * players + static_cast<std::size_t>(mover);
    const bool known = slot < global_amaf_.size() && global_amaf_[slot].visits.load(relaxed) > 0;
    worker.means[i] = static_cast<float>(known ? global_amaf_[slot].mean() : rule_.first_play());
  }
  return worker.means.data();
}

void Mcts::learn_amaf(Worker& worker, const Scores& result) {
  const auto players = static_cast<std::size_t>(outcomes_->players());
  const std::size_t limit = worker.state->move_limit();
  if (options_.rave == Rave::global) {
    grow_global_amaf();
    for (const PlayedMove& played : worker.trace) {
      if (played.player == chance_player) continue;
      GlobalAmaf& amaf = global_amaf_[played.move * players + static_cast<std::size_t>(played.player)];
      add(amaf.score_sum, to_fixed(result[played.player]), options_.threads > 1);
      add(amaf.visits, 1, options_.threads > 1);
    }
    return;
  }
  const auto length = static_cast<std::uint32_t>(worker.trace.size());
  // Chance has slots, too, which are never read.
  const std::size_t slots = limit * (players + 1);
  if (worker.stamps.size() < slots || worker.clock > std::numeric_limits<std::uint32_t>::max() - length) {
    worker.stamps.assign(slots, 0);
    worker.clock = 1;
  }
  for (std::uint32_t i = 0; i < length; ++i) {
    const PlayedMove& played = worker.trace[i];
    worker.stamps[static_cast<std::size_t>(played.player + 1) * limit + played.move] = worker.clock + i;
  }
  const Scores* scores = &result;
  for (auto depth = static_cast<std::uint32_t>(worker.path.size()); depth-- > 0;) {
    const Node& node = tree_->node(worker.path[depth].node);
    const Index edges = node.edges.load(acquire);
    const std::uint64_t visits =
        depth == 0 ? root_samples_ + root_visits(worker) - kept_visits_ : node.visits.load(relaxed);
    const bool sampled = options_.threads > 1 && visits > sampled_from;
    const bool learns = visits < AmafScale::most && (!sampled || worker.completed.load(relaxed) % sampling == 0);
    const int mover = node.player.load(relaxed);
    if (edges != no_index && learns && mover != chance_player) {
      const std::uint32_t* const stamps = worker.stamps.data() + static_cast<std::size_t>(mover + 1) * limit;
      const auto score = static_cast<std::int32_t>((*scores)[mover] * AmafScale::one + 0.5);
      const Edges& of = tree_->edges(edges);
      const Table table = tree_->table(of);
      const std::uint32_t count = std::min(table.capacity, of.total);
      tree_->with_moves(of,
                        [&](const auto* moves) { credit(table, count, moves, stamps, worker.clock + depth, score); });
    }
    // As in back_up().
    if (worker.path[depth].proven_best != unproven) scores = &outcomes_->scores(worker.path[depth].proven_best);
  }
  worker.clock += length;
}

}  // namespace tesuji
