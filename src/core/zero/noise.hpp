// Random distributions for self-play: Dirichlet and Gumbel noise, weighted sampling.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/random.hpp"

namespace tesuji::zero {

// In (0, 1), so that its logarithm is finite.
inline double open_uniform(Random& random) { return random.uniform() + 0x1.0p-54; }

inline double gumbel(Random& random) { return -std::log(-std::log(open_uniform(random))); }

inline double normal(Random& random) {
  const double radius = std::sqrt(-2.0 * std::log(open_uniform(random)));
  return radius * std::cos(2.0 * std::numbers::pi * random.uniform());
}

// Gamma(shape, 1), by Marsaglia and Tsang (2000), with their boost for shape < 1.
inline double gamma(double shape, Random& random) {
  if (shape < 1.0) return gamma(shape + 1.0, random) * std::pow(open_uniform(random), 1.0 / shape);
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double x = normal(random);
    const double v = std::pow(1.0 + c * x, 3.0);
    if (v > 0 && std::log(open_uniform(random)) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

// A sample of the symmetric Dirichlet distribution.
inline void dirichlet(double alpha, Random& random, std::vector<double>& shares) {
  double sum = 0;
  for (double& share : shares) sum += share = gamma(alpha, random);
  // With a tiny α all may underflow; then one gets everything.
  if (sum <= 0) {
    std::fill(shares.begin(), shares.end(), 0.0);
    sum = shares[random.below(static_cast<std::uint32_t>(shares.size()))] = 1.0;
  }
  for (double& share : shares) share /= sum;
}

// An index, with probability proportional to its weight.
inline std::size_t sample_index(const std::vector<double>& weights, Random& random) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  double left = random.uniform() * sum;
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    last = i;
    if ((left -= weights[i]) < 0) break;
  }
  return last;
}

}  // namespace tesuji::zero
