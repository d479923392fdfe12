// A linear value: the log-odds that the side to move wins, as a weighted sum of standardised features and of codes,
//
//   V = θ·(φ − μ)/(σ + ε) + Σ w[code] + b,
//
// learned by logistic regression (tesuji.learn). Training reports and bots both use LinearWeights::logit, so that their
// values agree bit for bit.
#pragma once

#include <memory>
#include <vector>

#include "game/codes.hpp"
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

}  // namespace tesuji
