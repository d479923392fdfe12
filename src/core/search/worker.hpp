// State of the threads of a Monte-Carlo tree search.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "base/ranking.hpp"
#include "game/knowledge.hpp"
#include "game/state.hpp"
#include "search/outcomes.hpp"
#include "search/tree.hpp"

namespace tesuji {

// State and reusable buffers of one thread's simulations.
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
  std::uint64_t claimed = 0;                // simulations of the budget reserved for this worker
  std::atomic<std::uint64_t> completed{0};  // in this search
  // The path of the current simulation: each node, and its position among its parent's edges.
  struct Step {
    Index node;
    Index edges;
    std::uint32_t position;
    Outcome proven_best;  // backed up above this node instead of the simulation's result: see Descent::select()
  };
  std::vector<Step> path;
  std::uint32_t root_position = Tree::no_position;  // the root child to descend into, if the caller chooses
  // Visits of busy nodes, by depth, not yet written to the tree.
  struct Pending {
    Step step{no_index, no_index, 0, unproven};
    int chooser = 0;
    std::uint32_t visits = 0;
    std::uint64_t score_sum = 0;
  };
  std::array<Pending, 32> pending;
  Trace trace;
  MoveList moves;
  std::vector<float> weights;
  std::vector<float> nearness;
  Ranking ranking;
  MoveList unordered;
  ThreatReplies threat;
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
