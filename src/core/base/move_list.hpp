// Moves, and the reusable buffer that State::moves() fills.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/random.hpp"

namespace tesuji {

using Move = std::uint32_t;
inline constexpr Move no_move = 0xFFFFFFFFU;

using MoveList = std::vector<Move>;

// Fisher-Yates shuffle.
inline void shuffle(MoveList& moves, Random& random) {
  for (std::uint32_t i = static_cast<std::uint32_t>(moves.size()); i > 1; --i) {
    std::swap(moves[i - 1], moves[random.below(i)]);
  }
}

}  // namespace tesuji
