// Line patterns: tables from the cells around a place to the pattern that a stone there makes.
//
// A line is a 64-bit key of two bits per cell: 0 empty, 1 black, 2 white, 3 outside the board. The nearest cells on
// either side index a table with the patterns of both colours. Freestyle needs four cells per side; where six in a row
// is not a five, it takes a fifth cell to tell.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tesuji::gomoku {

inline constexpr int black = 0;
inline constexpr int white = 1;

enum class Rule : std::uint8_t {
  freestyle,  // five or more in a row win
  standard,   // exactly five win
  renju,      // Black: exactly five wins; overline, double four and double three are forbidden. White: as in freestyle
};
inline constexpr std::array<std::string_view, 3> rule_names = {"freestyle", "standard", "renju"};

// Whether six in a row does not count as five.
inline bool exact_five(Rule rule, int colour) {
  return rule == Rule::standard || (rule == Rule::renju && colour == black);
}

// The strongest pattern that a new stone makes; x own stone, . empty, | opponent or edge. Defined by the fives through
// the new stone, so that broken shapes count like solid ones.
enum class Line : std::uint8_t {
  none,         // |x...|     no five is possible
  one,          // |.x...|    can become a two
  open_one,     // ..x...     can become an open two
  two,          // |xx...|    can become a three
  open_two,     // ..xx...    can become an open three
  three,        // |xx.x.|    can become a four
  open_three,   // ..xxx.     can become an open four, or, where allowed, a double four
  four,         // |xxx.x     one cell makes five
  double_four,  // x.xxx.x    two cells make five, not as an open four
  open_four,    // .xxxx.     two cells make five, one at each end
  five,         // xxxxx
  overline,     // xxxxxx     where it does not count as five
};
inline constexpr int line_kinds = 12;
inline constexpr std::array<std::string_view, line_kinds> line_names = {
    "none",       "one",  "open_one",    "two",       "open_two", "three",
    "open_three", "four", "double_four", "open_four", "five",     "overline"};

// Cells outside the board before a line's first place.
inline constexpr int line_margin = 5;

class LineTable {
 public:
  explicit LineTable(Rule rule);
  // The shared table of a rule, computed on first use.
  static const LineTable& of(Rule rule);

  // The patterns that a stone on this empty place makes: Black's in the lower four bits, White's in the upper four.
  std::uint8_t both(std::uint64_t line, int place) const {
    return reach_ == 4 ? both<4>(line, place) : both<5>(line, place);
  }
  // The same with a compile-time reach.
  template <int reach>
  std::uint8_t both(std::uint64_t line, int place) const {
    constexpr std::uint64_t lower = (std::uint64_t{1} << 2 * reach) - 1;
    const std::uint64_t window = line >> 2 * (place + line_margin - reach);
    return entries_[(window & lower) | (window >> 2 & lower << 2 * reach)];
  }
  // Cells on either side that are considered: four or five.
  int reach() const { return reach_; }

 private:
  static constexpr int max_entries = 1 << 20;
  int reach_;
  std::array<std::uint8_t, max_entries> entries_;
};

inline Line line_of(std::uint8_t both, int colour) {
  return static_cast<Line>(colour == black ? both & 15 : both >> 4);
}

}  // namespace tesuji::gomoku
