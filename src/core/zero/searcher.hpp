// Search of one position with a network, for play and analysis: several leaves of one tree form a batch.
//
// With several groups of leaves, one group is collected while the others are being evaluated. Results are taken in the
// order of the groups, whichever is finished first: a search depends on the number of groups, but not on timing.
#pragma once

#include <memory>
#include <vector>

#include "base/search_monitor.hpp"
#include "game/planes.hpp"
#include "search/network_search.hpp"
#include "zero/evaluation_cache.hpp"
#include "zero/priors.hpp"

namespace tesuji::zero {

// The network's outputs for the rows of a batch.
struct NetworkOutputs {
  const float* policy;
  const float* value;
};

// Evaluates groups of leaves, each with an array of images of its own.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  // Has room for the leaves of a group.
  virtual float* images(int group) = 0;
  // Starts the evaluation of a group's first rows.
  virtual void start(int group, std::size_t rows) = 0;
  // Waits for its outputs, which are valid until the next start().
  virtual NetworkOutputs finish(int group) = 0;
};

class Searcher {
 public:
  // `options` are those of one group. `symmetries`: encode every leaf under a random symmetry.
  Searcher(NetworkOptions options, Hooks hooks, std::shared_ptr<const Planes> planes, bool symmetries, int groups);

  Report search(const State& root, const Budget& budget, bool reuse, Evaluator& evaluator, SearchMonitor& monitor);
  Report report() const { return search_.report(); }
  void cancel() { search_.cancel(); }
  // Discards the tree and restarts the random numbers.
  void reset();
  std::uint64_t evaluations() const { return evaluations_; }  // in the last search
  const Planes& planes() const { return *planes_; }

 private:
  void run(const Budget& budget, Evaluator& evaluator, SearchMonitor& monitor);
  void collect(int group, const Budget& budget, Evaluator& evaluator);
  void receive(int group, Evaluator& evaluator);
  void resume(int row, const NetworkOutput& output);
  double part_used(const Budget& budget) const;
  Stop reason_to_stop(const Budget& budget) const;

  NetworkSearch search_;
  std::shared_ptr<const Planes> planes_;
  NetworkPriors priors_;
  std::uint64_t seed_;
  Random random_;
  bool symmetries_;
  int batch_size_;  // of a group
  bool full_batches_;
  std::vector<std::vector<int>> seen_;  // symmetries of the waiting leaves, by group
  std::uint64_t waiting_ = 0;           // leaves of all groups
  std::vector<float> image_;            // scratch: encoding a position fills its caches
  EvaluationCache cache_;
  std::uint64_t evaluations_ = 0;
};

}  // namespace tesuji::zero
