// Perft: the number of move sequences of a given length, for comparing rule implementations.
//
// A finished game counts as one leaf at any depth, a chance outcome as a move. The last ply is counted, not played.
#pragma once

#include <cstdint>
#include <functional>

#include "game/state.hpp"

namespace tesuji {

// `poll` is called every few milliseconds and may throw.
std::uint64_t perft(const State& state, int depth, const std::function<void()>& poll);

}  // namespace tesuji
