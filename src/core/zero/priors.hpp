// Network output as priors of the legal moves and a value.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ranking.hpp"
#include "game/knowledge.hpp"
#include "game/planes.hpp"

namespace tesuji::zero {

// One row of a batch: logits of the policy and the value, for the side to move.
struct NetworkOutput {
  const float* policy;
  float value;
  int symmetry;  // under which the position was encoded
};

// σ(logit). Throws std::invalid_argument if it is NaN.
double win_probability(float logit);
// The value of a position, taking a swap into account that the network does not know (see Exchange).
double value_of(const Planes& planes, const State& state, float logit);

// The softmax of the logits over the legal moves. Not thread-safe: reuses its buffers.
class NetworkPriors final : public MoveOrdering {
 public:
  explicit NetworkPriors(const Planes& planes) : planes_(planes) {}
  void read(const NetworkOutput& output) { output_ = output; }

  // A swap gets the prior 1 - v and the other moves share v; before a possible swap, Planes::weights_ahead. Sorted,
  // but moves whose priors differ by less than 1 % may come in any order.
  void order(const State& state, MoveList& moves, std::vector<float>& weights, Random& random) const override;

 private:
  const Planes& planes_;
  NetworkOutput output_{nullptr, 0.0F, 0};
  mutable std::vector<float> unordered_;
  mutable MoveList moves_;
  mutable std::vector<int> indices_;
  mutable Ranking ranking_;
};

}  // namespace tesuji::zero
