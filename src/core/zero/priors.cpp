#include "zero/priors.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace tesuji::zero {

namespace {

// Positive, so that proximity and noise have something to multiply, and too small to matter.
constexpr float least_weight = 1e-8F;

}  // namespace

double win_probability(float logit) {
  if (std::isnan(logit)) throw std::invalid_argument("the network's value is not a number");
  return 1.0 / (1.0 + std::exp(-static_cast<double>(logit)));
}

void NetworkPriors::order(const State& state, MoveList& moves, std::vector<float>& weights, Random&) const {
  const std::size_t count = moves.size();
  unordered_.resize(count);
  float top = -std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < count; ++i) {
    const int index = planes_.index(state, moves[i]);
    unordered_[i] = answer_.policy[planes_.transform_index(answer_.symmetry, index)];
    top = std::max(top, unordered_[i]);
  }
  float sum = 0;
  for (float& weight : unordered_) sum += weight = std::max(least_weight, std::exp(weight - top));
  if (!std::isfinite(sum)) throw std::invalid_argument("the network's policy is not a number");

  // The upper half of a positive number's bits grows with it: two passes of a radix sort, largest first, are several
  // times as fast as comparing.
  ranked_.resize(count);
  other_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto key = static_cast<std::uint16_t>(~(std::bit_cast<std::uint32_t>(unordered_[i]) >> 16));
    ranked_[i] = {key, static_cast<std::uint16_t>(i)};
  }
  for (const int shift : {0, 8}) {
    std::array<std::uint32_t, 257> starts{};
    for (const Ranked& one : ranked_) ++starts[((one.key >> shift) & 0xFFU) + 1];
    for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
    for (const Ranked& one : ranked_) other_[starts[(one.key >> shift) & 0xFFU]++] = one;
    ranked_.swap(other_);
  }
  moves_ = moves;
  weights.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    moves[i] = moves_[ranked_[i].place];
    weights[i] = unordered_[ranked_[i].place];
  }
}

}  // namespace tesuji::zero
