#include "game/linear_prior.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "base/ranking.hpp"

namespace tesuji {

namespace {

// The smallest weight relative to the largest: every move keeps a positive prior.
constexpr float smallest_weight = 1e-6F;

}  // namespace

LinearPrior::LinearPrior(std::shared_ptr<const MoveFeatures> features, std::shared_ptr<const CodeWeights> weights)
    : features_(std::move(features)), weights_(std::move(weights)) {
  if (features_->codes() != weights_->size()) {
    throw std::invalid_argument("the game's moves have " + std::to_string(features_->codes()) +
                                " codes, but there are " + std::to_string(weights_->size()) + " weights");
  }
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
