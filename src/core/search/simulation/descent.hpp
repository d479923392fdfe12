// The descent of a simulation: from the root, by the selection rule, to a leaf or an exact result.
#pragma once

#include "search/simulation/context.hpp"
#include "search/simulation/expansion.hpp"
#include "search/simulation/rave.hpp"
#include "search/simulation/solver.hpp"
#include "search/simulation/statistics.hpp"
#include "search/simulation/study.hpp"

namespace tesuji {

enum class DescentEnd {
  exact,    // at a terminal or proven node
  leaf,     // at a node that has to be evaluated
  blocked,  // at the root: another thread is adding the next child, and there is no other
};

class Descent {
 public:
  Descent(SearchContext& context, Expansion& expansion, Statistics& statistics, MctsSolver& solver, NodeStudy& study,
          const AmafStatistics& amaf)
      : context_(context),
        expansion_(expansion),
        statistics_(statistics),
        solver_(solver),
        study_(study),
        amaf_(amaf) {}

  // Sets worker.path, worker.trace and worker.state, and `result` if exact. Never waits: if blocked, nothing has been
  // counted, and the caller checks its limits and retries.
  DescentEnd descend(Worker& worker, Scores& result);

 private:
  std::uint32_t select(Worker& worker, const Node& node, Edges& edges, std::uint32_t visits, Outcome& proven_best);
  std::uint32_t try_next(Worker& worker, Edges& edges, int mover);
  std::uint32_t sample_chance_move(Worker& worker, const Edges& edges) const;

  SearchContext& context_;
  Expansion& expansion_;
  Statistics& statistics_;
  MctsSolver& solver_;
  NodeStudy& study_;
  const AmafStatistics& amaf_;
};

}  // namespace tesuji
