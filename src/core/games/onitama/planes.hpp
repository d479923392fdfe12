// The network's input planes for Onitama, oriented so that the side to move moves up.
//
// Each card is a plane with its steps drawn around the centre square, so that the network generalizes over cards. A
// move's policy index is (card in hand, step, source square); the passes come last.
//
// The mirror image of a position uses mirrored cards, but is equally valid for training.
#pragma once

#include "game/planes.hpp"
#include "games/onitama/onitama.hpp"

namespace tesuji::onitama {

class OnitamaPlanes final : public Planes {
 public:
  explicit OnitamaPlanes(const OnitamaState& start);
  int version() const override { return 1; }
  void check(const State& state) const override;
  void encode(const State& state, float* out) const override;
  int index(const State& state, Move move) const override;
  // Rotates the opponent's step and square by 180°.
  int reply_index(int index) const override {
    constexpr int last = squares * squares - 1;
    return index >= policy_planes() * squares ? index : index - index % (last + 1) + last - index % (last + 1);
  }

 private:
  Limits limits_;
};

}  // namespace tesuji::onitama
