#include "game/linear_value.hpp"

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

namespace tesuji {

LinearWeights::LinearWeights(std::vector<double> theta, double bias, std::vector<double> mean,
                             std::vector<double> deviation, double epsilon, const std::vector<double>& codes)
    : slopes_(std::move(theta)), offset_(bias), codes_(std::make_shared<CodeWeights>(codes)) {
  if (mean.size() != slopes_.size() || deviation.size() != slopes_.size()) {
    throw std::invalid_argument("theta, mean and deviation must have the same length");
  }
  if (slopes_.size() > max_features) {
    throw std::invalid_argument("a linear value has at most " + std::to_string(max_features) + " features, not " +
                                std::to_string(slopes_.size()));
  }
  bool sound = std::isfinite(bias);
  for (std::size_t i = 0; i < slopes_.size(); ++i) {
    sound = sound && std::isfinite(mean[i]) && std::isfinite(deviation[i]) && deviation[i] + epsilon > 0;
    slopes_[i] /= deviation[i] + epsilon;
    offset_ -= slopes_[i] * mean[i];
    sound = sound && std::isfinite(slopes_[i]);
  }
  if (!sound || !std::isfinite(offset_)) {
    throw std::invalid_argument("a linear value needs finite numbers and deviations of at least 0");
  }
}

// Four independent sums hide the latency of the additions.
double LinearWeights::logit(const double* features, std::int64_t code_sum) const {
  const std::size_t count = slopes_.size();
  std::array<double, 4> sums{};
  std::size_t i = 0;
  for (; i + sums.size() <= count; i += sums.size()) {
    for (std::size_t lane = 0; lane < sums.size(); ++lane) sums[lane] += slopes_[i + lane] * features[i + lane];
  }
  for (; i < count; ++i) sums[0] += slopes_[i] * features[i];
  return (sums[0] + sums[2]) + (sums[1] + sums[3]) + offset_ + static_cast<double>(code_sum) * CodeWeights::unit;
}

double win_probability(double logit) { return 1.0 / (1.0 + std::exp(-logit)); }

LinearValue::LinearValue(std::shared_ptr<const Features> features, LinearWeights weights)
    : features_(std::move(features)), weights_(std::move(weights)) {
  if (features_->names().size() != weights_.size()) {
    throw std::invalid_argument("the game has " + std::to_string(features_->names().size()) +
                                " features, but there are " + std::to_string(weights_.size()) + " weights");
  }
  if (weights_.codes()->size() != 0 && features_->codes() != weights_.codes()->size()) {
    throw std::invalid_argument("the game has " + std::to_string(features_->codes()) + " codes, but there are " +
                                std::to_string(weights_.codes()->size()) + " weights of codes");
  }
}

double LinearValue::logit_of(const State& state, int seat) const {
  if (state.players() != 2) throw std::invalid_argument("a linear value needs a game of two players");
  std::array<double, max_features> features;
  features_->extract(state, seat, features.data());
  if (weights_.codes()->size() == 0) return weights_.logit(features.data());
  return weights_.logit(features.data(), features_->sum_codes(state, seat, weights_.codes()));
}

double LinearValue::value(const State& state, int player) const {
  const int seat = evaluated_seat(state);
  const double mine = win_probability(logit_of(state, seat));
  return player == seat ? mine : 1.0 - mine;
}

}  // namespace tesuji
