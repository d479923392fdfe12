// Parameters of an alpha-beta search. The Python class AlphaBetaOptions mirrors these fields.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tesuji {

inline constexpr int max_depth = 1000;
inline constexpr int max_quiescence = 64;

struct AlphaBetaOptions {
  bool pvs = true;         // principal variation search: null window after the first move
  bool aspiration = true;  // search for an undecided score first, then for the distance of a win or loss
  bool killers = true;     // killer moves
  bool history = true;     // history heuristic
  bool reductions = true;  // late move reductions and internal iterative reductions
  // Judge quiet positions whose value is far outside the window by their value, and at low depths search only the
  // first quiet moves.
  bool futility = false;
  bool hard_proximity = false;  // set distant moves aside; otherwise they only come later
  int quiescence = 16;          // maximal plies of the quiescence search; 0: none
  int lines = 1;                // number of best root moves with exact scores (multi-PV); the others get a bound

  int threads = 1;    // more than one: not repeatable, and only for searches that do not call Python
  bool reuse = true;  // keep the transposition table between searches
  std::uint64_t seed = 0;
  std::size_t memory = std::size_t{64} << 20;  // bytes of the transposition table; 0: no table
};

// Limits of a search; 0 means none.
struct AlphaBetaBudget {
  int depth = 0;
  std::uint64_t nodes = 0;
  double seconds = 0;
};

}  // namespace tesuji
