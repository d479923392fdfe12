// Gumbel root search (Danihelka, Guez, Schrittwieser and Silver 2022): the moves with the largest g + logit, where g is
// Gumbel noise, share the simulations by sequential halving; the best by g + logit + σ(q) is played. This improves the
// policy in expectation even with few simulations. The policy target is softmax(logits + σ(completed q)), where untried
// moves get the mixed value of the position.
#pragma once

#include <cstdint>
#include <vector>

#include "search/network_search.hpp"
#include "zero/options.hpp"

namespace tesuji::zero {

class GumbelRoot {
 public:
  // For an evaluated root and a number of simulations.
  void begin(const NetworkSearch& search, int simulations, const SelfPlayOptions& options, Random& random);
  // The index, among the root's moves, of the move for the next simulation.
  std::uint32_t next(const NetworkSearch& search);
  // The move to play.
  Move choice(const NetworkSearch& search) const;
  // The improved policy, in parallel to the moves.
  void target(const std::vector<NetworkSearch::RootMove>& moves, double estimate, std::vector<double>& shares) const;

 private:
  struct Considered {
    std::uint32_t position;
    double score;              // g + logit
    std::uint32_t visits = 0;  // in this search, including pending ones
  };

  double improvement(double value, std::uint32_t max_visits) const {
    return (visits_constant_ + max_visits) * scale_ * value;
  }
  const Considered& best(const NetworkSearch& search, std::uint32_t visits) const;

  double visits_constant_ = 50;
  double scale_ = 1;
  std::vector<Considered> considered_;
  std::vector<std::uint32_t> turns_;  // for each simulation, the visit count of the moves it chooses among
  std::size_t turn_ = 0;
  mutable std::vector<NetworkSearch::RootMove> moves_;  // the considered ones, in best()
};

}  // namespace tesuji::zero
