// A linear prior: a softmax over the legal moves of summed weights of their codes,
//
//   P(m) ∝ exp(Σ w[code]),
//
// learned by conditional logistic regression (tesuji.learn). It orders moves and gives them weights; drawn from, it is
// a playout policy.
#pragma once

#include <memory>
#include <vector>

#include "game/knowledge.hpp"
#include "game/move_features.hpp"

namespace tesuji {

class LinearPrior final : public MoveOrdering {
 public:
  // Throws std::invalid_argument if the number of weights is not that of the codes.
  LinearPrior(std::shared_ptr<const MoveFeatures> features, std::shared_ptr<const CodeWeights> weights);

  // For each move the logit, in units of CodeWeights.
  bool logits(const State& state, const MoveList& moves, std::vector<std::int32_t>& sums) const override {
    features_->sum_codes(state, moves, weights_, sums);
    return true;
  }
  // Weights are relative to the largest, which is 1.
  void weigh(const State& state, const MoveList& moves, std::vector<float>& weights) const;
  void order(const State& state, MoveList& moves, std::vector<float>& weights, Random& random) const override;
  const MoveFeatures& features() const { return *features_; }

 private:
  std::shared_ptr<const MoveFeatures> features_;
  std::shared_ptr<const CodeWeights> weights_;
};

// Draws the moves of a playout from a prior.
class PriorPolicy final : public PlayoutPolicy {
 public:
  explicit PriorPolicy(std::shared_ptr<const LinearPrior> prior) : prior_(std::move(prior)) {}
  Move choose(const State& state, const MoveList& moves, Random& random) const override;
  const LinearPrior& prior() const { return *prior_; }

 private:
  std::shared_ptr<const LinearPrior> prior_;
};

}  // namespace tesuji
