// A residual network in play: the architecture of src/tesuji/models/resnet.py, evaluated with 8-bit integers.
//
// The convolutions of the tower and of the heads multiply rounded numbers (matrices.hpp); all else are floats. The
// outputs for a position depend neither on the other positions of a batch nor on the kernels.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "network/kernels.hpp"
#include "network/matrices.hpp"
#include "network/weights.hpp"

namespace tesuji::network {

struct ResNetShape {
  int planes;
  int channels;
  std::vector<int> pooled;  // for each block, how many of its channels are pooled for the others
  int head;                 // channels of the heads
  int policy_planes;        // 0: the policy is a dense layer, for boards of one size
  int extras;
  BoardSize board;  // of training
};

class ResNet {
 public:
  // Throws std::invalid_argument if the shape is impossible, or the weights do not fit it.
  ResNet(const ResNetShape& shape, const Weights& weights, const Kernels& kernels);
  ~ResNet();
  ResNet(const ResNet&) = delete;
  ResNet& operator=(const ResNet&) = delete;

  const ResNetShape& shape() const { return shape_; }
  std::size_t policy_size(BoardSize board) const;
  // Evaluates `count` positions: planes [count][planes][rows][columns] to logits of the policy [count][policy size] and
  // of the value [count]. Several threads may call it at the same time. Throws std::invalid_argument if the network
  // does not fit the board.
  void evaluate(const float* planes, std::size_t count, BoardSize board, float* policy, float* value) const;

 private:
  class Workspace;

  struct Block {
    Affine affine1;
    Matrices conv1;
    int pooled;
    Affine pool_affine;
    Linear pooling;
    Affine affine2;
    Matrices conv2;
  };

  std::unique_ptr<Workspace> take_workspace(BoardSize board) const;
  void give_back(std::unique_ptr<Workspace> workspace) const;

  void evaluate_one(const float* planes, Workspace& work, float* policy, float* value) const;
  void tower(const float* planes, Workspace& work) const;
  void pool(const Block& block, Workspace& work) const;
  void pool_head(int part, Workspace& work) const;
  void policy_head(Workspace& work, float* policy) const;
  float value_head(Workspace& work) const;
  // The first channel of a head's 1×1 convolution in work.heads: 0 the policy's cells, 1 its board, 2 the value's
  // cells.
  const float* head_of(const Workspace& work, int cell, int part) const;

  ResNetShape shape_;
  const Kernels& kernels_;
  int widest_;  // of the layers' padded channels
  Numbers stem_;
  std::vector<Block> blocks_;
  Affine affine_;
  Matrices heads_;  // the three 1×1 convolutions side by side
  std::vector<float> heads_bias_;
  Linear policy_pooling_;
  Linear policy_last_;  // for each cell
  Linear policy_extras_;
  Linear value_pooling_;
  Linear value_last_;

  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Workspace>> idle_;  // the last one was used last
};

}  // namespace tesuji::network
