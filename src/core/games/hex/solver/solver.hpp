// The exact solver of Hex: who wins a position, by which move, and which cells the winner needs.
//
// The search itself is in proof_search.hpp; here it is chosen by the size of the board, with limits.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "game/solver_limits.hpp"
#include "games/hex/hex.hpp"

namespace tesuji::hex {

struct Solved {
  int winner = -1;           // −1: a limit was reached before
  Move move = no_move;       // a winning one of the player to move, where there is one
  std::vector<int> carrier;  // the empty cells that the winner needs; all others are irrelevant
  std::uint64_t nodes = 0;   // positions evaluated
  double seconds = 0;
  SolverStop stopped = SolverStop::finished;
};

// What is certain of a position without a search; see ProofSearch::Assessment.
struct Assessed {
  Solved solved;
  std::vector<int> lost;
  std::vector<int> inferior;
};

// Keeps its table from one call to the next. For one thread at a time.
class Solver {
 public:
  static std::unique_ptr<Solver> make(int size, std::size_t table_bytes);
  virtual ~Solver() = default;

  virtual int size() const = 0;
  // The game is not over, and of this size.
  virtual Solved solve(const HexState& state, const SolverLimits& limits) = 0;
  // As solve(), of one position alone.
  virtual Assessed assess(const HexState& state) = 0;
  // Positions evaluated so far, by all calls together; may be read from the monitor's poll().
  virtual std::uint64_t nodes() const = 0;
};

// What the solver sees in a position, for tests and explanations.
struct FilledCells {
  std::vector<int> dead;
  std::vector<int> captured[2];  // by player
  std::vector<int> vulnerable;   // of the player to move
  std::vector<int> dominated;
};
FilledCells inferior_cells(const HexState& state);

struct FoundConnection {
  int ends[2];  // cells, the lowest of a chain; size² and size² + 1 are the player's sides
  bool full;
  std::vector<int> carrier;
};
std::vector<FoundConnection> virtual_connections(const HexState& state, int player);

}  // namespace tesuji::hex
