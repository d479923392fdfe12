// What a stone on each empty cell would make, for both colours, kept up to date stone by stone.
//
// Four line patterns a cell and colour (lines.hpp) are one 16-bit number, which a second table turns into the cell's
// Threat. A stone changes the lines of at most 32 cells (40 where five must be exact); counts and sets of cells answer
// "is there a five anywhere?" at once. A search that takes its stones back keeps what they changed, and puts it back:
// that takes a third less time than computing the same cells again (benchmarks/gomoku.py has both).
#pragma once

#include <bit>

#include "games/gomoku/board.hpp"

namespace tesuji::gomoku {

// What a stone makes in its four lines together, by what the opponent must do about it.
enum class Threat : std::uint8_t {
  none,
  one,           // a first stone where a five is still possible
  two,           // two that can become a three
  open_two,      // two that can become an open three
  three,         // three that can become a four
  double_two,    // open twos in two lines
  open_three,    // three that can become an open four: must be answered, or outrun by fours
  four,          // can become five in one way: must be answered there
  double_three,  // open threes in two lines; in renju, for Black, forbidden if two of them are real: ask forbidden()
  four_three,    // a four, and an open three in another line
  open_four,     // can become five in two ways, by an open four or by two fours
  five,          // wins
  forbidden,     // renju, Black: an overline or a double four
};
inline constexpr int threat_kinds = 13;
inline constexpr std::array<std::string_view, threat_kinds> threat_names = {
    "none", "one",          "two",        "open_two",  "three", "double_two", "open_three",
    "four", "double_three", "four_three", "open_four", "five",  "forbidden"};

// A set of cells, one bit each.
class CellSet {
 public:
  bool has(int cell) const { return (words_[static_cast<std::size_t>(cell) >> 6] >> (cell & 63) & 1U) != 0; }
  void flip(int cell) { words_[static_cast<std::size_t>(cell) >> 6] ^= std::uint64_t{1} << (cell & 63); }
  // The smallest; the set must not be empty.
  int first() const {
    std::size_t word = 0;
    while (words_[word] == 0) ++word;
    return static_cast<int>(word) * 64 + std::countr_zero(words_[word]);
  }
  // Calls visit(cell) for each, in ascending order.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t word = 0; word < words_.size(); ++word) {
      for (std::uint64_t bits = words_[word]; bits != 0; bits &= bits - 1) {
        visit(static_cast<int>(word) * 64 + std::countr_zero(bits));
      }
    }
  }
  CellSet& operator|=(const CellSet& other) {
    for (std::size_t word = 0; word < words_.size(); ++word) words_[word] |= other.words_[word];
    return *this;
  }
  bool operator==(const CellSet&) const = default;

 private:
  std::array<std::uint64_t, (max_cells + 63) / 64> words_{};
};

class Patterns {
 public:
  explicit Patterns(const Board& board);

  const Board& board() const { return board_; }
  // Puts a stone on an empty cell.
  void play(int cell, int colour);
  // Takes a stone away, the newest or any other.
  void undo(int cell);
  // As these, for the newest stone alone: `before` keeps what it changed.
  struct Before;
  void play(int cell, int colour, Before& before);
  void undo(int cell, const Before& before);

  // What a stone on this empty cell would make.
  Line line(int cell, int direction, int colour) const {
    return static_cast<Line>(lines_of(cell, colour) >> 4 * direction & 15);
  }
  Threat threat(int cell, int colour) const { return static_cast<Threat>(threats_[colour][lines_of(cell, colour)]); }
  // Whether renju forbids Black this empty cell.
  bool forbidden(int cell) const;

  // How many empty cells there are at which a stone would make this.
  int count(Threat threat, int colour) const { return tally_.counts[colour][static_cast<std::size_t>(threat)]; }
  // Which ones, from this threat upwards.
  static constexpr Threat first_set = Threat::open_three;
  const CellSet& cells(Threat threat, int colour) const { return tally_.sets[colour][set_of(threat)]; }

  // How promising a stone here looks, to order moves by: the stronger threat first, then what else it makes.
  int score(int cell, int colour) const;

  bool operator==(const Patterns& other) const;

 private:
  static constexpr std::size_t set_of(Threat threat) {
    return static_cast<std::size_t>(threat) - static_cast<std::size_t>(first_set);
  }
  struct Tally {
    std::array<std::array<std::uint16_t, threat_kinds>, 2> counts{};
    std::array<std::array<CellSet, threat_kinds - static_cast<int>(first_set)>, 2> sets{};
    bool operator==(const Tally&) const = default;
  };
  // The cells that a stone has changed, and their lines before.
  struct Changes {
    struct Entry {
      int cell;
      std::uint32_t lines;
    };
    int count = 0;
    std::array<Entry, 10 * directions> entries;
  };

  std::uint16_t lines_of(int cell, int colour) const {
    return static_cast<std::uint16_t>(lines_[static_cast<std::size_t>(cell)] >> 16 * colour);
  }
  void compute(int cell);
  void count_cell(int cell, int by);
  void move_cell(int cell, int colour, Threat from, Threat to);
  void update_around(int cell, Changes& changes);
  template <int reach, int direction>
  void update_line(int cell, Place at, Changes& changes);

  Board board_;
  const LineTable* table_;
  std::array<const std::uint8_t*, 2> threats_;    // by colour: from four lines to a threat
  std::array<std::uint32_t, max_cells> lines_{};  // Black's four lines in the lower half; not kept up under stones
  Tally tally_;
};

struct Patterns::Before {
  Changes changes;
  Tally tally;
};

}  // namespace tesuji::gomoku
