#include "game/linear.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include "base/ranking.hpp"

namespace tesuji {

namespace {

// The smallest weight of a move relative to the largest: every move keeps a positive prior.
constexpr float smallest_weight = 1e-6F;

// Throws std::invalid_argument if there is not one weight for each.
void check_count(const char* whose, std::size_t weights, const char* what, std::size_t count) {
  if (weights == count) return;
  throw std::invalid_argument(std::string(whose) + " " + std::to_string(count) + " " + what + ", but there are " +
                              std::to_string(weights) + " weights");
}

}  // namespace

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
  check_count("the game has", weights_.size(), "features", features_->names().size());
  if (weights_.codes()->size() != 0) {
    check_count("the game has", weights_.codes()->size(), "codes", features_->codes());
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

LinearPrior::LinearPrior(std::shared_ptr<const MoveFeatures> features, const std::vector<double>& weights)
    : features_(std::move(features)), weights_(std::make_shared<CodeWeights>(weights)) {
  check_count("the game's moves have", weights_->size(), "codes", features_->codes());
}

void LinearPrior::weigh(const State& state, const MoveList& moves, std::vector<float>& weights) const {
  thread_local std::vector<std::int32_t> sums;  // reused buffer
  logits(state, moves, sums);
  const std::int32_t most = *std::max_element(sums.begin(), sums.end());
  weights.resize(moves.size());
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const auto below = static_cast<float>(static_cast<double>(sums[i] - most) * CodeWeights::unit);
    weights[i] = std::max(std::exp(below), smallest_weight);
  }
}

// Moves of equal weight are in random order.
void LinearPrior::order(const State& state, MoveList& moves, std::vector<float>& weights, Random& random) const {
  shuffle(moves, random);
  weigh(state, moves, weights);
  sort_by_weight(moves, weights);
}

Move PriorPolicy::choose(const State& state, const MoveList& moves, Random& random) const {
  thread_local std::vector<float> weights;  // reused buffer
  prior_->weigh(state, moves, weights);
  float total = 0;
  for (const float weight : weights) total += weight;
  auto left = static_cast<float>(random.uniform()) * total;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    left -= weights[i];
    if (left < 0) return moves[i];
  }
  return moves.back();  // rounding
}

}  // namespace tesuji
