#include "games/hex/surroundings.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/hash.hpp"

namespace tesuji::hex {

namespace {

struct Offset {
  int row;
  int column;
  std::array<std::uint64_t, 2> hash;  // of a stone there: the opponent's, own
};

int steps(int row, int column) { return std::max({std::abs(row), std::abs(column), std::abs(row + column)}); }

std::uint64_t half_hash(int row, int column, int own) {
  return mix(static_cast<std::uint64_t>(((row + 8) * 16 + column + 8) * 2 + own) * golden_ratio) >> 32;
}

std::vector<Offset> offsets(int nearest, int furthest) {
  std::vector<Offset> found;
  for (int row = -furthest; row <= furthest; ++row) {
    for (int column = -furthest; column <= furthest; ++column) {
      const int away = steps(row, column);
      if (away < nearest || away > furthest) continue;
      Offset offset{row, column, {}};
      for (const int own : {0, 1}) {
        offset.hash[static_cast<std::size_t>(own)] = half_hash(row, column, own) | half_hash(-row, -column, own) << 32;
      }
      found.push_back(offset);
    }
  }
  return found;
}

// Up to two steps away, and three.
const std::array<std::vector<Offset>, 2>& rings() {
  static const std::array<std::vector<Offset>, 2> found = {offsets(1, 2), offsets(3, 3)};
  return found;
}

}  // namespace

Surroundings::Surroundings(int size) {
  for (std::size_t ring = 0; ring < rings().size(); ++ring) {
    for (int row = 0; row < size; ++row) {
      for (int column = 0; column < size; ++column) {
        for (const Offset& offset : rings()[ring]) {
          const int there = row + offset.row;
          const int aside = column + offset.column;
          const bool above = there < 0 || there >= size;
          if (above || aside < 0 || aside >= size) rings_[ring][at(row, column)] ^= offset.hash[above ? 1 : 0];
        }
      }
    }
  }
}

const Surroundings& Surroundings::empty_board(int size) {
  static const std::vector<Surroundings> all = [] {
    std::vector<Surroundings> made;
    for (int each = 0; each <= max_size; ++each) made.push_back(Surroundings(each));
    return made;
  }();
  return all[static_cast<std::size_t>(size)];
}

Surroundings::Surroundings(const HexState& state, int mover) : Surroundings(empty_board(state.size())) {
  for (const int player : {0, 1}) {
    for_each_cell(state.size(), state.stones(player), [&](int row, int column) {
      if (mover == 1) std::swap(row, column);
      add(row, column, player == mover);
    });
  }
}

void Surroundings::add(int row, int column, bool own) {
  for (std::size_t ring = 0; ring < rings().size(); ++ring) {
    for (const Offset& offset : rings()[ring]) {
      rings_[ring][at(row - offset.row, column - offset.column)] ^= offset.hash[own ? 1 : 0];
    }
  }
}

}  // namespace tesuji::hex
