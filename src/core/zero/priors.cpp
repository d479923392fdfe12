#include "zero/priors.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace tesuji::zero {

namespace {

// exp(x) for x in [-18.4, 0] to six digits; smaller arguments are clamped to 1e-8, which is positive and negligible.
// The integer part of the exponent is set in the bits, the rest by its series. Without floating-point comparisons, so
// that loops over it are vectorized.
inline float fast_exp(float x) {
  constexpr float largest = 18.42F;
  const std::int32_t magnitude = std::bit_cast<std::int32_t>(x) & 0x7FFFFFFF;
  const float t = std::bit_cast<float>(std::min(magnitude, std::bit_cast<std::int32_t>(largest))) * -1.4426950F;
  const auto whole = static_cast<std::int32_t>(t);
  const float r = (t - static_cast<float>(whole)) * 0.69314718F;  // in (-ln 2, 0]
  const float series =
      1.0F + r * (1.0F + r * (0.5F + r * (0.16666667F + r * (0.041666668F + r * (0.0083333338F + r * 0.0013888889F)))));
  return series * std::bit_cast<float>((whole + 127) << 23);
}

// Of a choice that is worth at most 1/2, while the better one of swapping and not swapping is worth at least that.
constexpr float even_choice_prior = 0.02F;

// Replaces a special index by that of another legal move, so that it can be looked up; the weight is set afterwards.
// Returns its position, or the number of indices if there is none.
std::size_t replace_index(std::vector<int>& indices, int special) {
  const auto found = std::find(indices.begin(), indices.end(), special);
  if (found != indices.end()) *found = *std::max_element(indices.begin(), indices.end());
  return static_cast<std::size_t>(found - indices.begin());
}

}  // namespace

double win_probability(float logit) {
  if (std::isnan(logit)) throw std::invalid_argument("the network's value is NaN");
  return 1.0 / (1.0 + std::exp(-static_cast<double>(logit)));
}

double value_of(const Planes& planes, const State& state, float logit) {
  const double value = win_probability(logit);
  switch (planes.exchange(state)) {
    case Exchange::offered:
      return std::max(value, 1.0 - value);
    case Exchange::ahead:
      return 0.5;
    case Exchange::none:
      break;
  }
  return value;
}

void NetworkPriors::order(const State& state, MoveList& moves, std::vector<float>& weights, Random&) const {
  const std::size_t count = moves.size();
  unordered_.resize(count);
  planes_.indices(state, moves, indices_);
  const Exchange exchange = planes_.exchange(state);
  const std::size_t exchanging = replace_index(indices_, Planes::exchange_index);
  const std::size_t even_choice = replace_index(indices_, Planes::even_choice_index);
  const std::uint16_t* const seen_at = planes_.policy_symmetry(output_.symmetry).data();
  float top = -std::numeric_limits<float>::infinity();
  float finite = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const float logit = output_.policy[seen_at[indices_[i]]];
    unordered_[i] = logit;
    top = std::max(top, logit);
    finite += logit * 0.0F;
  }
  if (finite != 0) throw std::invalid_argument("the network's policy has a logit that is not finite");
  for (float& weight : unordered_) weight = fast_exp(weight - top);
  if (exchange == Exchange::ahead) planes_.weights_ahead(state, moves, unordered_);
  if (exchanging < count) {
    unordered_[exchanging] = 0;
    if (even_choice < count) unordered_[even_choice] = 0;
    const float others = std::accumulate(unordered_.begin(), unordered_.end(), 0.0F);
    // Both choices keep some prior, however certain the network is.
    const auto stay = static_cast<float>(std::clamp(win_probability(output_.value), 0.02, 0.98));
    unordered_[exchanging] = others * (1.0F - stay) / stay;
    if (even_choice < count) unordered_[even_choice] = others / stay * even_choice_prior;
  }

  const std::vector<std::uint32_t>& ranked = ranking_.order_roughly(unordered_);
  moves_ = moves;
  weights.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    moves[i] = moves_[ranked[i]];
    weights[i] = unordered_[ranked[i]];
  }
}

}  // namespace tesuji::zero
