// Evaluates networks of pseudo-random weights with all kernels of this processor. Prints their names and a hash of the
// outputs' bits, which is the same for every processor; fails if the kernels differ in a single bit.
#include <bit>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "network/resnet.hpp"

namespace {

using namespace tesuji::network;

// SplitMix64 (Steele, Lea and Flood, 2014): the same numbers with every compiler and standard library.
class Random {
 public:
  float number(float low, float high) {
    state_ += 0x9E3779B97F4A7C15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    const auto unit = static_cast<float>((z ^ (z >> 31)) >> 40) / 16777216.0F;
    return low + (high - low) * unit;
  }

 private:
  std::uint64_t state_ = 1;
};

// Weights whose outputs neither vanish nor grow from layer to layer.
Weights some_weights(const ResNetShape& shape, Random& random) {
  Weights weights;
  const auto add = [&](const std::string& name, std::vector<std::size_t> sizes, float low, float high) {
    std::size_t count = 1;
    for (const std::size_t size : sizes) count *= size;
    std::vector<float> values(count);
    for (float& value : values) value = random.number(low, high);
    weights[name] = {std::move(sizes), std::move(values)};
  };
  const auto convolution = [&](const std::string& name, int inputs, int outputs) {
    add(name + ".weight", {at(outputs), at(inputs), 3, 3}, -0.2F, 0.2F);
  };
  const auto affine = [&](const std::string& name, int channels) {
    add(name + ".factor", {at(channels), 1, 1}, 0.2F, 0.9F);
    add(name + ".term", {at(channels), 1, 1}, -0.3F, 0.3F);
  };
  const auto linear = [&](const std::string& name, int inputs, int outputs, bool cells, bool bias) {
    std::vector<std::size_t> sizes{at(outputs), at(inputs)};
    if (cells) sizes.insert(sizes.end(), {1, 1});
    add(name + ".weight", sizes, -0.3F, 0.3F);
    if (bias) add(name + ".bias", {at(outputs)}, -0.5F, 0.5F);
  };
  const int channels = shape.channels, head = shape.head;
  convolution("stem", shape.planes, channels);
  for (std::size_t number = 0; number < shape.pooled.size(); ++number) {
    const std::string name = "blocks." + std::to_string(number) + ".";
    const int pooled = shape.pooled[number], others = channels - pooled;
    affine(name + "affine1", channels);
    convolution(name + "conv1", channels, channels);
    affine(name + "affine2", others);
    convolution(name + "conv2", others, channels);
    if (pooled == 0) continue;
    affine(name + "pool_affine", pooled);
    linear(name + "pooling.linear", 3 * pooled, others, false, true);
  }
  affine("affine", channels);
  linear("policy.cells", channels, head, true, false);
  linear("policy.board", channels, head, true, true);
  linear("value.cells", channels, head, true, true);
  linear("policy.pooling.linear", 3 * head, head, false, true);
  linear("value.pooling.linear", 3 * head, 2 * head, false, true);
  linear("value.last", 2 * head, 2, false, true);
  if (shape.policy_planes > 0) linear("policy.last", head, 2 * shape.policy_planes, true, true);
  if (shape.extras > 0) {
    const int inputs = shape.policy_planes > 0 ? 3 * head : head * cell_count(shape.board);
    linear("policy.extras", inputs, 2 * shape.extras, false, true);
  }
  return weights;
}

std::vector<float> outputs_of(const ResNet& network, const std::vector<float>& planes, std::size_t count,
                              BoardSize board) {
  const std::size_t moves = network.policy_size(board);
  std::vector<float> outputs(count * (moves + 1));
  network.evaluate(planes.data(), count, board, outputs.data(), outputs.data() + count * moves);
  return outputs;
}

// FNV-1a.
void hash(const std::vector<float>& numbers, std::uint64_t& sum) {
  for (const float number : numbers) {
    const auto bits = std::bit_cast<std::uint32_t>(number);
    for (int shift = 0; shift < 32; shift += 8) sum = (sum ^ ((bits >> shift) & 255)) * 0x100000001B3;
  }
}

}  // namespace

int main() {
  // Channels that fill vectors and that do not, with pooling and without, policies on cells and dense.
  const ResNetShape shapes[] = {{9, 96, {0, 0, 24}, 32, 1, 0, {11, 11}},
                                {5, 24, {0, 6}, 20, 2, 3, {9, 7}},
                                {3, 40, {0}, 8, 0, 37, {5, 5}},
                                {12, 17, {5, 5}, 7, 1, 1, {15, 15}}};
  constexpr std::size_t count = 2;
  Random random;
  std::uint64_t sum = 0xCBF29CE484222325;
  int failures = 0;
  for (const ResNetShape& shape : shapes) {
    const Weights weights = some_weights(shape, random);
    std::vector<float> planes(count * at(shape.planes, cell_count(shape.board)));
    for (float& value : planes) {
      value = random.number(0, 1);
      value = value < 0.6F ? 0.0F : value < 0.9F ? 1.0F : value;
    }
    const ResNet reference(shape, weights, *portable_kernels());
    const std::vector<float> expected = outputs_of(reference, planes, count, shape.board);
    hash(expected, sum);
    for (const NamedKernels& each : available_kernels()) {
      const ResNet network(shape, weights, *each.kernels);
      const std::vector<float> found = outputs_of(network, planes, count, shape.board);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        if (std::bit_cast<std::uint32_t>(found[i]) == std::bit_cast<std::uint32_t>(expected[i])) continue;
        std::printf("%s: output %zu of %d channels is %a, not %a\n", each.name, i, shape.channels,
                    static_cast<double>(found[i]), static_cast<double>(expected[i]));
        ++failures;
        break;
      }
    }
  }
  for (const NamedKernels& each : available_kernels()) std::printf("%s ", each.name);
  std::printf("%016llx\n", static_cast<unsigned long long>(sum));
  return failures == 0 ? 0 : 1;
}
