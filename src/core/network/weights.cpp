#include "network/weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace tesuji::network {

namespace {

[[noreturn]] void refuse(const std::string& problem) {
  throw std::invalid_argument("the weights do not fit this network: " + problem);
}

std::string as_text(const std::vector<std::size_t>& shape) {
  std::string text;
  for (const std::size_t size : shape) text += (text.empty() ? "" : " × ") + std::to_string(size);
  return text.empty() ? "1" : text;
}

// G g of three numbers that are `step` apart: the polynomial with these coefficients at each point p, divided by the
// product of p − q over all other finite points q.
void weight_side(const double* g, int step, double* to, int to_step) {
  constexpr double inner = kInner, outer = kOuter;
  constexpr double inner2 = kInner2, outer2 = kOuter2;
  const double even_inner = g[0] + inner2 * g[2 * step], odd_inner = inner * g[step];
  const double even_outer = g[0] + outer2 * g[2 * step], odd_outer = outer * g[step];
  to[0] = g[0] / (inner2 * outer2);
  to[to_step] = (even_inner + odd_inner) / (2 * inner2 * (inner2 - outer2));
  to[2 * to_step] = (even_inner - odd_inner) / (2 * inner2 * (inner2 - outer2));
  to[3 * to_step] = (even_outer + odd_outer) / (2 * outer2 * (outer2 - inner2));
  to[4 * to_step] = (even_outer - odd_outer) / (2 * outer2 * (outer2 - inner2));
  to[5 * to_step] = g[2 * step];
}

// One number of each place, `step` apart: G g Gᵀ of the 3×3 weights of a pair of channels.
void transform_weights(const float* weights, float* to, int step) {
  double g[9], half[kTileInputs * 3], places[kPlaces];
  std::copy(weights, weights + 9, g);
  for (int column = 0; column < 3; ++column) weight_side(g + column, 3, half + column, 3);
  for (int row = 0; row < kTileInputs; ++row) weight_side(half + row * 3, 1, places + row * kTileInputs, 1);
  for (int place = 0; place < kPlaces; ++place) {
    constexpr double largest = std::numeric_limits<float>::max();
    to[at(place, step)] = static_cast<float>(std::clamp(places[place], -largest, largest));
  }
}

}  // namespace

void Linear::operator()(const float* x, float* y) const {
  std::copy(bias.begin(), bias.end(), y);
  for (int input = 0; input < inputs; ++input) {
    const float* const row = weights.data() + at(input, outputs);
    for (int output = 0; output < outputs; ++output) y[output] += x[input] * row[output];
  }
}

const std::vector<float>& WeightReader::values(const std::string& name, const std::vector<std::size_t>& shape) {
  const auto found = weights_.find(name);
  if (found == weights_.end()) refuse(name + " is missing");
  const Tensor& tensor = found->second;
  if (tensor.shape != shape) refuse(name + " is " + as_text(tensor.shape) + ", not " + as_text(shape));
  used_.insert(name);
  return tensor.values;
}

Matrices WeightReader::convolution(const std::string& name, int inputs, int outputs) {
  const std::vector<float>& given = values(name + ".weight", {at(outputs), at(inputs), 3, 3});
  Matrices matrices(kPlaces, inputs, outputs);
  std::vector<float> rows(at(kPlaces, inputs));
  for (int output = 0; output < outputs; ++output) {
    for (int input = 0; input < inputs; ++input) {
      transform_weights(given.data() + at(output, inputs) * 9 + at(input, 9), rows.data() + input, inputs);
    }
    for (int place = 0; place < kPlaces; ++place) matrices.set(place, output, rows.data() + at(place, inputs));
  }
  return matrices;
}

Numbers WeightReader::planes_convolution(const std::string& name, int planes, int outputs) {
  const std::vector<float>& given = values(name + ".weight", {at(outputs), at(planes), 3, 3});
  Numbers found(at(planes, 9) * at(padded(outputs)));
  for (int output = 0; output < outputs; ++output) {
    for (int i = 0; i < planes * 9; ++i) {
      found[at(i, padded(outputs)) + at(output)] = given[at(output, planes * 9) + at(i)];
    }
  }
  return found;
}

Affine WeightReader::affine(const std::string& name, int channels) {
  const std::vector<std::size_t> shape{at(channels), 1, 1};
  Affine found{values(name + ".factor", shape), values(name + ".term", shape)};
  found.factor.resize(at(padded(channels)));
  found.term.resize(at(padded(channels)));
  return found;
}

Linear WeightReader::linear(const std::string& name, int inputs, int outputs, int used, bool cells) {
  std::vector<std::size_t> shape{at(outputs), at(inputs)};
  if (cells) shape.insert(shape.end(), {1, 1});
  const std::vector<float>& given = values(name + ".weight", shape);
  const std::vector<float>& bias = values(name + ".bias", {at(outputs)});
  Linear found{inputs, used, std::vector<float>(at(inputs, used)), {bias.begin(), bias.begin() + used}};
  for (int output = 0; output < used; ++output) {
    for (int input = 0; input < inputs; ++input) {
      found.weights[at(input, used) + at(output)] = given[at(output, inputs) + at(input)];
    }
  }
  return found;
}

void WeightReader::check_that_all_are_used() const {
  std::set<std::string> unknown;
  for (const auto& [name, tensor] : weights_) {
    if (used_.count(name) == 0) unknown.insert(name);
  }
  if (!unknown.empty()) refuse("it has no " + *unknown.begin());
}

}  // namespace tesuji::network
