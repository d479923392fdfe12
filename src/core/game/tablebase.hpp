// What is certain of a position, looked up instead of searched.
#pragma once

#include <optional>

#include "game/state.hpp"

namespace tesuji {

// For the side to move, when both sides play their best: the winner hurries, the loser delays.
struct Known {
  double score;
  int plies;  // to the end of the game; 0 for a draw
};

// A table of exact results, for games of two players whose scores add up to one. Asked at every position of a search,
// from several threads at once.
class Tablebase {
 public:
  virtual ~Tablebase() = default;
  // Nothing where the position is not in the table, or over.
  virtual std::optional<Known> probe(const State& state) const = 0;
};

}  // namespace tesuji
