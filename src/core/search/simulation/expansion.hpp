// New nodes: the side to move or an exact result at the first visit, the moves at the expansion.
#pragma once

#include "search/simulation/context.hpp"

namespace tesuji {

class Expansion {
 public:
  explicit Expansion(SearchContext& context) : context_(context) {}

  // At the first visit of the position in worker.state: sets the side to move, or the exact result. Returns true if the
  // result is exact.
  bool initialize(Worker& worker, Node& node, Scores& result, bool ask_prover);
  // Lists and orders the moves of the position in worker.state. Returns the node's edges, or 0 if out of memory or
  // another thread is expanding it.
  Index expand(Worker& worker, Node& node, bool whole_table, const MoveOrdering* ordering);
  // Orders worker.moves by the hooks; returns how many may be tried for now.
  std::uint32_t order_moves(Worker& worker, const MoveOrdering* ordering, bool at_root) const;

 private:
  bool set_exact_result(Node& node, int player, const ExactResult& known, Scores& result);

  SearchContext& context_;
};

}  // namespace tesuji
