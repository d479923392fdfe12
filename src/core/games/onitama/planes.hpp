// The network's input planes for Onitama, oriented so that the side to move moves up.
//
// The cards are inputs, so that one network plays every deal. Each card has a plane per step of any card, constant over
// the board: every square sees what the cards allow. What the pieces reach with each card they may come to hold is
// drawn as well, own pieces included: those squares are protected.
//
// The two cards of a hand are ordered by their steps, whatever the deal. A move's policy index is (card in hand, step,
// source square); the passes come last. Steps are from the holder's point of view.
//
// The mirror image of a position uses mirrored cards, but is equally valid for training. It exchanges the planes of
// mirrored steps.
#pragma once

#include "game/planes.hpp"
#include "games/onitama/onitama.hpp"

namespace tesuji::onitama {

class OnitamaPlanes final : public Planes {
 public:
  explicit OnitamaPlanes(Limits limits);
  int version() const override { return 2; }
  void check(const State& state) const override;
  void encode(const State& state, float* out) const override { encode_turned(state, 0, out); }
  void encode_turned(const State& state, int symmetry, float* out) const override;
  int index(const State& state, Move move) const override;
  // Rotates the opponent's square by 180°; the steps stay as the opponent sees them.
  int reply_index(int index) const override {
    return index >= policy_planes() * squares ? index : index - index % squares + squares - 1 - index % squares;
  }

 private:
  Limits limits_;
};

}  // namespace tesuji::onitama
