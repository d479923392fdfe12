// Rows of bits, as the solver of tablebases uses them: one bit for each set of at most two students on the 25 squares.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "games/onitama/tablebase_index.hpp"

namespace tesuji::onitama {

inline constexpr int most_sets = count_sets(squares, most_students);

// The sets, by their numbers on the empty board.
struct Sets {
  std::array<Board, most_sets> board{};
  std::array<std::array<std::uint8_t, 2>, most_sets> square{};    // lower, higher; the lower alone where there is one
  std::array<std::int16_t, most_sets> turned{};                   // the board by 180°
  std::array<std::array<std::int16_t, squares>, squares> pair{};  // by two squares in either order

  Sets() {
    for (std::int16_t number = 0; number < most_sets; ++number) {
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

// `words` is 1 for sets of at most one student, 6 for two.
template <int words>
struct Row {
  std::array<std::uint64_t, words> word{};

  // The bits that are also in another row, are in either, or are in this one alone.
  Row operator&(const Row& other) const {
    return combine(other, [](auto a, auto b) { return a & b; });
  }
  Row operator|(const Row& other) const {
    return combine(other, [](auto a, auto b) { return a | b; });
  }
  Row operator-(const Row& other) const {
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
  Row combine(const Row& other, Combine&& by) const {
    Row result;
    for (int i = 0; i < words; ++i) result.word[i] = by(word[i], other.word[i]);
    return result;
  }
};

}  // namespace tesuji::onitama
