// Gomoku's board as plain data, fast enough for playouts.
//
// Every row, column and diagonal is a 64-bit key (lines.hpp): a stone changes four keys, and a five is found by a few
// shifts.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "games/gomoku/board/lines.hpp"

namespace tesuji::gomoku {

inline constexpr int min_size = 5;
inline constexpr int max_size = 20;
inline constexpr int max_cells = max_size * max_size;
inline constexpr int directions = 4;
inline constexpr int nobody = -1;
inline constexpr int no_cell = -1;

// A cell as row and column, from 0; row 0 is rank 1, column 0 is file a.
struct Place {
  std::uint8_t row;
  std::uint8_t column;
  bool operator==(const Place&) const = default;
};

// A cell's line in one direction and its place on it. Directions: row, column, rising diagonal, falling diagonal.
struct OnLine {
  int line;
  int place;
};
inline OnLine on_line(Place at, int direction) {
  switch (direction) {
    case 0:
      return {at.row, at.column};
    case 1:
      return {max_size + at.column, at.row};
    case 2:
      return {2 * max_size + (max_size - 1) + at.row - at.column, at.column};
    default:
      return {4 * max_size - 1 + at.row + at.column, at.column};
  }
}
inline constexpr int line_count = 6 * max_size - 2;

// The image of a cell under the eight symmetries of the board. Each bit of the symmetry is a reflection; 0 is the
// identity.
inline constexpr int board_symmetries = 8;
inline int symmetric_cell(int symmetry, int cell, int size) {
  int row = cell / size;
  int column = cell % size;
  if ((symmetry & 4) != 0) std::swap(row, column);
  if ((symmetry & 2) != 0) row = size - 1 - row;
  if ((symmetry & 1) != 0) column = size - 1 - column;
  return row * size + column;
}

class Board {
 public:
  Board(int size, Rule rule);

  int size() const { return size_; }
  int cells() const { return size_ * size_; }
  Rule rule() const { return rule_; }
  int stones() const { return stones_; }
  bool full() const { return stones_ == cells(); }

  // Divides by multiplication; exact for every cell of every size.
  Place place(int cell) const {
    const unsigned row = static_cast<unsigned>(cell) * reciprocal_ >> 16;
    return {static_cast<std::uint8_t>(row), static_cast<std::uint8_t>(static_cast<unsigned>(cell) - row * size_)};
  }
  int cell(Place at) const { return at.row * size_ + at.column; }
  // The difference between neighbouring cells of a line.
  int step(int direction) const {
    return direction == 0 ? 1 : direction == 1 ? size_ : direction == 2 ? size_ + 1 : 1 - size_;
  }

  int lines_from_edge(Place at) const {
    const int last = size_ - 1;
    return std::min({int{at.row}, int{at.column}, last - at.row, last - at.column});
  }
  // Diagonal steps counted as one; an even board has four cells in the middle.
  int steps_from_middle(Place at) const {
    return std::max(std::abs(2 * at.row - (size_ - 1)), std::abs(2 * at.column - (size_ - 1))) / 2;
  }

  std::uint64_t line(int index) const { return lines_[static_cast<std::size_t>(index)]; }
  // Whether a place of a line is on the board and empty; it may be up to line_margin places outside.
  bool empty_on_line(int index, int place) const { return (line(index) >> shift(place) & 3U) == 0; }
  // black, white or nobody.
  int at(Place at) const { return static_cast<int>(lines_[at.row] >> shift(at.column) & 3U) - 1; }
  bool empty(Place at) const { return (lines_[at.row] >> shift(at.column) & 3U) == 0; }
  bool empty(int cell) const { return empty(place(cell)); }
  // A row's stones of one colour, one bit per column.
  std::uint32_t row(int colour, int index) const;
  // The stones of both colours, one word per row.
  std::array<std::uint32_t, max_size> stone_rows() const {
    std::array<std::uint32_t, max_size> rows{};
    for (int index = 0; index < size_; ++index) {
      rows[static_cast<std::size_t>(index)] = row(black, index) | row(white, index);
    }
    return rows;
  }

  void put(Place at, int colour) {
    ++stones_;
    change(at, colour);
  }
  void take(Place at, int colour) {
    --stones_;
    change(at, colour);
  }
  // As put(); returns whether the stone makes five.
  bool put_and_check_five(Place at, int colour);
  // Whether a stone on this empty cell would make five.
  bool makes_five(Place at, int colour) const;
  // Whether renju forbids Black this empty cell: overline, double four or double three, unless the stone makes five.
  bool forbidden(Place at) const;

  bool operator==(const Board&) const = default;

 private:
  static int shift(int place) { return 2 * (place + line_margin); }
  void change(Place at, int colour) {
    const std::uint64_t stone = static_cast<std::uint64_t>(colour) + 1;
    const std::uint64_t by_column = stone << shift(at.column);
    lines_[at.row] ^= by_column;
    lines_[max_size + at.column] ^= stone << shift(at.row);
    lines_[2 * max_size + max_size - 1 + at.row - at.column] ^= by_column;
    lines_[4 * max_size - 1 + at.row + at.column] ^= by_column;
  }

  std::array<std::uint64_t, line_count> lines_;
  std::uint16_t stones_ = 0;
  std::uint8_t size_;
  Rule rule_;
  std::uint32_t reciprocal_;
};

// The stones of one colour in a line, in every second bit; cells outside the board are nobody's.
inline std::uint64_t stones_in(std::uint64_t line, int colour) {
  constexpr std::uint64_t lower = 0x5555555555555555ULL;
  return colour == black ? line & ~(line >> 1) & lower : line >> 1 & ~line & lower;
}

// Whether stones in the format of stones_in() contain a five.
inline bool holds_five(std::uint64_t stones, bool exact) {
  const std::uint64_t pairs = stones & stones >> 2;
  const std::uint64_t fives = pairs & pairs >> 4 & stones >> 8;
  return (exact ? fives & ~(stones << 2) & ~(stones >> 10) : fives) != 0;
}

inline bool Board::put_and_check_five(Place at, int colour) {
  put(at, colour);
  const bool exact = exact_five(rule_, colour);
  bool found = false;
  for (int direction = 0; direction < directions; ++direction) {
    found |= holds_five(stones_in(line(on_line(at, direction).line), colour), exact);
  }
  return found;
}

}  // namespace tesuji::gomoku
