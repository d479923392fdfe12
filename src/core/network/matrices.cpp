#include "network/matrices.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tesuji::network {

namespace {

constexpr int kZero = 128;             // of a rounded row
constexpr float kNegligible = 1e-30F;  // rounded to 0
// Fractions of the largest weight that are tried as the range: a smaller one rounds most weights better, and clips few.
constexpr float kRanges[] = {1.0F, 0.95F, 0.9F, 0.85F, 0.8F, 0.75F, 0.7F};

float rounded(float weight, float scale) { return std::clamp(std::nearbyint(weight / scale), -kLargest, kLargest); }

float best_scale(const float* weights, int count) {
  float largest = 0;
  for (int i = 0; i < count; ++i) {
    if (!std::isfinite(weights[i])) throw std::invalid_argument("it is damaged: its weights are not finite");
    largest = std::max(largest, std::abs(weights[i]));
  }
  if (largest < kNegligible) return 1;
  float best = largest / kLargest;
  double least = INFINITY;
  for (const float range : kRanges) {
    const float scale = range * largest / kLargest;
    double error = 0;
    for (int i = 0; i < count; ++i) {
      const double off = rounded(weights[i], scale) * scale - weights[i];
      error += off * off;
    }
    if (error >= least) continue;
    least = error;
    best = scale;
  }
  return best;
}

}  // namespace

Matrices::Matrices(int count, int inputs, int outputs)
    : given_inputs_(inputs),
      inputs_(padded(inputs)),
      outputs_(padded(outputs)),
      weights_(at(count, outputs_) * at(inputs_)),
      scales_(at(count, outputs_)),
      offsets_(at(count, outputs_)) {}

void Matrices::set(int matrix, int output, const float* weights) {
  const std::size_t row = at(matrix, outputs_);
  std::int8_t* const bytes = weights_.data() + row * at(inputs_);
  const float scale = best_scale(weights, given_inputs_);
  int sum = 0;
  for (int i = 0; i < given_inputs_; ++i) {
    const int weight = static_cast<int>(rounded(weights[i], scale));
    bytes[(i / 4 * outputs_ + output) * 4 + i % 4] = static_cast<std::int8_t>(weight);
    sum += weight;
  }
  scales_[row + at(output)] = scale;
  offsets_[row + at(output)] = -kZero * sum;
}

}  // namespace tesuji::network
