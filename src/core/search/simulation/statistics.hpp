// Visits and scores of the tree: counted during the descent (a virtual loss), completed during the backup.
//
// With several pending leaves, a node is lent its mean score until the result arrives, and a node without a result the
// value of an untried move: pending simulations make it less worth exploring, but not worse (Liu et al., Watch the
// unobserved, 2020). If a pending leaf counted as lost, the next simulation would go to its worse sibling rather than
// elsewhere in the tree: with 4 leaves at a time and 60 visits, that cost 75 Elo in Hex.
//
// The nodes hold the truth; refresh() copies what selection needs into the parent's table. With several threads, the
// visits of busy nodes are written in batches (held_back.hpp).
#pragma once

#include "search/simulation/context.hpp"

namespace tesuji {

class Statistics {
 public:
  explicit Statistics(SearchContext& context) : context_(context) {}

  // Updates a child's entry in its parent's table.
  void refresh(Index edges, std::uint32_t position, Index child, int mover);
  // Counts a visit during the descent; returns the node's visits.
  std::uint32_t count_visit(Worker& worker, Worker::Step& step, int chooser);
  // Adds the result of a simulation to the nodes of its path.
  void back_up(Worker& worker, const Scores& result);
  // Takes back the visits of a simulation without a result.
  void undo(Worker& worker);
  // Writes the visits that a worker has held back.
  void flush(Worker& worker);

 private:
  void flush(HeldVisits& held);
  std::uint64_t first_loan(const Worker& worker, const Worker::Step& step) const;

  SearchContext& context_;
};

}  // namespace tesuji
