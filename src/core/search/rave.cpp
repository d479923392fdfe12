// RAVE (Gelly and Silver 2011): all-moves-as-first (AMAF) statistics.
#include <algorithm>
#include <limits>

#include "search/tree_search.hpp"

namespace tesuji {

namespace {

constexpr std::uint32_t inverse_share = 2;  // of the samples that may be pending

// Adds the score to every move that was played at or after `since`. Branchless, because the branch is unpredictable.
// `shared`: other threads may be doing the same.
template <bool shared, typename Moves>
void credit(std::int32_t* amaf_sum, std::int32_t* amaf_visits, std::uint32_t count, const Moves* moves,
            const std::uint32_t* stamps, std::uint32_t since, std::int32_t score) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::int32_t played = -static_cast<std::int32_t>(stamps[moves[i]] >= since);
    if constexpr (shared) {
      store(amaf_sum[i], load(amaf_sum[i]) + (score & played));
      store(amaf_visits[i], load(amaf_visits[i]) - played);
    } else {
      amaf_sum[i] += score & played;
      amaf_visits[i] -= played;
    }
  }
}

void add_all(std::int32_t* to, const std::vector<std::int32_t>& from) {
  for (std::size_t i = 0; i < from.size(); ++i) store(to[i], load(to[i]) + from[i]);
}

}  // namespace

// The samples may exceed the kept visits: a simulation that finds no memory for a child updates the AMAF sums only.
void TreeSearch::begin_amaf() {
  global_amaf_.clear();  // what earlier positions taught costs 95 Elo in Hex (docs/techniques.md)
  grow_global_amaf();
  root_samples_ = kept_visits_;
  const Edges& edges = tree_->edges(root_node().edges.load(acquire));
  const ChildTable table = tree_->table(edges);
  if (table.amaf_visits == nullptr || edges.total == 0) return;
  const std::int32_t most = *std::max_element(table.amaf_visits, table.amaf_visits + edges.total);
  root_samples_ = std::max(root_samples_, static_cast<std::uint64_t>(most));
}

// For native games only called before the threads start; for Python games under the GIL.
void TreeSearch::grow_global_amaf() {
  if (formula_.rave() != Rave::global) return;
  const State& state = *root_state_;
  const std::size_t size = state.move_limit() * static_cast<std::size_t>(state.players());
  while (global_amaf_.size() < size) global_amaf_.emplace_back();
}

const float* TreeSearch::global_means(Worker& worker, const Edges& edges, int mover, std::uint32_t count) const {
  worker.means.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const GlobalAmaf* const known = global_amaf(tree_->move_at(edges, i), mover);
    worker.means[i] = known != nullptr ? static_cast<float>(known->mean()) : formula_.first_play();
  }
  return worker.means.data();
}

void TreeSearch::learn_amaf(Worker& worker, const Scores& result) {
  switch (formula_.rave()) {
    case Rave::off:
      return;
    case Rave::global:
      return learn_global_amaf(worker, result);
    case Rave::node:
      return learn_amaf_along_path(worker, result);
  }
}

void TreeSearch::learn_global_amaf(const Worker& worker, const Scores& result) {
  grow_global_amaf();
  const auto players = static_cast<std::size_t>(outcomes_->players());
  const bool shared = threads_ > 1;
  for (const PlayedMove& played : worker.trace) {
    if (played.player == chance_player) continue;
    GlobalAmaf& amaf = global_amaf_[played.move * players + static_cast<std::size_t>(played.player)];
    add(amaf.score_sum, to_fixed(result[played.player]), shared);
    add(amaf.visits, 1, shared);
  }
}

// Where the next sample of a busy node waits, or null if it is written to the tree.
PendingSamples* TreeSearch::pending_samples(Worker& worker, Index edges, std::uint32_t moves, std::uint64_t visits) {
  const std::uint32_t limit = pending_limit(visits, threads_, inverse_share);
  PendingSamples& pending = worker.pending_samples.at(edges);
  const bool has = pending.edges == edges && pending.samples > 0;
  if (!has || pending.samples >= limit) {
    if (has || limit >= 2) flush(pending);
    if (limit < 2) return nullptr;
    pending.edges = edges;
    pending.amaf_sum.assign(moves, 0);
    pending.amaf_visits.assign(moves, 0);
  }
  ++pending.samples;
  return &pending;
}

void TreeSearch::flush(PendingSamples& pending) {
  if (pending.samples == 0) return;
  const ChildTable table = tree_->table(tree_->edges(pending.edges));
  add_all(table.amaf_sum, pending.amaf_sum);
  add_all(table.amaf_visits, pending.amaf_visits);
  pending.samples = 0;
}

void TreeSearch::learn_amaf_along_path(Worker& worker, const Scores& result) {
  const Tree& tree = *tree_;
  const std::size_t limit = worker.state->move_limit();
  const auto length = static_cast<std::uint32_t>(worker.trace.size());
  // Chance has places, too, which are never read.
  const std::size_t size = limit * (static_cast<std::size_t>(outcomes_->players()) + 1);
  if (worker.stamps.size() < size || worker.clock > std::numeric_limits<std::uint32_t>::max() - length) {
    worker.stamps.assign(size, 0);
    worker.clock = 1;
  }
  for (std::uint32_t i = 0; i < length; ++i) {
    const PlayedMove& played = worker.trace[i];
    worker.stamps[static_cast<std::size_t>(played.player + 1) * limit + played.move] = worker.clock + i;
  }
  const bool shared = threads_ > 1;
  const Scores* scores = &result;
  for (auto depth = static_cast<std::uint32_t>(worker.path.size()); depth-- > 0;) {
    const Node& node = tree.node(worker.path[depth].node);
    const Index edges = node.edges.load(acquire);
    const std::uint64_t visits =
        depth == 0 ? root_samples_ + root_visits(worker) - kept_visits_ : node.visits.load(relaxed);
    const int mover = node.player.load(relaxed);
    if (edges != no_index && visits < AmafScale::most && mover != chance_player) {
      const std::uint32_t* const stamps = worker.stamps.data() + static_cast<std::size_t>(mover + 1) * limit;
      const auto score = static_cast<std::int32_t>((*scores)[mover] * AmafScale::one + 0.5);
      const Edges& of = tree.edges(edges);
      PendingSamples* const pending = shared ? pending_samples(worker, edges, of.total, visits) : nullptr;
      const ChildTable table = tree.table(of);
      std::int32_t* const amaf_sum = pending != nullptr ? pending->amaf_sum.data() : table.amaf_sum;
      std::int32_t* const amaf_visits = pending != nullptr ? pending->amaf_visits.data() : table.amaf_visits;
      const std::uint32_t count = std::min(table.capacity, of.total);
      tree.with_moves(of, [&](const auto* moves) {
        const std::uint32_t since = worker.clock + depth;
        if (shared && pending == nullptr) {
          credit<true>(amaf_sum, amaf_visits, count, moves, stamps, since, score);
        } else {
          credit<false>(amaf_sum, amaf_visits, count, moves, stamps, since, score);
        }
      });
    }
    // As in back_up().
    if (worker.path[depth].proven_best != unproven) scores = &outcomes_->scores(worker.path[depth].proven_best);
  }
  worker.clock += length;
}

}  // namespace tesuji
