// Bit rows of the tablebase solver: one bit per set of at most two students on the 25 squares.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "games/onitama/tablebase_index.hpp"

namespace tesuji::onitama {

inline constexpr int max_sets = count_sets(squares, max_students);

// All sets of students, by their number on the empty board.
struct StudentSets {
  std::array<Board, max_sets> board{};
  std::array<std::array<std::uint8_t, 2>, max_sets> square{};     // lower and higher square
  std::array<std::int16_t, max_sets> turned{};                    // the set rotated by 180°
  std::array<std::array<std::int16_t, squares>, squares> pair{};  // by two squares, in either order

  StudentSets() {
    for (std::int16_t number = 0; number < max_sets; ++number) {
      board[number] = set_of_number(number, 0);
      Board there = 0;
      int count = 0;
      for_each_square(board[number], [&](int each) {
        square[number][count++] = static_cast<std::uint8_t>(each);
        there |= 1U << square_turned(each);
      });
      turned[number] = static_cast<std::int16_t>(number_of_set(there, 0));
      const auto [low, high] = square[number];
      if (count == 2) pair[low][high] = pair[high][low] = number;
    }
  }
};

// `words`: 1 for sets of at most one student, 6 for two.
template <int words>
struct BitRow {
  std::array<std::uint64_t, words> word{};

  // Intersection, union, difference.
  BitRow operator&(const BitRow& other) const {
    return combine(other, [](auto a, auto b) { return a & b; });
  }
  BitRow operator|(const BitRow& other) const {
    return combine(other, [](auto a, auto b) { return a | b; });
  }
  BitRow operator-(const BitRow& other) const {
    return combine(other, [](auto a, auto b) { return a & ~b; });
  }
  bool any() const {
    std::uint64_t all = 0;
    for (const std::uint64_t each : word) all |= each;
    return all != 0;
  }
  bool has(int bit) const { return (word[bit / 64] >> (bit % 64) & 1U) != 0; }
  void set(int bit) { word[bit / 64] |= std::uint64_t{1} << (bit % 64); }
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (int i = 0; i < words; ++i) {
      for (std::uint64_t left = word[i]; left != 0; left &= left - 1) {
        visit(64 * i + std::countr_zero(left));
      }
    }
  }

 private:
  template <typename Combine>
  BitRow combine(const BitRow& other, Combine&& by) const {
    BitRow result;
    for (int i = 0; i < words; ++i) result.word[i] = by(word[i], other.word[i]);
    return result;
  }
};

}  // namespace tesuji::onitama
