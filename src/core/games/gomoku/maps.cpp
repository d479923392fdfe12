#include "games/gomoku/maps.hpp"

#include <algorithm>
#include <cstdlib>

namespace tesuji::gomoku {

namespace {

constexpr int max_rows = 32;
using Rows = std::array<std::uint32_t, max_rows + 2>;  // with an empty row before the first and after the last

// The set and all cells beside it.
Rows grown(const Rows& rows, int height, std::uint32_t full) {
  Rows wide{};
  for (int row = 1; row <= height; ++row) wide[row] = (rows[row] | rows[row] << 1 | rows[row] >> 1) & full;
  Rows result{};
  for (int row = 1; row <= height; ++row) result[row] = wide[row - 1] | wide[row] | wide[row + 1];
  return result;
}

// Steps from the middle of so many cells; an even number has two middles, so that no side is preferred.
int from_middle(int place, int count) { return std::max((count - 1) / 2 - place, place - count / 2); }

float by_centre(int row, int column, int height, int width) {
  const int steps = std::max({from_middle(row, height), from_middle(column, width), 0});
  return steps <= 2 ? 1.0F : steps <= 4 ? 0.7F : 0.1F;
}

}  // namespace

void proximity_map(const std::uint32_t* rows, int height, int width, int opening_stones, float* out) {
  constexpr std::array<float, 5> by_steps = {0.0F, 1.0F, 0.5F, 0.2F, 0.05F};
  const auto full = static_cast<std::uint32_t>((std::uint64_t{1} << width) - 1);
  Rows stones{};
  int count = 0;
  for (int row = 0; row < height; ++row) {
    stones[row + 1] = rows[row];
    count += std::popcount(rows[row]);
  }
  const bool opening = count < opening_stones;
  const Rows one = grown(stones, height, full);
  const Rows two = grown(one, height, full);
  const Rows three = grown(two, height, full);
  for (int row = 0; row < height; ++row) {
    const std::array<std::uint32_t, 4> within = {stones[row + 1], one[row + 1], two[row + 1], three[row + 1]};
    for (int column = 0; column < width; ++column, ++out) {
      std::size_t steps = 4;
      for (const std::uint32_t set : within) steps -= set >> column & 1U;
      *out = by_steps[steps];
      if (steps == 0) continue;
      if (opening) {
        *out = 1.0F;
      } else if (count == 0) {
        *out = by_centre(row, column, height, width);
      }
    }
  }
}

void pattern_map(const Patterns& patterns, int colour, float* out) {
  const Board& board = patterns.board();
  const bool asks = board.rule() == Rule::renju && colour == black;
  for (int cell = 0; cell < board.cells(); ++cell) {
    out[cell] = 0;
    if (!board.empty(cell) || (asks && patterns.forbidden(cell))) continue;
    out[cell] = threat_scale[static_cast<std::size_t>(patterns.threat(cell, colour))];
  }
}

}  // namespace tesuji::gomoku
