// The parts of a Monte-Carlo tree search, and its root: preparing it, and reporting on it. Mcts runs simulations on it
// with playouts, AsyncMcts with evaluations by the caller.
#pragma once

#include "search/report.hpp"
#include "search/report_builder.hpp"
#include "search/root_analysis.hpp"
#include "search/simulation/context.hpp"
#include "search/simulation/descent.hpp"
#include "search/simulation/expansion.hpp"
#include "search/simulation/information_set.hpp"
#include "search/simulation/rave.hpp"
#include "search/simulation/solver.hpp"
#include "search/simulation/statistics.hpp"
#include "search/simulation/study.hpp"

namespace tesuji {

class TreeSearch {
 public:
  TreeSearch(const SearchOptions& options, Hooks hooks);

  // Makes this position the root. With `reuse`, the matching subtree of the previous search is kept.
  void prepare_root(const State& state, bool reuse);
  // Adds a simulation's result to the nodes of its path.
  void back_up(Worker& worker, const Scores& result) {
    statistics.back_up(worker, result);
    amaf.learn(worker, result);
  }
  // The results so far.
  Report report() const;
  // The move to play.
  Move choice() const;
  // Discards the tree.
  void forget();
  // Discards the tree and the provers' tables.
  void reset();

  SearchContext context;
  Statistics statistics;
  MctsSolver solver;
  NodeStudy study;
  AmafStatistics amaf;
  Expansion expansion;
  Descent descent;
  InformationSetDescent information_set;
  RootAnalysis root;

 private:
  void make_workers();
  void rebuild_tree(Index kept);
  ReportBuilder report_builder() const;
};

}  // namespace tesuji
