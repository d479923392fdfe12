// Incrementally updated patterns: the threat that a stone of either colour would make on each empty cell.
//
// A cell's four line patterns (lines.hpp) per colour form a 16-bit number, which a second table maps to a Threat. A
// stone changes the lines of at most 32 cells (40 if fives must be exact). Counts and sets of cells per threat are
// maintained. Undo information is a third faster than recomputing the cells (benchmarks/gomoku.py).
#pragma once

#include <bit>

#include "base/bit_set.hpp"
#include "games/gomoku/board/board.hpp"

namespace tesuji::gomoku {

// The threat that a stone makes in its four lines together, by increasing strength.
enum class Threat : std::uint8_t {
  none,
  one,           // a first stone where a five is possible
  two,           // two that can become a three
  open_two,      // two that can become an open three
  three,         // three that can become a four
  double_two,    // open twos in two lines
  open_three,    // three that can become an open four: must be answered, or countered by fours
  four,          // can become five in one way: forces the reply
  double_three,  // open threes in two lines; in renju possibly forbidden to Black: see forbidden()
  four_three,    // a four, and an open three in another line
  open_four,     // can become five in two ways: an open four or two fours
  five,          // wins
  forbidden,     // renju, Black: an overline or a double four
};
inline constexpr int threat_kinds = 13;
inline constexpr std::array<std::string_view, threat_kinds> threat_names = {
    "none", "one",          "two",        "open_two",  "three", "double_two", "open_three",
    "four", "double_three", "four_three", "open_four", "five",  "forbidden"};

// Of four line patterns, four bits each; `forbids`: for Black in renju.
Threat threat_of_lines(unsigned lines, bool forbids);

using CellSet = BitSet<(max_cells + 63) / 64>;

class Patterns {
 public:
  explicit Patterns(const Board& board);

  const Board& board() const { return board_; }
  // Places a stone on an empty cell.
  void play(int cell, int colour);
  // Removes any stone.
  void undo(int cell);
  // Faster versions for stones removed in reverse order, with undo information.
  struct Undo;
  void play(int cell, int colour, Undo& before);
  void undo(int cell, const Undo& before);

  // What a stone on this empty cell makes.
  Line line(int cell, int direction, int colour) const {
    return static_cast<Line>(lines_of(cell, colour) >> 4 * direction & 15);
  }
  Threat threat(int cell, int colour) const { return static_cast<Threat>(threats_[colour][lines_of(cell, colour)]); }
  // Whether renju forbids Black this empty cell.
  bool forbidden(int cell) const;

  // The number of empty cells where a stone makes this threat.
  int count(Threat threat, int colour) const { return tally_.counts[colour][static_cast<std::size_t>(threat)]; }
  // The cells themselves, for threats from first_set up.
  static constexpr Threat first_set = Threat::open_three;
  const CellSet& cells(Threat threat, int colour) const {
    return sets_[static_cast<std::size_t>(colour * set_kinds) + set_of(threat)];
  }

  // Weights of cells: for each colour, by the four lines of a cell. Their sums over the empty cells are updated with
  // every stone, in whole numbers, so that they never drift. The tables must outlive these patterns and their copies.
  using WeightTables = std::array<const std::int64_t*, 2>;
  void weigh(const WeightTables& weights);
  void stop_weighing() {
    weights_ = {};
    tally_.weights = {};
  }
  std::int64_t weight(int colour) const { return tally_.weights[colour]; }
  // The four lines of an empty cell, four bits each.
  std::uint16_t lines_of(int cell, int colour) const {
    return static_cast<std::uint16_t>(lines_[static_cast<std::size_t>(cell)] >> 16 * colour);
  }

  // A heuristic score for move ordering: the threat, then the sum of the line patterns.
  int score(int cell, int colour) const;

  bool operator==(const Patterns& other) const;

 private:
  static constexpr std::size_t set_of(Threat threat) {
    return static_cast<std::size_t>(threat) - static_cast<std::size_t>(first_set);
  }
  static constexpr int set_kinds = threat_kinds - static_cast<int>(first_set);
  struct Tally {
    std::array<std::array<std::uint16_t, threat_kinds>, 2> counts{};
    std::array<std::int64_t, 2> weights{};
    bool operator==(const Tally&) const = default;
  };
  // The cells changed by a stone with their previous lines, and what it changed in the sets.
  struct Changes {
    static constexpr std::size_t max_changed = 10 * directions;
    struct Entry {
      int cell;
      std::uint32_t lines;
    };
    struct Flip {
      std::uint16_t cell;
      std::uint16_t set;  // index in sets_
    };
    int count = 0;
    int flips = 0;
    std::array<Entry, max_changed> entries;
    // Of both colours, from one set to another; the stone's own cell too.
    std::array<Flip, 4 * (max_changed + 1)> flipped;
  };

  void compute(int cell);
  void count_cell(int cell, int by, Changes& changes);
  void flip(int cell, int colour, Threat threat, Changes& changes) {
    const std::size_t set = static_cast<std::size_t>(colour * set_kinds) + set_of(threat);
    sets_[set].flip(cell);
    changes.flipped[static_cast<std::size_t>(changes.flips++)] = {static_cast<std::uint16_t>(cell),
                                                                  static_cast<std::uint16_t>(set)};
  }
  void move_cell(int cell, int colour, Threat from, Threat to, Changes& changes);
  void update_around(int cell, Changes& changes);
  template <int reach, int direction>
  void update_line(int cell, Place at, Changes& changes);

  Board board_;
  const LineTable* table_;
  std::array<const std::uint8_t*, 2> threats_;    // by colour: four line patterns to a threat
  std::array<std::uint32_t, max_cells> lines_{};  // Black's four lines in the lower half; stale under stones
  WeightTables weights_{};                        // null: none
  Tally tally_;
  std::array<CellSet, 2 * set_kinds> sets_{};  // by colour and threat
};

struct Patterns::Undo {
  Changes changes;
  Tally tally;
};

// Whether a move of this colour may make a four or a five: a quick test before a search for wins by fours.
inline bool may_make_fours(const Patterns& patterns, int colour) {
  const auto any = [&](Threat threat) { return patterns.count(threat, colour) > 0; };
  if (any(Threat::four) || any(Threat::four_three) || any(Threat::open_four) || any(Threat::five)) return true;
  // Threes of Black in renju need not be real, and may be part of a four.
  return colour == black && patterns.board().rule() == Rule::renju && any(Threat::double_three);
}

}  // namespace tesuji::gomoku
