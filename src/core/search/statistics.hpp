// Visits and scores of the tree: counted during the descent (a virtual loss), completed during the backup.
//
// The nodes hold the truth; refresh() copies what selection needs into the parent's table. With several threads, the
// visits of busy nodes are written in batches (held_back.hpp).
#pragma once

#include "search/context.hpp"

namespace tesuji {

class Statistics {
 public:
  explicit Statistics(SearchContext& context) : context_(context) {}

  // Updates a child's entry in its parent's table.
  void refresh(Index edges, std::uint32_t position, Index child, int mover) const;
  // Counts a visit during the descent; returns the node's visits.
  std::uint32_t count_visit(Worker& worker, const Worker::Step& step, int chooser) const;
  // Adds the result of a simulation to the nodes of its path.
  void back_up(Worker& worker, const Scores& result) const;
  // Takes back the visits of a simulation without a result.
  void undo(Worker& worker) const;
  // Writes the visits that a worker has held back.
  void flush(Worker& worker) const;

 private:
  void flush(HeldVisits& held) const;

  SearchContext& context_;
};

}  // namespace tesuji
