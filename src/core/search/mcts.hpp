// Monte-Carlo tree search, for native and Python games alike.
//
// A simulation copies the root position, descends by the selection rule (selection.hpp) to a leaf, evaluates it by a
// playout (or by the value hook where the playout is cut off), and backs the result up. With RAVE the moves of the
// playout update the nodes above, too. Proven results are backed up by the rules of outcomes.hpp.
//
// The root is expanded, and its moves are checked for immediate ends of the game, before the first simulation. So every
// simulation passes through a child of the root, a win in one is never missed, and the children's visits sum to the
// root's.
//
// Chance nodes sample an outcome. Games with hidden information: information_set.hpp.
//
// Threads share the tree. Visits are counted during the descent and scores during backup, so that a path looks worse
// while another thread is on it (virtual loss).
#pragma once

#include <exception>
#include <mutex>

#include "base/search_monitor.hpp"
#include "game/knowledge.hpp"
#include "game/state.hpp"
#include "search/options.hpp"
#include "search/report.hpp"
#include "search/tree_search.hpp"

namespace tesuji {

class Mcts {
 public:
  Mcts(const SearchOptions& options, Hooks hooks) : search_(options, std::move(hooks)) {}

  // Searches this position. With `reuse`, the matching subtree of the previous search is kept.
  Report search(const State& root, const Budget& budget, SearchMonitor& monitor, bool reuse);
  // The results so far; may be called from SearchMonitor::poll().
  Report report() const { return search_.report(); }
  // Stops a running search soon; may be called from any thread.
  void cancel() { limits().cancel(); }
  // Discards the tree and the provers' tables.
  void reset() { search_.reset(); }

 private:
  SearchContext& context() { return search_.context; }
  SearchLimits& limits() { return search_.context.limits; }
  void prepare(const State& root, SearchMonitor& monitor, bool reuse);
  void run_workers(SearchMonitor& monitor);
  void run(Worker& worker, SearchMonitor& monitor, bool calling_thread);
  bool may_simulate(Worker& worker);
  bool simulate(Worker& worker);
  bool evaluate(Worker& worker, Scores& result);

  TreeSearch search_;
  std::exception_ptr error_;
  std::mutex error_mutex_;
};

}  // namespace tesuji
