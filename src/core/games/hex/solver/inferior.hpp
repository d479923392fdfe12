// Inferior cells: what can be filled in, or need not be tried, without changing who wins.
//
// A cell is dead if no completion of the board depends on it: it lies on no minimal path of a player between its sides
// (and then on none of the other's). Here a cell is seen to be dead if its neighbours in the player's reduced graph
// (enemy stones deleted, own chains contracted) are all neighbours of each other, or if a side cannot be reached from
// it. A stone kills a cell if the cell is dead after it.
//   captured: two cells each of which a player can answer by killing it from the other; both count as the player's.
//   vulnerable: a cell that the opponent could kill; a move there gains nothing.
//   dominated: a cell that an own stone elsewhere would kill; that other move is at least as good.
// Hayward and van Rijswijck, Hex and combinatorics, 2006; Henderson and Hayward, Captured-reversible moves and star
// decomposition domination in Hex, 2013.
#pragma once

#include <array>
#include <vector>

#include "games/hex/cell_set.hpp"

namespace tesuji::hex {

// A player's graph: for each empty cell which empty cells it meets, directly or by one chain of own stones.
template <int Words>
struct ReducedGraph {
  using Set = CellSet<Words>;

  void build(const Geometry<Words>& geometry, const Stones<Words>& stones, int player);
  // Whether these cells, with the sides that `cell` touches, are pairwise neighbours.
  bool clique(int cell, const Set& cells) const;

  std::vector<Set> near;         // by cell; for empty cells only
  std::array<Set, 2> touching;   // the empty cells that meet the first and the second side
  std::array<Set, 2> reachable;  // the empty cells from which a side can be reached at all
};

template <int Words>
struct Filled {
  using Set = CellSet<Words>;

  Stones<Words> stones;         // with what was filled in
  std::array<Set, 2> captured;  // by player
  Set dead;                     // counted as stones of player 0
};

// Cells that need not be tried by the player to move, and by which cells the others answer them.
template <int Words>
struct Pruned {
  CellSet<Words> vulnerable;
  CellSet<Words> killers;  // one for each vulnerable cell
  CellSet<Words> dominated;
};

template <int Words>
class InferiorCells {
 public:
  using Set = CellSet<Words>;

  explicit InferiorCells(const Geometry<Words>& geometry);

  // Fills in dead and captured cells until there are none.
  Filled<Words> fill(const Stones<Words>& stones);
  // In the position that was filled last: what `mover` need not try among the candidates.
  Pruned<Words> prune(int mover, const Set& candidates);
  // In the position that was filled last.
  const ReducedGraph<Words>& graph(int player) const { return graphs_[player]; }

 private:
  bool dead(int cell) const;
  void find_killers(int player, const Set& empty);
  Set killers_by_cutting(int player, int cell) const;
  Set killers_by_joining(int player, int cell) const;
  bool capture(Filled<Words>& filled, Set& empty);

  const Geometry<Words>& geometry_;
  std::array<ReducedGraph<Words>, 2> graphs_;
  std::array<std::vector<Set>, 2> killers_;  // by player and cell: where a stone of the player kills the cell
};

}  // namespace tesuji::hex
