// The network's input planes for Hex, oriented so that the side to move connects top and bottom.
//
// For White the board is mirrored along the long diagonal, which exchanges the sides and keeps the neighbours. So the
// network need not know the colour.
#pragma once

#include "game/planes.hpp"
#include "games/hex/hex.hpp"

namespace tesuji::hex {

class HexPlanes final : public Planes {
 public:
  // For boards up to the size of this one. With `swap`, the swap has a plane and a policy index; without, games with
  // the swap can still be searched: see Exchange.
  HexPlanes(const HexState& start, bool swap);
  int version() const override { return 1; }
  bool any_size() const override { return true; }
  Exchange exchange(const State& state) const override;
  void check(const State& state) const override;
  void encode(const State& state, float* out) const override;
  int index(const State& state, Move move) const override {
    const auto& hex = static_cast<const HexState&>(state);
    if (move >= hex.swap_move()) return swap_ ? cells() : exchange_index;
    const int row = static_cast<int>(move) / hex.size();
    const int column = static_cast<int>(move) % hex.size();
    return hex.player() == 0 ? row * rows() + column : column * rows() + row;
  }
  int reply_index(int index) const override { return mirrored(index); }

 private:
  // The swap has no cell.
  int mirrored(int index) const { return index >= cells() ? index : index % rows() * rows() + index / rows(); }

  bool swap_;
};

}  // namespace tesuji::hex
