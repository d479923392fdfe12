// A Gumbel root (Danihelka, Guez, Schrittwieser and Silver 2022): the moves with the largest g + logit, g drawn from
// the Gumbel distribution, share the simulations by sequential halving; the best of them by g + logit + σ(q) is played.
// Even a few simulations improve the policy so, on average. The target is softmax(logits + σ(completed q)): moves that
// nobody tried count as what the position is worth.
#pragma once

#include <cstdint>
#include <vector>

#include "search/mcts.hpp"
#include "zero/options.hpp"

namespace tesuji::zero {

class GumbelRoot {
 public:
  // For a root that has its priors, and so many simulations to come.
  void begin(const Mcts& search, int simulations, const SelfPlayOptions& options, Random& random);
  // The position of the root's move that the next simulation goes to.
  std::uint32_t next(const Mcts& search);
  // The move to play.
  Move choice(const Mcts& search) const;
  // The improved policy, beside the moves.
  void target(const std::vector<Mcts::RootMove>& moves, double estimate, std::vector<double>& shares) const;

 private:
  struct Considered {
    std::uint32_t position;
    double score;              // g + logit
    std::uint32_t visits = 0;  // of this search, those that are on their way included
  };

  double improvement(double value, std::uint32_t most_visits) const {
    return (visits_constant_ + most_visits) * scale_ * value;
  }
  const Considered& best(const Mcts& search, std::uint32_t visits) const;

  double visits_constant_ = 50;
  double scale_ = 1;
  std::vector<Considered> considered_;
  std::vector<std::uint32_t> turns_;  // the visits of the move that is next, simulation by simulation
  std::size_t turn_ = 0;
};

}  // namespace tesuji::zero
