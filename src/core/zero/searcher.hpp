// Search of one position with a network, for play and analysis: several leaves of one tree form a batch.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/search_monitor.hpp"
#include "game/planes.hpp"
#include "search/async_evaluation.hpp"
#include "zero/priors.hpp"

namespace tesuji::zero {

// The network's outputs for the rows of a batch.
struct NetworkOutputs {
  const float* policy;
  const float* value;
};
using Evaluate = std::function<NetworkOutputs(std::size_t rows)>;

class Searcher {
 public:
  // `symmetries`: encode every leaf under a random symmetry.
  Searcher(const SearchOptions& options, Hooks hooks, std::shared_ptr<const Planes> planes, bool symmetries);

  // `images` has room for options.leaves positions.
  Report search(const State& root, const Budget& budget, bool reuse, float* images, const Evaluate& evaluate,
                SearchMonitor& monitor);
  Report report() const { return search_.report(); }
  void cancel() { search_.cancel(); }
  // Discards the tree and restarts the random numbers.
  void reset();
  std::uint64_t evaluations() const { return evaluations_; }  // in the last search
  const Planes& planes() const { return *planes_; }

 private:
  void run(const Budget& budget, float* images, const Evaluate& evaluate, SearchMonitor& monitor);
  bool finished(const Budget& budget);
  void encode_leaf(int slot, float* row);

  AsyncMcts search_;
  std::shared_ptr<const Planes> planes_;
  NetworkPriors priors_;
  std::uint64_t seed_;
  Random random_;
  bool symmetries_;
  int leaves_;
  std::vector<int> seen_;     // symmetries of the pending leaves
  std::vector<float> image_;  // scratch: encoding a position fills its caches
  std::uint64_t evaluations_ = 0;
};

}  // namespace tesuji::zero
