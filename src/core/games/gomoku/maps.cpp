#include "games/gomoku/maps.hpp"

#include <algorithm>
#include <cstdlib>

namespace tesuji::gomoku {

namespace {

constexpr int max_rows = 32;
using Rows = std::array<std::uint32_t, max_rows + 2>;  // the board's rows start at 1

constexpr auto column_bits = [] {
  std::array<std::uint32_t, 32> bits{};
  for (unsigned column = 0; column < bits.size(); ++column) bits[column] = 1U << column;
  return bits;
}();

// Dilates a set of cells by one step.
void grow(const Rows& rows, int height, std::uint32_t full, Rows& grown) {
  Rows wide;
  wide[0] = wide[height + 1] = 0;
  for (int row = 1; row <= height; ++row) wide[row] = (rows[row] | rows[row] << 1 | rows[row] >> 1) & full;
  for (int row = 1; row <= height; ++row) grown[row] = wide[row - 1] | wide[row] | wide[row + 1];
}

}  // namespace

void proximity_map(const std::uint32_t* rows, int height, int width, int opening_stones, float* out) {
  const auto full = static_cast<std::uint32_t>((std::uint64_t{1} << width) - 1);
  Rows stones;
  Rows one;
  Rows two;
  Rows three;
  int count = 0;
  for (int row = 0; row < height; ++row) {
    stones[row + 1] = rows[row];
    count += std::popcount(rows[row]);
  }
  const bool opening = count < opening_stones;
  grow(stones, height, full, one);
  grow(one, height, full, two);
  grow(two, height, full, three);
  for (int row = 0; row < height; ++row, out += width) {
    const std::uint32_t stone = stones[row + 1];
    // Branchless, so that the loop is vectorized.
    for (int column = 0; column < width; ++column) {
      const std::uint32_t bit = column_bits[column];
      float value = (three[row + 1] & bit) == 0 ? 0.05F : 0.2F;
      value = (two[row + 1] & bit) == 0 ? value : 0.5F;
      value = (one[row + 1] & bit) == 0 ? value : 1.0F;
      out[column] = (stone & bit) == 0 ? value : 0.0F;
    }
    if (count > 0 && !opening) continue;
    for (int column = 0; column < width; ++column) {
      if ((stone & column_bits[column]) != 0) continue;
      const int steps = std::max(std::abs(2 * row - (height - 1)), std::abs(2 * column - (width - 1))) / 2;
      out[column] = opening ? 1.0F : proximity_to_centre(steps);
    }
  }
}

Nearness::Nearness(const Board& board) {
  Rows stones;
  Rows grown;
  std::copy_n(board.stone_rows().begin(), board.size(), stones.begin() + 1);
  const auto full = static_cast<std::uint32_t>((std::uint64_t{1} << board.size()) - 1);
  for (auto& rows : rows_) {
    grow(stones, board.size(), full, grown);
    std::copy_n(grown.begin() + 1, board.size(), rows.begin());
    stones = grown;
  }
}

void pattern_map(const Patterns& patterns, int colour, float* out) {
  const Board& board = patterns.board();
  int cell = 0;
  for (int row = 0; row < board.size(); ++row) {
    std::uint64_t taken = board.line(row) >> 2 * line_margin;
    // Branchless: twice as fast, although cells under stones are looked up, too.
    for (int column = 0; column < board.size(); ++column, ++cell, taken >>= 2) {
      const float made = threat_scale[static_cast<std::size_t>(patterns.threat(cell, colour))];
      out[cell] = (taken & 3U) == 0 ? made : 0.0F;
    }
  }
  if (board.rule() != Rule::renju || colour != black) return;
  for (cell = 0; cell < board.cells(); ++cell) {
    if (out[cell] != 0 && patterns.forbidden(cell)) out[cell] = 0;
  }
}

void combined_map(const Patterns& patterns, int colour, const float* proximity, float* out) {
  const int cells = patterns.board().cells();
  std::array<float, max_cells> other;
  pattern_map(patterns, colour, out);
  pattern_map(patterns, 1 - colour, other.data());
  for (int cell = 0; cell < cells; ++cell) {
    out[cell] = (out[cell] + defence_in_sum * other[static_cast<std::size_t>(cell)]) * proximity[cell];
  }
  float most = *std::max_element(out, out + cells);
  if (most == 0) {
    for (int cell = 0; cell < cells; ++cell) out[cell] = no_pattern * proximity[cell];
    most = *std::max_element(out, out + cells);
  }
  if (most == 0) return;  // a full board
  for (int cell = 0; cell < cells; ++cell) out[cell] /= most;
}

}  // namespace tesuji::gomoku
