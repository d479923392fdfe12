// Monte-Carlo tree search by several trees of one position, which share the threads, the simulations and the memory;
// the visits of the root's moves are added (root parallelization: Chaslot, Winands and van den Herik, Parallel
// Monte-Carlo tree search, 2008). Threads of different trees never wait for each other, but each tree is smaller.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "search/playout_search.hpp"

namespace tesuji {

// How many trees are best for a search with these options and hooks: docs/search.md has the matches.
int count_trees(const PlayoutOptions& options, const Hooks& hooks);

class RootParallel {
 public:
  // `seeds`: of the trees after the first, at least `trees - 1`.
  RootParallel(const PlayoutOptions& options, const Hooks& hooks, int trees, const std::vector<std::uint64_t>& seeds);

  // As for PlayoutSearch. If the first tree proves the result, its report is the result.
  Report search(const State& root, const Budget& budget, SearchMonitor& monitor, bool reuse);
  // The results of the first tree so far; may be called from SearchMonitor::poll().
  Report report() const { return trees_.front()->report(); }
  void cancel() { trees_.front()->cancel(); }
  void reset();

  int trees() const { return static_cast<int>(trees_.size()); }

 private:
  std::vector<std::unique_ptr<PlayoutSearch>> trees_;
};

}  // namespace tesuji
