#include "search/simulation/rave.hpp"

#include <algorithm>
#include <limits>

#include "base/atomics.hpp"
#include "base/benign_race.hpp"

namespace tesuji {

namespace {

constexpr std::uint32_t inverse_share = 2;  // of the samples that may be held back

// Adds the score to every move that was played at or after `since`. Branchless, because the branch is unpredictable.
template <typename Moves>
TESUJI_BENIGN_RACE void credit(std::int32_t* amaf_sum, std::int32_t* amaf_visits, std::uint32_t count,
                               const Moves* moves, const std::uint32_t* stamps, std::uint32_t since,
                               std::int32_t score) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::int32_t played = -static_cast<std::int32_t>(stamps[moves[i]] >= since);
    amaf_sum[i] += score & played;
    amaf_visits[i] -= played;
  }
}

TESUJI_BENIGN_RACE void add_all(std::int32_t* to, const std::vector<std::int32_t>& from) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
}

}  // namespace

// The samples may exceed the kept visits: a simulation that finds no memory for a child updates the AMAF sums only.
void AmafStatistics::begin() {
  global_.clear();  // what earlier positions taught costs 95 Elo in Hex (docs/techniques.md)
  grow_global();
  root_samples_ = context_.kept_visits;
  const Edges& edges = context_.tree->edges(context_.root_node().edges.load(acquire));
  const Table table = context_.tree->table(edges);
  if (table.amaf_visits == nullptr || edges.total == 0) return;
  const std::int32_t most = *std::max_element(table.amaf_visits, table.amaf_visits + edges.total);
  root_samples_ = std::max(root_samples_, static_cast<std::uint64_t>(most));
}

// For native games only called before the threads start; for Python games under the GIL.
void AmafStatistics::grow_global() {
  if (context_.options.rave != Rave::global) return;
  const State& state = *context_.root_state;
  const std::size_t slots = state.move_limit() * static_cast<std::size_t>(state.players());
  while (global_.size() < slots) global_.emplace_back();
}

const float* AmafStatistics::global_means(Worker& worker, const Edges& edges, int mover, std::uint32_t count) const {
  const auto players = static_cast<std::size_t>(context_.outcomes->players());
  worker.means.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t slot = context_.tree->move_at(edges, i) * players + static_cast<std::size_t>(mover);
    const bool known = slot < global_.size() && global_[slot].visits.load(relaxed) > 0;
    worker.means[i] = static_cast<float>(known ? global_[slot].mean() : context_.rule.first_play());
  }
  return worker.means.data();
}

void AmafStatistics::learn(Worker& worker, const Scores& result) {
  switch (context_.options.rave) {
    case Rave::off:
      return;
    case Rave::global:
      return learn_global(worker, result);
    case Rave::node:
      return learn_along_path(worker, result);
  }
}

void AmafStatistics::learn_global(const Worker& worker, const Scores& result) {
  grow_global();
  const auto players = static_cast<std::size_t>(context_.outcomes->players());
  const bool shared = context_.options.threads > 1;
  for (const PlayedMove& played : worker.trace) {
    if (played.player == chance_player) continue;
    GlobalAmaf& amaf = global_[played.move * players + static_cast<std::size_t>(played.player)];
    add(amaf.score_sum, to_fixed(result[played.player]), shared);
    add(amaf.visits, 1, shared);
  }
}

// Where the next sample of a busy node is held back, or null if it is written to the tree.
HeldSamples* AmafStatistics::hold(Worker& worker, Index edges, std::uint32_t moves, std::uint64_t visits) {
  const std::uint32_t limit = held_back_limit(visits, context_.options.threads, inverse_share);
  HeldSamples& held = worker.held_samples.at(edges);
  const bool holds = held.edges == edges && held.samples > 0;
  if (!holds || held.samples >= limit) {
    if (holds || limit >= 2) flush(held);
    if (limit < 2) return nullptr;
    held.edges = edges;
    held.amaf_sum.assign(moves, 0);
    held.amaf_visits.assign(moves, 0);
  }
  ++held.samples;
  return &held;
}

void AmafStatistics::flush(HeldSamples& held) {
  if (held.samples == 0) return;
  const Table table = context_.tree->table(context_.tree->edges(held.edges));
  add_all(table.amaf_sum, held.amaf_sum);
  add_all(table.amaf_visits, held.amaf_visits);
  held.samples = 0;
}

void AmafStatistics::flush(Worker& worker) {
  for (HeldSamples& held : worker.held_samples) flush(held);
}

void AmafStatistics::learn_along_path(Worker& worker, const Scores& result) {
  const Tree& tree = *context_.tree;
  const std::size_t limit = worker.state->move_limit();
  const auto length = static_cast<std::uint32_t>(worker.trace.size());
  // Chance has slots, too, which are never read.
  const std::size_t slots = limit * (static_cast<std::size_t>(context_.outcomes->players()) + 1);
  if (worker.stamps.size() < slots || worker.clock > std::numeric_limits<std::uint32_t>::max() - length) {
    worker.stamps.assign(slots, 0);
    worker.clock = 1;
  }
  for (std::uint32_t i = 0; i < length; ++i) {
    const PlayedMove& played = worker.trace[i];
    worker.stamps[static_cast<std::size_t>(played.player + 1) * limit + played.move] = worker.clock + i;
  }
  const bool shared = context_.options.threads > 1;
  const Scores* scores = &result;
  for (auto depth = static_cast<std::uint32_t>(worker.path.size()); depth-- > 0;) {
    const Node& node = tree.node(worker.path[depth].node);
    const Index edges = node.edges.load(acquire);
    const std::uint64_t visits =
        depth == 0 ? root_samples_ + context_.root_visits(worker) - context_.kept_visits : node.visits.load(relaxed);
    const int mover = node.player.load(relaxed);
    if (edges != no_index && visits < AmafScale::most && mover != chance_player) {
      const std::uint32_t* const stamps = worker.stamps.data() + static_cast<std::size_t>(mover + 1) * limit;
      const auto score = static_cast<std::int32_t>((*scores)[mover] * AmafScale::one + 0.5);
      const Edges& of = tree.edges(edges);
      HeldSamples* const held = shared ? hold(worker, edges, of.total, visits) : nullptr;
      const Table table = tree.table(of);
      std::int32_t* const amaf_sum = held != nullptr ? held->amaf_sum.data() : table.amaf_sum;
      std::int32_t* const amaf_visits = held != nullptr ? held->amaf_visits.data() : table.amaf_visits;
      const std::uint32_t count = std::min(table.capacity, of.total);
      tree.with_moves(of, [&](const auto* moves) {
        credit(amaf_sum, amaf_visits, count, moves, stamps, worker.clock + depth, score);
      });
    }
    // As in Statistics::back_up().
    if (worker.path[depth].proven_best != unproven) scores = &context_.outcomes->scores(worker.path[depth].proven_best);
  }
  worker.clock += length;
}

}  // namespace tesuji
