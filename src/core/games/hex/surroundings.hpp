// Hashes of what surrounds the cells of a position, up to the half turn of the board, within two and three steps.
//
// Each stone changes the hash of every cell it can be seen from. A hash is a pair: the lower half of the word for the
// board as it is, the upper half for the board turned by 180°; the smaller one stands for both.
#pragma once

#include <array>
#include <cstdint>

#include "games/hex/hex.hpp"

namespace tesuji::hex {

class Surroundings {
 public:
  // The position as `mover` sees it: White mirrored along the long diagonal. Cells outside the board count as stones of
  // the edge's owner.
  Surroundings(const HexState& state, int mover);

  // The cells within two and within three steps of an empty cell, in the mover's coordinates.
  std::uint32_t within_two(int row, int column) const { return smaller(rings_[0][at(row, column)]); }
  std::uint32_t within_three(int row, int column) const {
    return smaller(rings_[0][at(row, column)] ^ rings_[1][at(row, column)]);
  }

 private:
  static constexpr int reach = 3;
  static constexpr int max_width = max_size + 2 * reach;
  using Words = std::array<std::uint64_t, max_width * max_width>;

  static std::uint32_t smaller(std::uint64_t word) {
    const auto low = static_cast<std::uint32_t>(word);
    const auto high = static_cast<std::uint32_t>(word >> 32);
    return low < high ? low : high;
  }
  static std::size_t at(int row, int column) {
    return static_cast<std::size_t>((row + reach) * max_width + column + reach);
  }
  // An empty board; only for the table of these.
  explicit Surroundings(int size);
  static const Surroundings& empty_board(int size);
  void add(int row, int column, bool own);

  std::array<Words, 2> rings_{};  // of the cells within two steps, and of those three steps away
};

}  // namespace tesuji::hex
