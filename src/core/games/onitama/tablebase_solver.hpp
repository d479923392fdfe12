// Retrograde analysis (Ströhlein 1970; Thompson 1986) of all positions of a tablebase.
//
// A position is won in n plies if a move leads to a loss in n − 1, and lost in n plies if every move leads to a win,
// the longest in n − 1. So wins in 1 give losses in 2, these give wins in 3, and so on until nothing changes. The
// remaining positions are drawn.
//
// A move does not affect the other side's students unless it captures one. So all their placements are processed
// together as a row of bits, one row for each placement of the mover's pieces, the enemy master and the cards:
//
//   won   |= moved                 for some move
//   lost  &= moved                 for every move
//
// where `successor` is the row after the move from the mover's point of view; sets with a student on the target square
// are looked up without it. For six pieces this reads about 15 rows for each of 4.6 million rows and ply, instead of 15
// bytes for each of 10⁹ positions.
#pragma once

#include <cstdint>
#include <functional>

#include "base/zeroed_array.hpp"
#include "games/onitama/tablebase_index.hpp"

namespace tesuji::onitama {

inline constexpr int max_plies = 254;

struct Solution {
  // For each position: 0 for a draw, otherwise the plies to the end, odd if the side to move wins.
  ZeroedArray<std::uint8_t> plies;
  std::uint64_t wins = 0;
  std::uint64_t losses = 0;
  std::uint64_t draws = 0;
  int longest = 0;  // win, in plies
};

// Called every few milliseconds by the calling thread with the share of decided positions and the current ply; may
// throw.
using SolverProgress = std::function<void(double done, int plies)>;

// Throws std::invalid_argument if a win takes more than max_plies. The result does not depend on the threads.
Solution solve(const TablebaseIndex& index, int threads, const SolverProgress& progress);

}  // namespace tesuji::onitama
