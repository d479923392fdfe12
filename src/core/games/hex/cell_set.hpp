// A board made of sets of cells in as few words as it needs: what the solver works with.
//
// Cell row · size + column is a bit. One word holds boards up to 8×8, two words 11×11, six words 19×19.
#pragma once

#include <array>
#include <vector>

#include "base/bit_set.hpp"

namespace tesuji::hex {

template <int Words>
using CellSet = BitSet<Words>;

// What depends on the size of the board alone.
template <int Words>
struct Geometry {
  using Set = CellSet<Words>;

  explicit Geometry(int board_size) : size(board_size), cells(board_size * board_size), near(cells) {
    for (int row = 0; row < size; ++row) {
      for (int column = 0; column < size; ++column) {
        const int cell = row * size + column;
        all.add(cell);
        constexpr std::array<std::array<int, 2>, 6> steps = {{{0, -1}, {0, 1}, {-1, 0}, {1, 0}, {-1, 1}, {1, -1}}};
        for (const auto& [down, right] : steps) {
          const int r = row + down;
          const int c = column + right;
          if (r >= 0 && r < size && c >= 0 && c < size) near[cell].add(r * size + c);
        }
        if (row == 0) edges[0][0].add(cell);
        if (row == size - 1) edges[0][1].add(cell);
        if (column == 0) edges[1][0].add(cell);
        if (column == size - 1) edges[1][1].add(cell);
      }
    }
  }

  // The board after half a turn: a symmetry of the game, while reflections exchange the colours.
  Set turned(const Set& set) const {
    Set result;
    set.each([&](int cell) { result.add(cells - 1 - cell); });
    return result;
  }
  // The cells of `mask` that are connected with `seed`, seed included where it lies within.
  Set flooded(const Set& seed, const Set& mask) const {
    Set reached = seed & mask;
    Set fresh = reached;
    while (!fresh.empty()) {
      Set around;
      fresh.each([&](int cell) { around |= near[cell]; });
      fresh = (around & mask) - reached;
      reached |= fresh;
    }
    return reached;
  }

  // Calls visit(chain, around) for every chain of these stones: its cells, and all that are beside them.
  template <typename Visit>
  void each_chain(const Set& stones, Visit&& visit) const {
    for (Set rest = stones; !rest.empty();) {
      const Set chain = flooded(Set{}.with(rest.first()), rest);
      rest -= chain;
      Set around;
      chain.each([&](int cell) { around |= near[cell]; });
      visit(chain, around);
    }
  }

  int size;
  int cells;
  std::vector<Set> near;
  std::array<std::array<Set, 2>, 2> edges;  // by player: the cells of its first and second side
  Set all;
};

// The stones of both players, without the side to move.
template <int Words>
struct Stones {
  using Set = CellSet<Words>;

  Set empty(const Geometry<Words>& geometry) const { return geometry.all - of[0] - of[1]; }
  friend bool operator==(const Stones&, const Stones&) = default;

  std::array<Set, 2> of{};
};

}  // namespace tesuji::hex
