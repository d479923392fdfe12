#include "games/gomoku/threats/board.hpp"

#include <algorithm>

namespace tesuji::gomoku {

namespace {

bool is_four(Line line) { return line == Line::four || line == Line::double_four || line == Line::open_four; }

}  // namespace

void ThreatBoard::begin(const Patterns& patterns) {
  patterns_.emplace(patterns);
  patterns_->stop_weighing();
  plies_ = 0;
  hash_ = zobrist_key(KeyOf::rules, static_cast<std::uint64_t>(board().size() * rule_names.size()) +
                                        static_cast<std::uint64_t>(board().rule()));
  for (int cell = 0; cell < cells(); ++cell) {
    if (!empty(cell)) hash_ ^= key_of(cell, board().at(board().place(cell)));
  }
}

std::uint64_t ThreatBoard::second_hash() const {
  std::uint64_t hash = 0;
  for (int cell = 0; cell < cells(); ++cell) {
    if (!empty(cell)) hash ^= stone_key(cell, board().at(board().place(cell)), KeyOf::stone_in_second_hash);
  }
  return hash;
}

// White stones only remove Black's fours and threes, but removing one three can make another one real. So at least two
// must exist before a move can become forbidden.
bool ThreatBoard::close_to_forbidden(int cell, int colour) const {
  if (!may_be_forbidden(colour)) return false;
  int found = 0;
  for (int direction = 0; direction < directions; ++direction) {
    const Line line = patterns_->line(cell, direction, colour);
    found += is_four(line) || line == Line::open_three;
  }
  return found > 1;
}

int ThreatBoard::first_legal(int colour) const {
  for (int cell = 0; cell < cells(); ++cell) {
    if (empty(cell) && legal(cell, colour)) return cell;
  }
  return no_cell;
}

bool ThreatBoard::line_makes_four(int cell, int colour) const {
  for (int direction = 0; direction < directions; ++direction) {
    if (is_four(patterns_->line(cell, direction, colour))) return true;
  }
  return false;
}

bool ThreatBoard::makes_four(int cell, int colour) const {
  return !makes_five(cell, colour) && line_makes_four(cell, colour);
}

bool ThreatBoard::makes_double_four(int cell, int colour) const {
  const Threat threat = patterns_->threat(cell, colour);
  if (threat == Threat::open_four) return true;
  if (!may_be_forbidden(colour) || threat != Threat::double_three) return false;
  for (int direction = 0; direction < directions; ++direction) {  // the threes need not be real
    if (patterns_->line(cell, direction, colour) == Line::open_four) return true;
  }
  return false;
}

bool ThreatBoard::prepares_double_four(int cell, int colour) const {
  constexpr int reach = 4;  // of a four
  const Place at = board().place(cell);
  for (int direction = 0; direction < directions; ++direction) {
    const Line line = patterns_->line(cell, direction, colour);
    if (line == Line::open_three) return true;
    if (line != Line::three && line != Line::four) continue;
    int fours_in_line = line == Line::four ? -1 : 0;  // without the cell that stops this four
    const auto [index, place] = on_line(at, direction);
    for (int offset = -reach; offset <= reach; ++offset) {
      if (offset == 0 || !board().empty_on_line(index, place + offset)) continue;
      const int near = cell + offset * board().step(direction);
      const Line there = patterns_->line(near, direction, colour);
      if (is_four(there) && ++fours_in_line > 0) return true;
      if (there != Line::three && there != Line::open_three) continue;
      for (int other = 0; other < directions; ++other) {
        if (other != direction && is_four(patterns_->line(near, other, colour))) return true;
      }
    }
  }
  return false;
}

void ThreatBoard::fours(int colour, CellList& list) const {
  list.add(patterns_->cells(Threat::open_four, colour));
  list.add(patterns_->cells(Threat::four_three, colour));
  list.add(patterns_->cells(Threat::four, colour));
  if (!may_be_forbidden(colour)) return;
  for (const Threat threat : {Threat::double_three, Threat::forbidden}) {
    patterns_->cells(threat, colour).each([&](int cell) {
      if (line_makes_four(cell, colour)) list.add(cell);
    });
  }
}

void ThreatBoard::threes(int colour, CellList& list) const {
  const int fours = list.size();
  for (const Threat threat : {Threat::double_three, Threat::open_three}) {
    patterns_->cells(threat, colour).each([&](int cell) {
      if (!may_be_forbidden(colour) || !line_makes_four(cell, colour)) list.add(cell);
    });
  }
  const auto worth = [&](int cell) { return patterns_->score(cell, colour) + patterns_->score(cell, 1 - colour); };
  std::sort(list.begin() + fours, list.end(), [&](int a, int b) {
    const int difference = worth(a) - worth(b);
    return difference != 0 ? difference > 0 : a < b;
  });
}

void ThreatBoard::quiet_threats(int colour, CellList& list) const {
  int left = patterns_->count(Threat::three, colour) + patterns_->count(Threat::double_two, colour);
  for (int cell = 0; left > 0 && cell < cells(); ++cell) {
    const Threat threat = patterns_->threat(cell, colour);
    if ((threat != Threat::three && threat != Threat::double_two) || !empty(cell)) continue;
    list.add(cell);
    --left;
  }
}

}  // namespace tesuji::gomoku
