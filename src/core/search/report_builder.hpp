// Builds the results of a search from its tree: candidates, the move to play, principal variations.
#pragma once

#include <deque>
#include <optional>

#include "game/knowledge.hpp"
#include "search/report.hpp"
#include "search/simulation/rave.hpp"
#include "search/tree/outcomes.hpp"
#include "search/tree/tree.hpp"

namespace tesuji {

class ReportBuilder {
 public:
  struct Root {
    const State& state;
    const Node& node;
    const ThreatReplies& threat;
    const std::optional<Prover::Win>& win;  // found by the prover
    bool hidden;                            // hidden information
  };
  ReportBuilder(const Tree& tree, const Outcomes& outcomes, const std::deque<GlobalAmaf>& global_amaf,
                const Tablebase* tablebase, const Root& root)
      : tree_(tree), outcomes_(outcomes), global_amaf_(global_amaf), tablebase_(tablebase), root_(root) {}

  // Sets the candidates, the chosen move, its value and what is proven.
  void fill(Report& report) const;
  // The move to play, by visits and proofs.
  Move best_move() const { return tree_.node(best_child(root_.node)).move; }

 private:
  Candidate describe(const Edges& edges, std::uint32_t position, int mover) const;
  void extend_line(Index from, MoveList& line) const;
  Index best_child(const Node& node) const;
  void prefer_longest_defence(Report& report) const;
  void apply_tablebase(Report& report) const;
  void apply_root_win(Report& report) const;

  const Tree& tree_;
  const Outcomes& outcomes_;
  const std::deque<GlobalAmaf>& global_amaf_;
  const Tablebase* tablebase_;
  Root root_;
};

}  // namespace tesuji
