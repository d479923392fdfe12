// Hex bit boards, one word per row, with flood fill.
//
// The neighbours of (row, column) are (row, column ± 1), (row ± 1, column), (row − 1, column + 1) and
// (row + 1, column − 1). So a set moves down one row as s | s >> 1 and up as s | s << 1.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace tesuji::hex {

inline constexpr int max_size = 19;

// Rows 1 to size are the board; rows 0 and size + 1 stay empty, so that neighbours need no bounds checks.
using Cells = std::array<std::uint32_t, max_size + 2>;

inline std::uint32_t full_row(int size) { return (1U << size) - 1U; }
inline std::uint32_t below(std::uint32_t row) { return row | row >> 1; }
inline std::uint32_t above(std::uint32_t row) { return row | row << 1; }

// The runs of `mask` that contain a bit of `seed`, a subset of it.
inline std::uint32_t fill_row(std::uint32_t seed, std::uint32_t mask) {
  // Upwards: adding a seed to its run carries to the end of the run and clears the bits in between.
  std::uint32_t filled = seed | (mask & ~(mask + seed));
  // Downwards: Kogge-Stone.
  std::uint32_t open = mask;
  filled |= open & filled >> 1;
  open &= open >> 1;
  filled |= open & filled >> 2;
  open &= open >> 2;
  filled |= open & filled >> 4;
  open &= open >> 4;
  filled |= open & filled >> 8;
  open &= open >> 8;
  filled |= open & filled >> 16;
  return filled;
}

// Grows `reached`, a subset of `mask`, to all cells of `mask` connected to it.
inline void flood(int size, const Cells& mask, Cells& reached) {
  for (bool grew = true; grew;) {
    grew = false;
    for (int row = 1; row <= size; ++row) {
      const std::uint32_t seed = mask[row] & (reached[row] | below(reached[row - 1]));
      if (seed != 0) reached[row] = fill_row(seed, mask[row]);
    }
    for (int row = size; row >= 1; --row) {
      const std::uint32_t seed = mask[row] & (reached[row] | above(reached[row + 1]));
      if (seed != reached[row]) {
        reached[row] = fill_row(seed, mask[row]);
        grew = true;
      }
    }
  }
}

// Whether the stones connect top and bottom: Black's goal.
inline bool joins_rows(int size, const Cells& stones) {
  if (stones[1] == 0 || stones[size] == 0) return false;
  Cells reached{};
  reached[1] = stones[1];
  for (bool grew = true; grew;) {
    grew = false;
    for (int row = 2; row <= size; ++row) {
      const std::uint32_t seed = stones[row] & (reached[row] | below(reached[row - 1]));
      if (seed != 0) reached[row] = fill_row(seed, stones[row]);
    }
    if (reached[size] != 0) return true;
    for (int row = size - 1; row >= 1; --row) {
      const std::uint32_t seed = stones[row] & (reached[row] | above(reached[row + 1]));
      if (seed != reached[row]) {
        reached[row] = fill_row(seed, stones[row]);
        grew = true;
      }
    }
  }
  return false;
}

// Whether the stones connect left and right: White's goal.
inline bool joins_columns(int size, const Cells& stones) {
  Cells reached{};
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  for (int row = 1; row <= size; ++row) {
    reached[row] = stones[row] & 1U;
    left |= reached[row];
    right |= stones[row] >> (size - 1);
  }
  if (left == 0 || right == 0) return false;
  flood(size, stones, reached);
  for (int row = 1; row <= size; ++row) {
    if (reached[row] >> (size - 1) != 0) return true;
  }
  return false;
}

// The set and all adjacent cells; may include bits outside the board.
inline Cells grown(int size, const Cells& cells) {
  Cells result{};
  for (int row = 1; row <= size; ++row) {
    const std::uint32_t own = cells[row];
    result[row] = own | own << 1 | own >> 1 | below(cells[row - 1]) | above(cells[row + 1]);
  }
  return result;
}

inline int count(int size, const Cells& cells) {
  int total = 0;
  for (int row = 1; row <= size; ++row) total += std::popcount(cells[row]);
  return total;
}

// Calls visit(row, column), both from 0, for every cell of the set in reading order.
template <typename Visit>
void for_each_cell(int size, const Cells& cells, Visit&& visit) {
  for (int row = 1; row <= size; ++row) {
    for (std::uint32_t bits = cells[row]; bits != 0; bits &= bits - 1) visit(row - 1, std::countr_zero(bits));
  }
}

}  // namespace tesuji::hex
