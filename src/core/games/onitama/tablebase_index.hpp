// Numbers for all positions of one set of five cards with few men, without a gap.
//
// The player to move plays up the board, as Blue does; where Red is to move the board is turned by 180°. Neither master
// stands on the other's temple: that game would be over. Then
//
//   index = (cards · 553 + masters) · ways + students
//
// with 30 ways to hold the cards, 553 to place two masters, and for the students, at most k a side,
//
//   ways = Σ_(a ≤ k) C(23, a) · Σ_(b ≤ k) C(23 − a, b):   1, 553 and 64,815 for k = 0, 1 and 2.
//
// The mover's students are numbered on the squares that the masters leave free, the other's on those that are left
// then, smaller sets first, sets of one size by their highest square.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "games/onitama/position.hpp"

namespace tesuji::onitama {

inline constexpr int card_placements = 30;
inline constexpr int master_pairs = 553;
inline constexpr int most_students = 2;

// Five cards by their numbers, in the order of their names.
using CardSet = std::array<std::uint8_t, deal_size>;

// The set of these cards; they are different.
CardSet card_set(const Deal& cards);

// Who holds what, as places in the card set; the mover's and the other's lower card come first.
struct Hands {
  std::array<std::uint8_t, 2> mover;
  std::array<std::uint8_t, 2> other;
  std::uint8_t side;
};

constexpr int square_turned(int square) { return squares - 1 - square; }

// Sets of at most two squares out of those that are free, by number.
constexpr int count_sets(int free, int most) {
  return 1 + (most > 0 ? free : 0) + (most > 1 ? free * (free - 1) / 2 : 0);
}
// `set` has at most two squares, none of them occupied.
constexpr int number_of_set(Board set, Board occupied) {
  const auto place = [&](int square) { return square - std::popcount(occupied & ((1U << square) - 1)); };
  if (set == 0) return 0;
  const int low = place(std::countr_zero(set));
  const Board rest = set & (set - 1);
  if (rest == 0) return 1 + low;
  const int high = place(std::countr_zero(rest));
  return count_sets(squares - std::popcount(occupied), 1) + high * (high - 1) / 2 + low;
}
Board set_of_number(int number, Board occupied);

// The numbers of what does not depend on the cards' names.
struct TablebaseShape {
  std::array<Hands, card_placements> hands;
  std::array<std::array<std::int8_t, 32>, 32> cards_of;  // by the mover's and the other's places in the set as bits
  struct Masters {
    std::uint8_t mover;
    std::uint8_t other;
  };
  std::array<Masters, master_pairs> masters;
  std::array<std::array<std::int16_t, squares>, squares> masters_of;  // by the mover's and the other's; -1: none
};
extern const TablebaseShape shape;

class TablebaseIndex {
 public:
  TablebaseIndex(const CardSet& cards, int students);

  const CardSet& cards() const { return cards_; }
  int students() const { return students_; }
  // Positions for one way to hold the cards and to place the masters.
  int ways() const { return ways_; }
  std::uint64_t size() const {
    return std::uint64_t{card_placements} * master_pairs * static_cast<std::uint64_t>(ways_);
  }

  // Nothing where the position is over, has other cards or too many students.
  std::optional<std::uint64_t> find(const Position& position) const;
  // The position of this number, with Blue to move; the deal is how the cards are held.
  Position position(std::uint64_t index) const;

  // Where the numbers of the positions with these students of the mover begin.
  int row_start(int mover_set) const {
    if (mover_set == 0) return 0;
    if (mover_set < pair_sets) return row_lengths_[0] + (mover_set - 1) * row_lengths_[1];
    return row_lengths_[0] + (pair_sets - 1) * row_lengths_[1] + (mover_set - pair_sets) * row_lengths_[2];
  }

 private:
  static constexpr int free_squares = squares - 2;
  static constexpr int pair_sets = 1 + free_squares;  // sets of two begin here

  CardSet cards_;
  int students_;
  std::array<int, most_students + 1> row_lengths_;  // by how many students the mover has
  int ways_;
  std::uint32_t set_bits_ = 0;                     // the cards as bits
  std::array<std::uint8_t, card_count> place_of_;  // in the set, by the card's number, as a bit
};

}  // namespace tesuji::onitama
