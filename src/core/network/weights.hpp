// The weights of a network by name, and the forms in which its layers use them.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "network/kernels.hpp"
#include "network/matrices.hpp"

namespace tesuji::network {

struct Tensor {
  std::vector<std::size_t> shape;
  std::vector<float> values;
};
using Weights = std::unordered_map<std::string, Tensor>;

// x ↦ factor·x + term for each channel, padded with zeros.
struct Affine {
  std::vector<float> factor;
  std::vector<float> term;
  Activation view() const { return {factor.data(), term.data()}; }
};

// y = Wx + b; weights are [input][output].
struct Linear {
  int inputs = 0;
  int outputs = 0;
  std::vector<float> weights;
  std::vector<float> bias;
  void operator()(const float* x, float* y) const;
};

// Looks up weights. Throws std::invalid_argument if there are none of that name, or of another shape.
class WeightReader {
 public:
  explicit WeightReader(const Weights& weights) : weights_(weights) {}

  const std::vector<float>& values(const std::string& name, const std::vector<std::size_t>& shape);
  // A 3×3 convolution, as kernels.hpp computes it.
  Matrices convolution(const std::string& name, int inputs, int outputs);
  // The 3×3 convolution of planes: [plane][row][column][output], padded.
  Numbers planes_convolution(const std::string& name, int planes, int outputs);
  Affine affine(const std::string& name, int channels);
  // The first `used` of `outputs`; a 1×1 convolution if `cells`.
  Linear linear(const std::string& name, int inputs, int outputs, int used, bool cells = false);
  // Throws std::invalid_argument if there are others.
  void check_that_all_are_used() const;

 private:
  const Weights& weights_;
  std::set<std::string> used_;
};

}  // namespace tesuji::network
