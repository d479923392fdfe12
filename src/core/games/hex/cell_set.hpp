// A set of Hex cells in as few words as the board needs, and a board made of such sets: what the solver works with.
//
// Cell row · size + column is a bit. One word holds boards up to 8×8, two words 11×11, six words 19×19.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/hash.hpp"

namespace tesuji::hex {

template <int Words>
class CellSet {
 public:
  static constexpr int capacity = 64 * Words;

  bool has(int cell) const { return (words_[cell >> 6] >> (cell & 63) & 1U) != 0; }
  void add(int cell) { words_[cell >> 6] |= std::uint64_t{1} << (cell & 63); }
  void remove(int cell) { words_[cell >> 6] &= ~(std::uint64_t{1} << (cell & 63)); }
  bool empty() const {
    std::uint64_t all = 0;
    for (const std::uint64_t word : words_) all |= word;
    return all == 0;
  }
  int count() const {
    int total = 0;
    for (const std::uint64_t word : words_) total += std::popcount(word);
    return total;
  }
  // The lowest cell of a set that is not empty.
  int first() const {
    int i = 0;
    while (words_[i] == 0) ++i;
    return 64 * i + std::countr_zero(words_[i]);
  }
  bool within(const CellSet& other) const {
    std::uint64_t outside = 0;
    for (int i = 0; i < Words; ++i) outside |= words_[i] & ~other.words_[i];
    return outside == 0;
  }
  bool meets(const CellSet& other) const {
    std::uint64_t common = 0;
    for (int i = 0; i < Words; ++i) common |= words_[i] & other.words_[i];
    return common != 0;
  }
  CellSet with(int cell) const {
    CellSet result = *this;
    result.add(cell);
    return result;
  }
  CellSet without(int cell) const {
    CellSet result = *this;
    result.remove(cell);
    return result;
  }
  CellSet& operator|=(const CellSet& other) {
    for (int i = 0; i < Words; ++i) words_[i] |= other.words_[i];
    return *this;
  }
  CellSet& operator&=(const CellSet& other) {
    for (int i = 0; i < Words; ++i) words_[i] &= other.words_[i];
    return *this;
  }
  CellSet& operator-=(const CellSet& other) {
    for (int i = 0; i < Words; ++i) words_[i] &= ~other.words_[i];
    return *this;
  }
  friend CellSet operator|(CellSet a, const CellSet& b) { return a |= b; }
  friend CellSet operator&(CellSet a, const CellSet& b) { return a &= b; }
  friend CellSet operator-(CellSet a, const CellSet& b) { return a -= b; }
  friend bool operator==(const CellSet&, const CellSet&) = default;
  friend bool operator<(const CellSet& a, const CellSet& b) { return a.words_ < b.words_; }

  // Calls visit(cell) in ascending order.
  template <typename Visit>
  void each(Visit&& visit) const {
    for (int i = 0; i < Words; ++i) {
      for (std::uint64_t bits = words_[i]; bits != 0; bits &= bits - 1) visit(64 * i + std::countr_zero(bits));
    }
  }
  std::uint64_t mixed_into(std::uint64_t hash) const {
    for (const std::uint64_t word : words_) hash = hash_combine(hash, word);
    return hash;
  }

 private:
  std::array<std::uint64_t, Words> words_{};
};

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
