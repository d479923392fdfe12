// Renju's forbidden moves, by the rules of the Renju International Federation.
//
// Overlines and double fours are visible in the line patterns. A three, however, counts only if another stone can make
// it a straight four, without making five elsewhere and without being forbidden itself: the check is recursive.
#include <algorithm>
#include <cstdlib>

#include "games/gomoku/board/board.hpp"

namespace tesuji::gomoku {

namespace {

Line black_line(const LineTable& table, const Board& board, Place at, int direction) {
  const auto [index, place] = on_line(at, direction);
  return line_of(table.both(board.line(index), place), black);
}

// Whether Black, who has just played `last`, can make a straight four through it in this direction by an allowed stone.
// The new stone is at most three steps from `last`.
bool real_three(const LineTable& table, const Board& board, Place last, int direction) {
  const auto [row, column] = [&]() -> std::array<int, 2> {
    constexpr std::array<std::array<int, 2>, directions> steps{{{0, 1}, {1, 0}, {1, 1}, {-1, 1}}};
    return steps[static_cast<std::size_t>(direction)];
  }();
  const int size = board.size();
  for (const int sign : {1, -1}) {
    for (int steps = 1; steps <= 3; ++steps) {
      const int new_row = last.row + sign * steps * row;
      const int new_column = last.column + sign * steps * column;
      if (new_row < 0 || new_row >= size || new_column < 0 || new_column >= size) break;
      const Place at{static_cast<std::uint8_t>(new_row), static_cast<std::uint8_t>(new_column)};
      if (board.at(at) == black) continue;
      // Only the first empty cell on either side: a further one would leave a gap.
      if (board.empty(at) && black_line(table, board, at, direction) == Line::open_four &&
          !board.makes_five(at, black) && !board.forbidden(at)) {
        return true;
      }
      break;
    }
  }
  return false;
}

}  // namespace

bool Board::forbidden(Place at) const {
  if (rule_ != Rule::renju) return false;
  const LineTable& table = LineTable::of(rule_);
  int fours = 0;
  int threes = 0;
  bool overline = false;
  std::array<Line, directions> lines;
  for (int direction = 0; direction < directions; ++direction) {
    const Line line = lines[static_cast<std::size_t>(direction)] = black_line(table, *this, at, direction);
    if (line == Line::five) return false;
    overline |= line == Line::overline;
    fours += line == Line::double_four ? 2 : line == Line::four || line == Line::open_four ? 1 : 0;
    threes += line == Line::open_three ? 1 : 0;
  }
  if (overline || fours > 1) return true;
  if (threes < 2) return false;
  Board next = *this;
  next.put(at, black);
  int real = 0;
  for (int direction = 0; direction < directions; ++direction) {
    if (lines[static_cast<std::size_t>(direction)] != Line::open_three) continue;
    real += real_three(table, next, at, direction) ? 1 : 0;
  }
  return real > 1;
}

}  // namespace tesuji::gomoku
