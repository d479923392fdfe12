// The game's prover at the root and at busy nodes. The busier a node becomes, the harder it may be studied again.
//
// A position can be decided, moves can be lost, and moves can be inferior: no better than another move, so that the
// node is decided without them. Lost moves are proven; inferior ones are marked, and selection passes them over.
#pragma once

#include "search/simulation/context.hpp"
#include "search/simulation/solver.hpp"
#include "search/simulation/statistics.hpp"

namespace tesuji {

class NodeStudy {
 public:
  NodeStudy(SearchContext& context, Statistics& statistics, MctsSolver& solver)
      : context_(context), statistics_(statistics), solver_(solver) {}

  // Decides after how many visits nodes are studied, from the prover and the options.
  void begin();
  // Whether a node has become busy; asked at every step of every descent.
  bool due(const Node& node, std::uint32_t visits) const {
    return visits >= context_.study_at[node.marks.load(relaxed) & mark::studies];
  }
  // Studies the expanded node of the position in worker.state. Returns true if it is proven, and sets the result.
  bool study(Worker& worker, Index index, std::uint32_t visits, Scores& result);
  // At the root: returns a win. In a lost position nothing is studied, so that the search finds the best resistance.
  std::optional<Prover::Win> study_root();
  // Quickly, in self-play: marks the root's moves that do not stop the opponent's threat.
  void mark_losing_root_moves(Worker& worker);

 private:
  double evaluations(std::uint32_t visits) const;
  void mark_moves(Worker& worker, const Node& node, const Prover::Study& found);

  SearchContext& context_;
  Statistics& statistics_;
  MctsSolver& solver_;
};

}  // namespace tesuji
