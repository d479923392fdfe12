// Maps of a board: one number a cell, row by row from the bottom, on a fixed scale from 0 to 1.
#pragma once

#include "games/gomoku/patterns.hpp"

namespace tesuji::gomoku {

// How near stones are, for a board of any shape up to 32 columns: the rows' stones as bits, one number a cell out.
//
//   steps to the next stone (diagonal ones count)   1: 1.0   2: 0.5   3: 0.2   more: 0.05   occupied: 0
//   no stones: steps from the centre                up to 2: 1.0   up to 4: 0.7   more: 0.1
//   fewer than `opening_stones` stones              1.0 on every empty cell
void proximity_map(const std::uint32_t* rows, int height, int width, int opening_stones, float* out);

// What a stone of this colour would make, by threat_scale; 0 where it is forbidden.
void pattern_map(const Patterns& patterns, int colour, float* out);
inline constexpr std::array<float, threat_kinds> threat_scale = {0,    0,    0.05F, 0.1F, 0.15F, 0.2F, 0.35F,
                                                                 0.4F, 0.6F, 0.7F,  0.8F, 1,     0};

}  // namespace tesuji::gomoku
