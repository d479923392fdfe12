// The eight symmetries of a square board.
#pragma once

#include <utility>

namespace tesuji::gomoku {

inline constexpr int board_symmetries = 8;

// The image of a cell. Each bit of the symmetry is a reflection; 0 is the identity.
inline int symmetric_cell(int symmetry, int cell, int size) {
  int row = cell / size;
  int column = cell % size;
  if ((symmetry & 4) != 0) std::swap(row, column);
  if ((symmetry & 2) != 0) row = size - 1 - row;
  if ((symmetry & 1) != 0) column = size - 1 - column;
  return row * size + column;
}

}  // namespace tesuji::gomoku
