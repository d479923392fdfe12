// What a stone makes of a line: tables from the cells around it to a name.
//
// A line is a 64-bit key, two bits a cell: 0 empty, 1 black, 2 white, 3 outside the board. The nearest cells on either
// side of a place, without the place itself, index a table that says at once what a stone of either colour makes
// there. Four cells a side decide freestyle, five where six in a row is no five: every five through the place lies
// within four, and one more cell tells whether it is longer.
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

// Whether six in a row is no five.
inline bool exact_five(Rule rule, int colour) {
  return rule == Rule::standard || (rule == Rule::renju && colour == black);
}

// What the new stone makes, the strongest of what holds; x are own stones, . empty cells, | the enemy or the edge.
// Only fives through the new stone count, so broken shapes are no other than solid ones.
enum class Line : std::uint8_t {
  none,         // |x...|     no five is possible any more
  one,          // |.x...|    can become a two
  open_one,     // ..x...     can become an open two
  two,          // |xx...|    can become a three
  open_two,     // ..xx...    can become an open three
  three,        // |xx.x.|    can become a four
  open_three,   // ..xxx.     can become an open four, or where that is allowed a double one
  four,         // |xxx.x     one cell makes five
  double_four,  // x.xxx.x    two cells make five, and each of them alone
  open_four,    // .xxxx.     two cells make five, one at each end
  five,         // xxxxx
  overline,     // xxxxxx     where that is no five
};
inline constexpr int line_kinds = 12;
inline constexpr std::array<std::string_view, line_kinds> line_names = {
    "none",       "one",  "open_one",    "two",       "open_two", "three",
    "open_three", "four", "double_four", "open_four", "five",     "overline"};

// So many cells outside the board come before a line's first place.
inline constexpr int line_margin = 5;

class LineTable {
 public:
  explicit LineTable(Rule rule);
  // The one of this rule, made when it is first needed.
  static const LineTable& of(Rule rule);

  // What a stone on this empty place of a line makes: Black's in the lower four bits, White's in the upper four.
  std::uint8_t both(std::uint64_t line, int place) const {
    return reach_ == 4 ? both<4>(line, place) : both<5>(line, place);
  }
  // The same where the reach is known.
  template <int reach>
  std::uint8_t both(std::uint64_t line, int place) const {
    constexpr std::uint64_t lower = (std::uint64_t{1} << 2 * reach) - 1;
    const std::uint64_t window = line >> 2 * (place + line_margin - reach);
    return entries_[(window & lower) | (window >> 2 & lower << 2 * reach)];
  }
  // How many cells on either side it looks at: four or five.
  int reach() const { return reach_; }

 private:
  static constexpr int most_entries = 1 << 20;
  int reach_;
  std::array<std::uint8_t, most_entries> entries_;
};

inline Line line_of(std::uint8_t both, int colour) {
  return static_cast<Line>(colour == black ? both & 15 : both >> 4);
}

}  // namespace tesuji::gomoku
