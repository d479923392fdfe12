// Single-observer information-set MCTS (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search",
// 2012).
//
// Every simulation starts from a fresh determinization: a state consistent with what the side to move has seen. All
// simulations share one tree, whose nodes are move sequences. The legal moves of a node, and even the side to move,
// differ between simulations: only moves that are legal now are selected, and new ones are added to the node. The
// selection rule counts how often a move was available:
//
//   score = Q + C·√(ln(N + 1) / n) + …,   N: visits of the node in which the move was legal
//
// Nothing is proven, because a determinization may differ from the real state. For the same reason urgent threats and
// proximity only order the moves. Single-threaded.
#pragma once

#include "search/simulation/context.hpp"
#include "search/simulation/descent.hpp"
#include "search/simulation/expansion.hpp"
#include "search/simulation/rave.hpp"
#include "search/simulation/statistics.hpp"

namespace tesuji {

class InformationSetDescent {
 public:
  InformationSetDescent(SearchContext& context, Expansion& expansion, Statistics& statistics,
                        const AmafStatistics& amaf)
      : context_(context), expansion_(expansion), statistics_(statistics), amaf_(amaf) {}

  // Makes worker.state a random state that the side to move cannot tell from the real one.
  void determinize(Worker& worker) const;
  // As Descent::descend(); node.player is the side to move in this simulation.
  DescentEnd descend(Worker& worker, Scores& result);

 private:
  Index list_available_moves(Worker& worker, Index at, int mover);
  std::uint32_t select_available(Worker& worker, const Edges& edges, int mover);

  SearchContext& context_;
  Expansion& expansion_;
  Statistics& statistics_;
  const AmafStatistics& amaf_;
};

}  // namespace tesuji
