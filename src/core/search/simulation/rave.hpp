// RAVE (Gelly and Silver 2011): all-moves-as-first (AMAF) statistics, keyed by (player, move), per node or for the
// whole search. With several threads, the samples of busy nodes are written in batches (held_back.hpp).
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>

#include "search/simulation/context.hpp"

namespace tesuji {

// AMAF statistics of a (move, player) pair over the whole search.
struct GlobalAmaf {
  std::atomic<std::uint64_t> visits{0};
  std::atomic<std::uint64_t> score_sum{0};
  double mean() const {
    return static_cast<double>(score_sum.load()) / score_scale / static_cast<double>(visits.load());
  }
};

class AmafStatistics {
 public:
  explicit AmafStatistics(SearchContext& context) : context_(context) {}

  // Before the first simulation, once the root is expanded and its kept visits are counted.
  void begin();
  // Learns from the moves of a simulation.
  void learn(Worker& worker, const Scores& result);
  // Writes the samples that a worker has held back.
  void flush(Worker& worker);
  // With rave=global: the means of a node's first `count` moves, in worker.means.
  const float* global_means(Worker& worker, const Edges& edges, int mover, std::uint32_t count) const;
  // By move, then player; empty unless rave=global.
  const std::deque<GlobalAmaf>& global() const { return global_; }

 private:
  void grow_global();
  void learn_global(const Worker& worker, const Scores& result);
  void learn_along_path(Worker& worker, const Scores& result);
  HeldSamples* hold(Worker& worker, Index edges, std::uint32_t moves, std::uint64_t visits);
  void flush(HeldSamples& held);

  SearchContext& context_;
  std::uint64_t root_samples_ = 0;  // upper bound of the root's samples when the search began
  std::deque<GlobalAmaf> global_;   // grows with a Python game's moves
};

}  // namespace tesuji
