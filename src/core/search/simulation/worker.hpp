// State of the threads of a Monte-Carlo tree search.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "base/ranking.hpp"
#include "game/knowledge.hpp"
#include "game/state.hpp"
#include "search/tree/held_back.hpp"
#include "search/tree/tree.hpp"

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
  using Step = PathStep;
  // The path of the current simulation.
  std::vector<Step> path;
  std::uint32_t root_position = Tree::no_position;  // the root child to descend into, if the caller chooses
  // With several threads.
  HeldBack<HeldVisits> held_visits;
  HeldBack<HeldSamples> held_samples;
  Trace trace;
  MoveList moves;
  std::vector<float> weights;
  std::vector<float> nearness;
  Ranking ranking;
  MoveList unordered;
  ThreatReplies threat;
  Prover::Study study;
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
