// A residual network in play: the architecture of src/tesuji/models/resnet.py, computed with 8-bit products.
//
// The convolutions of the tower, and those of the heads, multiply rounded numbers (matrices.hpp); all else are floats.
// The outputs for a position depend neither on the other positions of a batch nor on the kernels.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "network/kernels.hpp"
#include "network/matrices.hpp"

namespace tesuji::network {

struct ResNetShape {
  int planes = 0;
  int blocks = 0;
  int channels = 0;
  int head = 0;           // channels of the heads
  int policy_planes = 0;  // 0: the policy is a dense layer, for one size of board
  int extras = 0;
  int cells = 0;  // of that board
};

// The weights of each parameter, by its name.
using Weights = std::unordered_map<std::string, std::vector<float>>;

class ResNet {
 public:
  // Throws std::invalid_argument if weights are missing, unknown or of another size.
  ResNet(const ResNetShape& shape, const Weights& weights, const Kernels& kernels);
  ~ResNet();
  ResNet(const ResNet&) = delete;
  ResNet& operator=(const ResNet&) = delete;

  std::size_t policy_size(int rows, int columns) const;
  // Evaluates `count` positions: planes [count][planes][rows][columns] to logits of the policy [count][policy size] and
  // of the value [count]. Several threads may call it at the same time.
  void evaluate(const float* planes, std::size_t count, int rows, int columns, float* policy, float* value) const;

 private:
  class Workspace;
  class Reader;

  // x ↦ factor·x + term for each channel, padded with zeros.
  struct Affine {
    std::vector<float> factor;
    std::vector<float> term;
    Activation view() const { return {factor.data(), term.data()}; }
  };
  // y = Wx + b; weights are [input][output].
  struct Linear {
    int inputs;
    int outputs;
    std::vector<float> weights;
    std::vector<float> bias;
    void operator()(const float* x, float* y) const;
  };
  struct Block {
    Affine affine1;
    Matrices conv1;
    int pooled;  // channels
    Affine pool_affine;
    std::vector<Linear> pooling;  // one, or none
    Affine affine2;
    Matrices conv2;
  };

  void evaluate_one(const float* planes, Workspace& work, float* policy, float* value) const;
  void tower(const float* planes, Workspace& work) const;
  void pool(const Block& block, Workspace& work) const;
  void policy_head(const float* heads, Workspace& work, float* policy) const;
  float value_head(const float* heads, Workspace& work) const;

  ResNetShape shape_;
  const Kernels& kernels_;
  int widest_ = 0;  // of the layers' padded channels
  Numbers stem_;    // [plane][row][column][output]
  std::vector<Block> blocks_;
  Affine affine_;
  std::vector<Matrices> heads_;  // the 1×1 convolutions of the heads: the policy's cells and board, the value's cells
  std::vector<float> heads_bias_;
  Linear policy_pooling_;
  Linear policy_last_;  // for each cell
  Linear policy_extras_;
  Linear value_pooling_;
  Linear value_last_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Workspace>> idle_;
};

}  // namespace tesuji::network
