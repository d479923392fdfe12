// A network's answer for one position, as the search wants it: priors of the legal moves, and a value.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ranking.hpp"
#include "game/knowledge.hpp"
#include "game/planes.hpp"

namespace tesuji::zero {

// One row of a batch: logits of the policy, and the logit of the value, both for the player to move.
struct Answer {
  const float* policy;
  float value;
  int symmetry;  // in which the network saw the position
};

// σ(logit). std::invalid_argument where it is not a number: a broken network must not go unnoticed.
double win_probability(float logit);
// The same, where the players may still exchange sides: the better of both, and an even game before the first stone.
double value_of(const Planes& planes, const State& state, float logit);

// The softmax of the logits over the legal moves. It keeps its buffers: one for each thread.
class NetworkPriors final : public MoveOrdering {
 public:
  explicit NetworkPriors(const Planes& planes) : planes_(planes) {}
  void read(const Answer& answer) { answer_ = answer; }

  // A move that exchanges sides gets 1 - v of the attention, and the others v; before such an offer all moves get the
  // same. Best first; moves whose priors differ by less than one part in a hundred may stand in any order.
  void order(const State& state, MoveList& moves, std::vector<float>& weights, Random& random) const override;

 private:
  const Planes& planes_;
  Answer answer_{nullptr, 0.0F, 0};
  mutable std::vector<float> unordered_;
  mutable MoveList moves_;
  mutable std::vector<int> indices_;
  mutable Ranking ranking_;
};

}  // namespace tesuji::zero
