// RAVE (Gelly and Silver 2011): a move that was played later counts, for the player who made it, as if it had been
// played first. Per node, or in one table for the whole search; keyed by (player, move) either way.
#include <algorithm>
#include <limits>

#include "base/racy.hpp"
#include "search/atomics.hpp"
#include "search/mcts.hpp"

namespace tesuji {

namespace {

// Where threads share the tree, a node with so many visits learns from one simulation in 32: it has hundreds of
// samples of each move by then, and what one thread writes the others must fetch again.
constexpr std::uint32_t sampled_from = 512;
constexpr std::uint32_t sampling = 32;

// Adds the score to every move that was played since a moment. Without a branch: whether a move was played is a coin
// toss, and a wrong guess costs more than adding nothing.
template <typename Moves>
TESUJI_RACY_ON_PURPOSE void credit(const Table& table, std::uint32_t count, const Moves* moves,
                                   const std::uint32_t* stamps, std::uint32_t since, std::int32_t score) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::int32_t played = -static_cast<std::int32_t>(stamps[moves[i]] >= since);
    table.amaf_sum[i] += score & played;
    table.amaf_visits[i] -= played;
  }
}

}  // namespace

// A native game has all its slots from the start, so that threads never see the table grow; a Python game's search
// grows it with the interpreter's lock held.
void Mcts::grow_global_amaf() {
  if (options_.rave != Rave::global) return;
  const std::size_t slots = root_state_->move_limit() * static_cast<std::size_t>(root_state_->players());
  while (global_amaf_.size() < slots) global_amaf_.emplace_back();
}

// A simulation that finds no memory for a child counts for its node's sums and for no child's visits.
void Mcts::count_root_samples() {
  root_samples_ = kept_visits_;
  const Family& family = tree_->family(tree_->node(root_).family.load(acquire));
  const Table table = tree_->table(family);
  if (table.amaf_visits == nullptr || family.total == 0) return;
  const std::int32_t most = *std::max_element(table.amaf_visits, table.amaf_visits + family.total);
  root_samples_ = std::max(root_samples_, static_cast<std::uint64_t>(most));
}

const float* Mcts::global_means(Worker& worker, const Family& family, int mover, std::uint32_t count) const {
  const auto players = static_cast<std::size_t>(outcomes_->players());
  worker.means.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t slot = tree_->move_at(family, i) * players + static_cast<std::size_t>(mover);
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
    for (const Played& played : worker.trace) {
      if (played.player == chance_player) continue;
      GlobalAmaf& amaf = global_amaf_[played.move * players + static_cast<std::size_t>(played.player)];
      add(amaf.score_sum, to_fixed(result[played.player]), options_.threads > 1);
      add(amaf.visits, 1, options_.threads > 1);
    }
    return;
  }
  const auto length = static_cast<std::uint32_t>(worker.trace.size());
  // Chance has a place too, which nobody reads: simpler than to leave its moves out.
  const std::size_t slots = limit * (players + 1);
  if (worker.stamps.size() < slots || worker.clock > std::numeric_limits<std::uint32_t>::max() - length) {
    worker.stamps.assign(slots, 0);
    worker.clock = 1;
  }
  for (std::uint32_t i = 0; i < length; ++i) {
    const Played& played = worker.trace[i];
    worker.stamps[static_cast<std::size_t>(played.player + 1) * limit + played.move] = worker.clock + i;
  }
  const Scores* scores = &result;
  for (auto depth = static_cast<std::uint32_t>(worker.path.size()); depth-- > 0;) {
    const Node& node = tree_->node(worker.path[depth].node);
    const Index family = node.family.load(acquire);
    const std::uint64_t visits =
        depth == 0 ? root_samples_ + root_visits(worker) - kept_visits_ : node.visits.load(relaxed);
    const bool sampled = options_.threads > 1 && visits > sampled_from;
    const bool learns = visits < AmafScale::most && (!sampled || worker.completed.load(relaxed) % sampling == 0);
    const int mover = node.player.load(relaxed);
    if (family != no_index && learns && mover != chance_player) {
      const std::uint32_t* const stamps = worker.stamps.data() + static_cast<std::size_t>(mover + 1) * limit;
      const auto score = static_cast<std::int32_t>((*scores)[mover] * AmafScale::one + 0.5);
      const Family& of = tree_->family(family);
      const Table table = tree_->table(of);
      const std::uint32_t count = std::min(table.capacity, of.total);
      tree_->with_moves(of,
                        [&](const auto* moves) { credit(table, count, moves, stamps, worker.clock + depth, score); });
    }
    // As in back_up: above a proven move only its result counts.
    if (worker.path[depth].instead != unproven) scores = &outcomes_->scores(worker.path[depth].instead);
  }
  worker.clock += length;
}

}  // namespace tesuji
