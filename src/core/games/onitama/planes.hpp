// How an Onitama position looks to a network: turned so that the player to move always moves up.
//
// A card is a plane of its own, with its steps drawn around the middle square, so that a network that knows the cards
// by their steps knows all of them. A move's place in the policy is that of the card in the hand, then of the step,
// then of the square it begins on; the passes come last.
//
// Mirrored, a position is one of the mirrored cards: another game's, but as true.
#pragma once

#include "game/planes.hpp"
#include "games/onitama/onitama.hpp"

namespace tesuji::onitama {

class OnitamaPlanes final : public Planes {
 public:
  // For the game that starts here.
  explicit OnitamaPlanes(const OnitamaState& start);
  int version() const override { return 1; }
  void check(const State& state) const override;
  void encode(const State& state, float* out) const override;
  int index(const State& state, Move move) const override;
  // The opponent's steps, seen from the other side.
  int reply_index(int index) const override {
    constexpr int last = squares * squares - 1;
    return index >= policy_planes() * squares ? index : index - index % (last + 1) + last - index % (last + 1);
  }

 private:
  Limits limits_;
};

}  // namespace tesuji::onitama
