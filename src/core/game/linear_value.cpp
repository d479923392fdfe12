#include "game/linear_value.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

namespace tesuji {

LinearWeights::LinearWeights(std::vector<double> theta, double bias, std::vector<double> mean,
                             std::vector<double> deviation, double epsilon)
    : theta_(std::move(theta)), bias_(bias), mean_(std::move(mean)), scale_(std::move(deviation)) {
  if (mean_.size() != theta_.size() || scale_.size() != theta_.size()) {
    throw std::invalid_argument("a linear value needs as many means and deviations as weights");
  }
  if (theta_.size() > max_features) {
    throw std::invalid_argument("a linear value has at most " + std::to_string(max_features) + " features, not " +
                                std::to_string(theta_.size()));
  }
  for (double& scale : scale_) scale += epsilon;
  const auto finite = [](double number) { return std::isfinite(number); };
  const auto positive = [](double number) { return std::isfinite(number) && number > 0; };
  if (!std::all_of(theta_.begin(), theta_.end(), finite) || !std::all_of(mean_.begin(), mean_.end(), finite) ||
      !std::all_of(scale_.begin(), scale_.end(), positive) || !std::isfinite(bias_)) {
    throw std::invalid_argument("a linear value is made of finite numbers, and its deviations are not negative");
  }
}

double LinearWeights::logit(const double* features) const {
  double sum = 0;
  for (std::size_t i = 0; i < theta_.size(); ++i) sum += theta_[i] * ((features[i] - mean_[i]) / scale_[i]);
  return sum + bias_;
}

double win_probability(double logit) { return 1.0 / (1.0 + std::exp(-logit)); }

LinearValue::LinearValue(std::shared_ptr<const Features> features, LinearWeights weights)
    : features_(std::move(features)), weights_(std::move(weights)) {
  if (features_->names().size() != weights_.size()) {
    throw std::invalid_argument("the game has " + std::to_string(features_->names().size()) +
                                " features, and there are " + std::to_string(weights_.size()) + " weights");
  }
}

double LinearValue::logit(const State& state) const {
  if (state.players() != 2 || state.player() == chance_player) {
    throw std::invalid_argument("a linear value judges positions of two players in which one of them is to move");
  }
  std::array<double, max_features> features;
  features_->extract(state, state.player(), features.data());
  return weights_.logit(features.data());
}

double LinearValue::value(const State& state, int player) const {
  const double mine = win_probability(logit(state));
  return player == state.player() ? mine : 1.0 - mine;
}

}  // namespace tesuji
