// Linear models of a game's features, learned by logistic regression (tesuji.learn).
//
// A linear value: the log-odds that the side to move wins, as a weighted sum of standardised features and of codes,
//
//   V = θ·(φ − μ)/(σ + ε) + Σ w[code] + b.
//
// Training reports and bots both use LinearWeights::logit, so that their values agree bit for bit.
//
// A linear prior: a softmax over the legal moves of summed weights of their codes,
//
//   P(m) ∝ exp(Σ w[code]).
//
// It orders moves and gives them weights; drawn from, it is a playout policy.
#pragma once

#include <memory>
#include <vector>

#include "game/features.hpp"
#include "game/knowledge.hpp"

namespace tesuji {

class LinearWeights {
 public:
  // Throws std::invalid_argument if the lengths differ or a number is not finite. `codes` has the weights of the
  // codes; empty: they do not count.
  LinearWeights(std::vector<double> theta, double bias, std::vector<double> mean, std::vector<double> deviation,
                double epsilon, const std::vector<double>& codes = {});

  std::size_t size() const { return slopes_.size(); }
  const std::shared_ptr<const CodeWeights>& codes() const { return codes_; }
  // V for the features of the side to move and the sum of its codes, in units of CodeWeights.
  double logit(const double* features, std::int64_t code_sum = 0) const;

 private:
  // V = slopes·φ + offset, without a division per feature.
  std::vector<double> slopes_;  // θ/(σ + ε)
  double offset_;               // b − slopes·μ
  std::shared_ptr<const CodeWeights> codes_;
};

// 1/(1 + e^−V)
double win_probability(double logit);

class LinearValue final : public Value {
 public:
  LinearValue(std::shared_ptr<const Features> features, LinearWeights weights);

  // Log-odds of the side to move.
  double logit(const State& state) const { return logit_of(state, evaluated_seat(state)); }
  // The win probability of a player.
  double value(const State& state, int player) const override;
  const Features& features() const { return *features_; }

 private:
  double logit_of(const State& state, int seat) const;

  std::shared_ptr<const Features> features_;
  LinearWeights weights_;
};

class LinearPrior final : public MoveOrdering {
 public:
  // Throws std::invalid_argument if the number of weights is not that of the codes.
  LinearPrior(std::shared_ptr<const MoveFeatures> features, const std::vector<double>& weights);

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
