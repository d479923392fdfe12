// State of the threads of a Monte-Carlo tree search.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "base/ranking.hpp"
#include "game/knowledge.hpp"
#include "game/state.hpp"
#include "search/tree/outcomes.hpp"
#include "search/tree/tree.hpp"

namespace tesuji {

// A node of a simulation's path, and its position among its parent's edges.
struct PathStep {
  Index node;
  Index edges;
  std::uint32_t position;
  Outcome proven_best;  // backed up above this node instead of the simulation's result: TreeSearch::select()
  std::uint64_t virtual_value = 0;  // added to the score sum while the simulation waits: TreeSearch::count_visit()
};

// Statistics that a thread has gathered but not yet written to the shared tree.
//
// What one thread writes, all others must fetch again. Near the root every thread passes through the same nodes, and
// with RAVE each writes a whole table there. So a thread collects the visits and AMAF samples of busy nodes and writes
// them in batches. All threads together have at most a given share of what the node already knows pending: a new node
// is written at once.

// The most that one of `threads` may have pending of a node with so many visits.
inline std::uint32_t pending_limit(std::uint64_t visits, int threads, std::uint32_t inverse_share) {
  constexpr std::uint64_t most = 32;
  return static_cast<std::uint32_t>(std::min(most, visits / (inverse_share * static_cast<std::uint32_t>(threads))));
}

struct PendingVisits {
  PathStep step{no_index, no_index, 0, unproven, 0};
  int chooser = 0;
  std::uint32_t visits = 0;  // 0: the place is free
  std::uint64_t score_sum = 0;

  // Whether the current simulation's visit of the node has not been written to the tree yet.
  bool of(Index node) const { return visits > 0 && step.node == node; }
};

struct PendingSamples {
  Index edges = no_index;
  std::uint32_t samples = 0;  // 0: the place is free
  std::vector<std::int32_t> amaf_sum;
  std::vector<std::int32_t> amaf_visits;
};

// A direct-mapped cache from indices of the tree to what is pending there.
template <typename Update>
class PendingUpdates {
 public:
  // The place for this index, perhaps occupied by another one.
  Update& at(Index index) { return places_[(index * 2654435769U) >> (32 - bits)]; }
  auto begin() { return places_.begin(); }
  auto end() { return places_.end(); }

 private:
  static constexpr int bits = 7;
  std::array<Update, std::size_t{1} << bits> places_;
};

// State and reusable buffers of one thread's simulations; with a network, of one simulation that may wait for it.
struct alignas(128) Worker {
  Worker(const State& root, std::uint64_t seed, std::uint64_t stream)
      : state(root.clone()), scratch(root.clone()), random(seed, stream) {
    // Large enough that no two workers' buffers share a cache line.
    path.reserve(buffer_size);
    moves.reserve(buffer_size);
    scores.resize(buffer_size);
    trace.reserve(buffer_size);
  }
  static constexpr std::size_t buffer_size = 512;

  std::unique_ptr<State> state;
  std::unique_ptr<State> scratch;
  Prover::Session* prover = nullptr;
  Random random;
  Tree::Allocator allocator;
  std::uint64_t claimed = 0;                        // simulations of the budget reserved for this worker
  std::atomic<std::uint64_t> completed{0};          // in this search
  std::vector<PathStep> path;                       // of the current simulation
  std::uint32_t root_position = Tree::no_position;  // the root child to descend into, if the caller chooses
  // With several threads.
  PendingUpdates<PendingVisits> pending_visits;
  PendingUpdates<PendingSamples> pending_samples;
  Trace trace;
  MoveList moves;
  std::vector<float> weights;
  std::vector<float> nearness;
  Ranking ranking;
  MoveList unordered;
  ThreatReplies threat;
  Prover::Findings findings;
  // RAVE: when each (player, move) was last played, chance first, on a clock that counts moves of all simulations.
  std::vector<std::uint32_t> stamps;
  std::uint32_t clock = 1;
  std::vector<std::int32_t> scores;
  std::vector<float> means;
  // Information-set search: the position of each move among the current node's edges.
  std::vector<std::uint32_t> positions;
  MoveList legal;
  std::vector<float> added_weights;
};

}  // namespace tesuji
