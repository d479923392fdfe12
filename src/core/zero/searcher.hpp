// One search with a network, for playing and analysing: several leaves of one tree wait in a batch.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "game/planes.hpp"
#include "search/host.hpp"
#include "search/mcts.hpp"
#include "zero/priors.hpp"

namespace tesuji::zero {

// The network's answers to the first `rows` rows of a batch.
struct Answers {
  const float* policy;
  const float* value;
};
using Evaluate = std::function<Answers(std::size_t rows)>;

class Searcher {
 public:
  // `symmetries`: the network sees every leaf in a random one.
  Searcher(const SearchOptions& options, Hooks hooks, std::shared_ptr<const Planes> planes, bool symmetries);

  // `images` has room for options.leaves positions.
  Report search(const State& root, const Budget& budget, bool reuse, float* images, const Evaluate& evaluate,
                Host& host);
  Report report() const { return search_.report(); }
  void cancel() { search_.cancel(); }
  // Drops all that has been learned: as new.
  void reset();
  std::uint64_t evaluations() const { return evaluations_; }  // of the last search
  const Planes& planes() const { return *planes_; }

 private:
  void run(const Budget& budget, float* images, const Evaluate& evaluate, Host& host);
  bool finished(const Budget& budget);
  void send(int slot, float* row);

  Mcts search_;
  std::shared_ptr<const Planes> planes_;
  NetworkPriors priors_;
  std::uint64_t seed_;
  Random random_;
  bool symmetries_;
  int leaves_;
  std::vector<int> seen_;  // the symmetries of the leaves that wait
  std::vector<float> image_;
  std::uint64_t evaluations_ = 0;
};

}  // namespace tesuji::zero
