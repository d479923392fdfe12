// Moves, and the buffer that a caller hands to State::moves().
//
// A list keeps its memory between uses, so that after the first few simulations nothing is allocated.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/random.hpp"

namespace tesuji {

using Move = std::uint32_t;
inline constexpr Move no_move = 0xFFFFFFFFU;

using MoveList = std::vector<Move>;

// Fisher and Yates: every order equally likely.
inline void shuffle(MoveList& moves, Random& random) {
  for (std::uint32_t i = static_cast<std::uint32_t>(moves.size()); i > 1; --i) {
    std::swap(moves[i - 1], moves[random.below(i)]);
  }
}

}  // namespace tesuji
