// How much each empty cell matters to a player, by Shannon's analogy: the board is a circuit between the player's
// sides, and a cell matters as much as current flows through it (Anshelevich, 2002).
#pragma once

#include <vector>

#include "games/hex/solver/inferior.hpp"

namespace tesuji::hex {

template <int Words>
class Circuit {
 public:
  // Adds to each empty cell of the graph its share of the whole current.
  void add_currents(const ReducedGraph<Words>& graph, const CellSet<Words>& empty, std::vector<float>& shares);

 private:
  std::vector<int> cells_;
  std::vector<int> index_;
  std::vector<float> matrix_;
  std::vector<float> potentials_;
};

}  // namespace tesuji::hex
