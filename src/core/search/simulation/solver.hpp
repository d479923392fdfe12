// The MCTS solver (Winands, Björnsson and Saito 2008): backing up proven results by the rules of outcomes.hpp.
#pragma once

#include "search/simulation/context.hpp"

namespace tesuji {

class MctsSolver {
 public:
  explicit MctsSolver(SearchContext& context) : context_(context) {}

  // Tries to prove a node from its children; returns true if it is newly proven.
  bool prove(Index index);
  // Proves as many nodes of a path as the last one decides, upwards.
  void prove_path(const Worker& worker);
  // Whether a child is proven or inferior, so that it need not be visited.
  bool settled(const Node& child, int mover) const;
  // After SelectionRule::best(): the best unproven child, by the scores computed there.
  std::uint32_t best_unproven(const Worker& worker, const Edges& edges, int mover, std::uint32_t count) const;

 private:
  SearchContext& context_;
};

}  // namespace tesuji
