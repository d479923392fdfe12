// How a Hex position looks to a network: turned so that the player to move always joins top and bottom.
//
// For White the board is mirrored over the long diagonal, which exchanges the two pairs of sides and keeps all
// neighbours. So one network plays both colours, and nothing has to say which one it is.
#pragma once

#include "game/planes.hpp"
#include "games/hex/hex.hpp"

namespace tesuji::hex {

class HexPlanes final : public Planes {
 public:
  // For the game that starts here.
  explicit HexPlanes(const HexState& start);
  int version() const override { return 1; }
  void check(const State& state) const override;
  void encode(const State& state, float* out) const override;
  int index(const State& state, Move move) const override {
    return state.player() == 0 ? static_cast<int>(move) : mirrored(static_cast<int>(move));
  }
  int reply_index(int index) const override { return mirrored(index); }

 private:
  // The swap is on no cell, and stays.
  int mirrored(int index) const { return index >= cells() ? index : index % rows() * rows() + index / rows(); }

  bool swap_;
};

}  // namespace tesuji::hex
