#include "games/gomoku/board/lines.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace tesuji::gomoku {

namespace {

constexpr std::uint8_t unknown = 0xFF;

// Classifies windows for one colour, given own stones and blocked cells as bits; the new stone is in the middle.
class LineClassifier {
 public:
  LineClassifier(int reach, bool exact, bool forbids_double_four)
      : centre_(reach),
        width_(2 * reach + 1),
        exact_(exact),
        forbids_double_four_(forbids_double_four),
        patterns_(std::size_t{1} << 2 * width_, unknown) {}

  Line classify(unsigned own, unsigned blocked) {
    own |= 1U << centre_;
    std::uint8_t& known = patterns_[own | blocked << width_];
    if (known == unknown) known = static_cast<std::uint8_t>(compute(own, blocked));
    return static_cast<Line>(known);
  }

 private:
  Line compute(unsigned own, unsigned blocked) {
    int left = centre_;
    int right = centre_;
    while (holds(own, left)) --left;
    while (holds(own, right)) ++right;
    const int length = right - left - 1;
    if (is_five(length)) return Line::five;
    if (length > 5) return Line::overline;
    const bool fives_left = makes_five(own, blocked, left);
    const bool fives_right = makes_five(own, blocked, right);
    if (fives_left && fives_right) return length == 4 ? Line::open_four : Line::double_four;
    if (fives_left || fives_right) return Line::four;
    Line best = Line::none;
    for (int cell = 0; cell < width_; ++cell) {
      if (!holds(own | blocked, cell)) best = std::max(best, predecessor(classify(own | 1U << cell, blocked)));
    }
    return best;
  }

  // The pattern that becomes `next` with one more stone.
  Line predecessor(Line next) const {
    constexpr std::array<Line, line_kinds> predecessors = {
        Line::none,     Line::none,  Line::none,       Line::one,        Line::open_one, Line::two,
        Line::open_two, Line::three, Line::open_three, Line::open_three, Line::none,     Line::none};
    if (next == Line::double_four && forbids_double_four_) return Line::none;
    return predecessors[static_cast<std::size_t>(next)];
  }

  bool holds(unsigned cells, int cell) const { return cell >= 0 && cell < width_ && (cells >> cell & 1U) != 0; }
  bool is_five(int length) const { return exact_ ? length == 5 : length >= 5; }

  bool makes_five(unsigned own, unsigned blocked, int cell) const {
    if (cell < 0 || cell >= width_ || holds(blocked, cell)) return false;
    int left = cell;
    int right = cell;
    do --left;
    while (holds(own, left));
    do ++right;
    while (holds(own, right));
    return is_five(right - left - 1);
  }

  int centre_;
  int width_;
  bool exact_;
  bool forbids_double_four_;
  std::vector<std::uint8_t> patterns_;
};

}  // namespace

LineTable::LineTable(Rule rule) : reach_(rule == Rule::freestyle ? 4 : 5), entries_{} {
  std::array<LineClassifier, 2> classifiers{LineClassifier(reach_, exact_five(rule, black), rule == Rule::renju),
                                            LineClassifier(reach_, exact_five(rule, white), false)};
  for (unsigned index = 0; index < 1U << 4 * reach_; ++index) {
    std::array<unsigned, 4> cells{};  // by what is on them
    for (int cell = 0; cell < 2 * reach_; ++cell) {
      cells[index >> 2 * cell & 3U] |= 1U << (cell < reach_ ? cell : cell + 1);
    }
    const auto [empty, of_black, of_white, outside] = cells;
    const Line blacks = classifiers[black].classify(of_black, of_white | outside);
    const Line whites = classifiers[white].classify(of_white, of_black | outside);
    entries_[index] = static_cast<std::uint8_t>(static_cast<unsigned>(blacks) | static_cast<unsigned>(whites) << 4);
  }
}

namespace {

// Separate statics, so that freestyle does not compute the larger tables.
template <Rule rule>
const LineTable& shared_table() {
  static const auto table = std::make_unique<const LineTable>(rule);
  return *table;
}

}  // namespace

const LineTable& LineTable::of(Rule rule) {
  if (rule == Rule::freestyle) return shared_table<Rule::freestyle>();
  return rule == Rule::standard ? shared_table<Rule::standard>() : shared_table<Rule::renju>();
}

}  // namespace tesuji::gomoku
