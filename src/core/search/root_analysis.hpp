// The root before the first simulation: immediate results of its moves, and forced wins found by the game's prover.
#pragma once

#include <optional>

#include "search/simulation/context.hpp"
#include "search/simulation/expansion.hpp"
#include "search/simulation/rave.hpp"
#include "search/simulation/solver.hpp"
#include "search/simulation/statistics.hpp"
#include "search/simulation/study.hpp"

namespace tesuji {

class RootAnalysis {
 public:
  RootAnalysis(SearchContext& context, Expansion& expansion, Statistics& statistics, MctsSolver& solver,
               NodeStudy& study, AmafStatistics& amaf)
      : context_(context),
        expansion_(expansion),
        statistics_(statistics),
        solver_(solver),
        study_(study),
        amaf_(amaf) {}

  // Creates all children of the expanded root, looks up threats and immediate results, and sets kept_visits to the sum
  // of the children's visits. Moves for which there is no time are probed at their first visit.
  void probe_moves(Worker& worker);
  // Studies the root and searches for a forced win with the game's prover, in a share of the search's budget (0: no
  // limit), and marks its first move as proven.
  void prove_win(SearchMonitor& monitor, const ProverBudget& share);
  // Asks the prover whether the opponent wins after this move, once in a search; if so, the move is marked as lost.
  void verify(Move move, SearchMonitor& monitor, const ProverBudget& budget);
  // In little time, with an effort in playouts: a win at the root, or the opponent's after this move, is marked. The
  // second returns whether there is one.
  void prove_shortly(std::uint64_t effort);
  bool refute_shortly(Move move, std::uint64_t effort);
  void forget() {
    win_.reset();
    verified_.clear();
  }

  const ThreatReplies& threat() const { return threat_; }
  const std::optional<Prover::Win>& win() const { return win_; }

 private:
  bool may_probe(std::uint32_t probes);
  void mark(Move move, double score);

  SearchContext& context_;
  Expansion& expansion_;
  Statistics& statistics_;
  MctsSolver& solver_;
  NodeStudy& study_;
  AmafStatistics& amaf_;
  ThreatReplies threat_;
  std::optional<Prover::Win> win_;
  MoveList verified_;
  SearchLimits::Clock::time_point last_poll_;
};

}  // namespace tesuji
