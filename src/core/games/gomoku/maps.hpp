// Board maps: one number in [0, 1] per cell, row by row from the bottom.
#pragma once

#include "games/gomoku/board/patterns.hpp"

namespace tesuji::gomoku {

// Proximity to the stones, for a board of up to 32 × 32 cells, given the rows' stones as bits.
//
//   Chebyshev distance to the nearest stone         1: 1.0   2: 0.5   3: 0.2   more: 0.05   occupied: 0
//   empty board: distance from the centre           up to 2: 1.0   up to 4: 0.7   more: 0.1
//   fewer than `opening_stones` stones              1.0 on every empty cell
void proximity_map(const std::uint32_t* rows, int height, int width, int opening_stones, float* out);

// The same for one cell of an empty board, by its steps from the middle.
inline float proximity_to_centre(int steps) { return steps <= 2 ? 1.0F : steps <= 4 ? 0.7F : 0.1F; }

// The steps from each cell to the nearest stone, diagonal ones counted as one.
class Nearness {
 public:
  explicit Nearness(const Board& board);
  // 1 to 3, or 4 for all that are further away.
  int steps(Place at) const {
    const auto farther = [&](int within) { return int{(rows_[within][at.row] >> at.column & 1U) == 0}; };
    return 1 + farther(0) + farther(1) + farther(2);
  }

 private:
  std::array<std::array<std::uint32_t, max_size>, 3> rows_;  // the cells within one, two and three steps
};

// The threat that a stone of this colour would make, on threat_scale; 0 if forbidden.
void pattern_map(const Patterns& patterns, int colour, float* out);
inline constexpr std::array<float, threat_kinds> threat_scale = {0,    0,    0.05F, 0.1F, 0.15F, 0.2F, 0.35F,
                                                                 0.4F, 0.6F, 0.7F,  0.8F, 1,     0};

// (own pattern + 1.2 · the other's) · proximity, divided by its maximum; 0.3 · proximity on a board without patterns.
void combined_map(const Patterns& patterns, int colour, const float* proximity, float* out);
inline constexpr float defence_in_sum = 1.2F;
inline constexpr float no_pattern = 0.3F;

}  // namespace tesuji::gomoku
