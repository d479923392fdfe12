// The parameters of one alpha-beta search, in one place. The Python class AlphaBetaOptions mirrors these fields.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tesuji {

inline constexpr int most_depth = 1000;
inline constexpr int most_quiescence = 64;

struct AlphaBetaOptions {
  bool pvs = true;              // moves after the first are first tried with a window of width one
  bool killers = true;          // moves that refuted a sibling come early
  bool history = true;          // so do moves that refuted anything before
  bool reductions = true;       // late quiet moves are first looked at less deeply
  bool hard_proximity = false;  // distant moves are set aside; otherwise they only come later
  int quiescence = 16;          // plies of noisy moves after the last full one; 0: none
  int lines = 1;                // so many of the best moves get exact values; the others a bound

  bool reuse = true;  // the table is kept from one search to the next
  std::uint64_t seed = 0;
  std::size_t memory = std::size_t{64} << 20;  // bytes for the table; 0: no table
};

// When a search ends. Zero means "no such limit".
struct AlphaBetaBudget {
  int depth = 0;
  std::uint64_t nodes = 0;
  double seconds = 0;
};

}  // namespace tesuji
