// A dense numbering of all positions with few pieces and one set of five cards.
//
// Positions are seen from the side to move: if Red is to move, the board is rotated by 180°. Neither master stands on
// the other's temple, since that game would be over. Then
//
//   index = (cards · 553 + masters) · ways + students
//
// with 30 ways to hold the cards, 553 ways to place the masters, and for the students, at most k per side,
//
//   ways = Σ_(a ≤ k) C(23, a) · Σ_(b ≤ k) C(23 − a, b):   1, 553 and 64,815 for k = 0, 1 and 2.
//
// The mover's students are numbered on the squares not occupied by masters, the other's on those still free; smaller
// sets first, sets of equal size by their highest square.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "games/onitama/position.hpp"

namespace tesuji::onitama {

inline constexpr int card_placements = 30;
inline constexpr int master_pairs = 553;
inline constexpr int max_students = 2;

// Five card numbers, in alphabetical order of the names.
using CardSet = std::array<std::uint8_t, deal_size>;

// Sorts five distinct cards.
CardSet card_set(const Deal& cards);

// Who holds which card, as indices in the card set, in ascending order.
struct Hands {
  std::array<std::uint8_t, 2> mover;
  std::array<std::uint8_t, 2> other;
  std::uint8_t side;
};

constexpr int square_turned(int square) { return squares - 1 - square; }

// The number of sets of at most `most` (0 to 2) squares out of `free`.
constexpr int count_sets(int free, int most) {
  return 1 + (most > 0 ? free : 0) + (most > 1 ? free * (free - 1) / 2 : 0);
}
// The number of a set of at most two unoccupied squares, and its inverse.
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

// The part of the numbering that does not depend on the cards.
struct TablebaseShape {
  std::array<Hands, card_placements> hands;
  std::array<std::array<std::int8_t, 32>, 32> cards_of;  // by the mover's and the other's cards as bit sets
  struct Masters {
    std::uint8_t mover;
    std::uint8_t other;
  };
  std::array<Masters, master_pairs> masters;
  std::array<std::array<std::int16_t, squares>, squares>
      masters_of;  // by the mover's and the other's square; -1: impossible
};
extern const TablebaseShape shape;

class TablebaseIndex {
 public:
  TablebaseIndex(const CardSet& cards, int students);

  const CardSet& cards() const { return cards_; }
  int students() const { return students_; }
  // Placements of the students for given cards and masters.
  int ways() const { return ways_; }
  std::uint64_t size() const {
    return std::uint64_t{card_placements} * master_pairs * static_cast<std::uint64_t>(ways_);
  }

  // Empty if the game is over, the cards differ or there are too many students.
  std::optional<std::uint64_t> find(const Position& position) const;
  // The position with this number, Blue to move.
  Position position(std::uint64_t index) const;

  // The first number with this set of the mover's students.
  int row_start(int mover_set) const {
    if (mover_set == 0) return 0;
    if (mover_set < pair_sets) return row_lengths_[0] + (mover_set - 1) * row_lengths_[1];
    return row_lengths_[0] + (pair_sets - 1) * row_lengths_[1] + (mover_set - pair_sets) * row_lengths_[2];
  }

 private:
  static constexpr int free_squares = squares - 2;
  static constexpr int pair_sets = 1 + free_squares;  // first set of two

  CardSet cards_;
  int students_;
  std::array<int, max_students + 1> row_lengths_;  // by the number of the mover's students
  int ways_;
  std::uint32_t set_bits_ = 0;                     // the cards as bits
  std::array<std::uint8_t, card_count> place_of_;  // index in the set as a bit, by card number
};

}  // namespace tesuji::onitama
