// Monte-Carlo tree search with playouts, for native and Python games alike.
//
// A simulation is PlayoutSearch::simulate(): the descent to a leaf, its evaluation by a playout (or by the value hook
// where the playout is cut off), and the backup; with RAVE the moves of the playout update the nodes above, too. Games
// with hidden information: information_set.cpp.
#pragma once

#include <exception>
#include <mutex>
#include <utility>

#include "search/tree_search.hpp"

namespace tesuji {

class PlayoutSearch : public TreeSearch {
 public:
  PlayoutSearch(const PlayoutOptions& options, Hooks hooks)
      : TreeSearch(options, std::move(hooks)), playout_depth_(options.playout_depth) {}

  // Searches this position. With `reuse`, the matching subtree of the previous search is kept.
  Report search(const State& root, const Budget& budget, SearchMonitor& monitor, bool reuse);

 private:
  void prepare(const State& root, SearchMonitor& monitor, bool reuse);
  void run_workers(SearchMonitor& monitor);
  void run(Worker& worker, SearchMonitor& monitor, bool calling_thread);
  bool may_simulate(Worker& worker);
  bool simulate(Worker& worker);
  bool evaluate(Worker& worker, Scores& result);

  const int playout_depth_;
  std::exception_ptr error_;
  std::mutex error_mutex_;
};

}  // namespace tesuji
