// Perft: how many ways there are to play so many plies. The count that every other program of the same rules must
// reach.
//
// A finished game is one leaf, at whatever depth it ended; a chance event counts as a move. The last ply is not played:
// each of its moves is one leaf, so that counting them is exact.
#pragma once

#include <cstdint>
#include <functional>

#include "game/state.hpp"

namespace tesuji {

// `keep_going` is asked every few milliseconds; where it says no, the count so far is returned.
std::uint64_t perft(const State& state, int depth, const std::function<bool()>& keep_going);

}  // namespace tesuji
