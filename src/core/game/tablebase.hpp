// Tablebases: exact results of positions.
#pragma once

#include <optional>

#include "game/state.hpp"

namespace tesuji {

// For the side to move, under optimal play: the winner minimizes and the loser maximizes the game's length.
struct ExactResult {
  double score;
  int plies;  // to the end of the game; 0 for a draw
};

// For two-player games whose scores sum to 1. Probed at every node, from several threads.
class Tablebase {
 public:
  virtual ~Tablebase() = default;
  // Empty if the position is terminal or not in the table.
  virtual std::optional<ExactResult> probe(const State& state) const = 0;
};

}  // namespace tesuji
