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

#include "search/context.hpp"
#include "search/descent.hpp"
#include "search/expansion.hpp"
#include "search/rave.hpp"
#include "search/statistics.hpp"

namespace tesuji {

class InformationSetDescent {
 public:
  InformationSetDescent(SearchContext& context, const Expansion& expansion, const Statistics& statistics,
                        const AmafStatistics& amaf)
      : context_(context), expansion_(expansion), statistics_(statistics), amaf_(amaf) {}

  // Makes worker.state a random state that the side to move cannot tell from the real one.
  void determinize(Worker& worker) const;
  // As Descent::descend(); node.player is the side to move in this simulation.
  DescentEnd descend(Worker& worker, Scores& result) const;

 private:
  Index list_available_moves(Worker& worker, Index at, int mover) const;
  std::uint32_t select_available(Worker& worker, const Edges& edges, int mover) const;

  SearchContext& context_;
  const Expansion& expansion_;
  const Statistics& statistics_;
  const AmafStatistics& amaf_;
};

}  // namespace tesuji
