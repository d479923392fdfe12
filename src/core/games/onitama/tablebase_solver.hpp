// Solves every position of a tablebase at once, ply by ply (retrograde analysis: Ströhlein 1970; Thompson 1986).
//
// A position is won in n plies when a move leads to one that is lost in n − 1, and lost in n when every move leads to a
// won one, the longest in n − 1. So the wins in 1 give the losses in 2, these the wins in 3, and so on until a ply
// brings nothing new. What is left then is drawn: both sides can go on for ever.
//
// A move changes nothing of the other side's students but for what it captures. So all their placements are looked at
// together, as the bits of a few words, and one row of bits answers for the mover's men, the enemy master and the
// cards:
//
//   won   |= moved                 for some move
//   lost  &= moved                 for every move
//
// where `moved` is the row after the move, as the mover sees it: its bits are shifted nowhere, except that a set of
// students that stands on the square moved to is looked up without that one. Six men are then some 15 reads of one row
// for each of 4.6 million rows and ply, instead of 15 reads of a byte for each of a thousand million positions.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>

#include "games/onitama/tablebase_index.hpp"

namespace tesuji::onitama {

inline constexpr int most_plies = 254;

struct Solution {
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  // For each position: 0 a draw, otherwise the plies to the end; odd, and the player to move wins, or even, and loses.
  std::unique_ptr<std::uint8_t, Free> plies;
  std::uint64_t wins = 0;
  std::uint64_t losses = 0;
  std::uint64_t draws = 0;
  int longest = 0;  // win, in plies
};

// How much is done, from 0 to 1, and how many plies it is about. Called by the calling thread every few milliseconds;
// it may throw, which ends the work.
using SolverProgress = std::function<void(double done, int plies)>;

// std::invalid_argument where a game would take more than most_plies. The result does not depend on the threads.
Solution solve(const TablebaseIndex& index, int threads, const SolverProgress& progress);

}  // namespace tesuji::onitama
