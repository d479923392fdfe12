#include "games/gomoku/board/patterns.hpp"

#include <memory>
#include <type_traits>

namespace tesuji::gomoku {

static_assert(std::is_trivially_copyable_v<Patterns>);

Threat threat_of_lines(unsigned lines, bool forbids) {
  std::array<int, line_kinds> found{};
  for (int direction = 0; direction < directions; ++direction) ++found.at(lines >> 4 * direction & 15);
  const auto count = [&](Line line) { return found[static_cast<std::size_t>(line)]; };
  const int fours = count(Line::four) + count(Line::open_four) + 2 * count(Line::double_four);
  const int threes = count(Line::open_three);
  if (count(Line::five) > 0) return Threat::five;
  if (forbids && (count(Line::overline) > 0 || fours > 1)) return Threat::forbidden;
  if (forbids && threes > 1) return Threat::double_three;
  if (count(Line::open_four) > 0 || fours > 1) return Threat::open_four;
  if (fours > 0) return threes > 0 ? Threat::four_three : Threat::four;
  if (threes > 0) return threes > 1 ? Threat::double_three : Threat::open_three;
  if (count(Line::open_two) > 1) return Threat::double_two;
  if (count(Line::three) > 0) return Threat::three;
  if (count(Line::open_two) > 0) return Threat::open_two;
  if (count(Line::two) > 0) return Threat::two;
  return count(Line::one) + count(Line::open_one) > 0 ? Threat::one : Threat::none;
}

namespace {

using ThreatTable = std::array<std::uint8_t, 1 << 16>;

std::unique_ptr<const ThreatTable> make_threats(bool forbids) {
  auto table = std::make_unique<ThreatTable>();
  for (unsigned lines = 0; lines < table->size(); ++lines) {
    bool named = true;
    for (int direction = 0; direction < directions; ++direction) named &= (lines >> 4 * direction & 15) < line_kinds;
    if (named) (*table)[lines] = static_cast<std::uint8_t>(threat_of_lines(lines, forbids));
  }
  return table;
}

const std::uint8_t* threats_for(Rule rule, int colour) {
  static const auto plain = make_threats(false);
  static const auto forbidding = make_threats(true);
  return (rule == Rule::renju && colour == black ? forbidding : plain)->data();
}

// Hand-tuned: a double three and stronger threats outrank any sum of weaker lines; a plain four does not, since it is
// answered by one stone. A single open four outranks 0.9 times (PatternOrdering's discount) the largest sum of lines,
// so that the own one is tried before the opponent's is stopped.
constexpr std::array<int, line_kinds> line_scores = {0, 1, 2, 4, 10, 12, 40, 45, 90, 90, 0, 0};
constexpr std::array<int, threat_kinds> threat_scores = {0, 0, 0, 0, 0, 0, 0, 0, 200, 400, 2500, 12000, 0};

}  // namespace

Patterns::Patterns(const Board& board)
    : board_(board),
      table_(&LineTable::of(board.rule())),
      threats_{threats_for(board.rule(), black), threats_for(board.rule(), white)} {
  for (int cell = 0; cell < board_.cells(); ++cell) {
    if (!board_.empty(cell)) continue;
    compute(cell);
    Changes changes;
    count_cell(cell, 1, changes);
  }
}

void Patterns::compute(int cell) {
  const Place at = board_.place(cell);
  std::uint32_t lines = 0;
  for (int direction = 0; direction < directions; ++direction) {
    const auto [index, place] = on_line(at, direction);
    const std::uint32_t both = table_->both(board_.line(index), place);
    lines |= ((both & 0x0FU) | (both & 0xF0U) << 12) << 4 * direction;
  }
  lines_[static_cast<std::size_t>(cell)] = lines;
}

void Patterns::count_cell(int cell, int by, Changes& changes) {
  for (const int colour : {black, white}) {
    const Threat made = threat(cell, colour);
    auto& count = tally_.counts[colour][static_cast<std::size_t>(made)];
    count = static_cast<std::uint16_t>(count + by);
    if (made >= first_set) flip(cell, colour, made, changes);
    if (weights_[colour] != nullptr) tally_.weights[colour] += by * weights_[colour][lines_of(cell, colour)];
  }
}

void Patterns::weigh(const WeightTables& weights) {
  weights_ = weights;
  for (const int colour : {black, white}) {
    tally_.weights[colour] = 0;
    for (int cell = 0; cell < board_.cells(); ++cell) {
      if (board_.empty(cell)) tally_.weights[colour] += weights_[colour][lines_of(cell, colour)];
    }
  }
}

inline void Patterns::move_cell(int cell, int colour, Threat from, Threat to, Changes& changes) {
  if (from == to) return;
  --tally_.counts[colour][static_cast<std::size_t>(from)];
  ++tally_.counts[colour][static_cast<std::size_t>(to)];
  if (from >= first_set) flip(cell, colour, from, changes);
  if (to >= first_set) flip(cell, colour, to, changes);
}

// Updates the empty cells of one line within reach of a changed stone. Compile-time reach and direction save 10 % of
// the time.
template <int reach, int direction>
inline void Patterns::update_line(int cell, Place at, Changes& changes) {
  constexpr std::uint32_t others = ~(0x000F000FU << 4 * direction);
  const auto [index, place] = on_line(at, direction);
  const std::uint64_t line = board_.line(index);
  const int step = board_.step(direction);
  const int middle = 2 * (place + line_margin);
  // One bit per cell, without the stone's own.
  constexpr std::uint64_t window = ((std::uint64_t{1} << (4 * reach + 2)) - 1) & ~(std::uint64_t{1} << 2 * reach);
  std::uint64_t open = ~(line | line >> 1) & 0x5555555555555555ULL & window << (middle - 2 * reach);
  for (; open != 0; open &= open - 1) {
    const int bit = std::countr_zero(open);
    const int near = cell + ((bit - middle) >> 1) * step;
    const std::uint32_t both = table_->both<reach>(line, (bit >> 1) - line_margin);
    const std::uint32_t old = lines_[static_cast<std::size_t>(near)];
    const std::uint32_t now = (old & others) | ((both & 0x0FU) | (both & 0xF0U) << 12) << 4 * direction;
    if (now == old) continue;
    lines_[static_cast<std::size_t>(near)] = now;
    changes.entries[static_cast<std::size_t>(changes.count++)] = {near, old};
    for (const int colour : {black, white}) {
      const std::uint8_t* const threats = threats_[colour];
      const std::uint32_t from = old >> 16 * colour & 0xFFFFU;
      const std::uint32_t to = now >> 16 * colour & 0xFFFFU;
      move_cell(near, colour, static_cast<Threat>(threats[from]), static_cast<Threat>(threats[to]), changes);
      if (weights_[colour] != nullptr) tally_.weights[colour] += weights_[colour][to] - weights_[colour][from];
    }
  }
}

void Patterns::update_around(int cell, Changes& changes) {
  const Place at = board_.place(cell);
  const auto update = [&]<int reach>(std::integral_constant<int, reach>) {
    update_line<reach, 0>(cell, at, changes);
    update_line<reach, 1>(cell, at, changes);
    update_line<reach, 2>(cell, at, changes);
    update_line<reach, 3>(cell, at, changes);
  };
  if (table_->reach() == 4) {
    update(std::integral_constant<int, 4>());
  } else {
    update(std::integral_constant<int, 5>());
  }
}

void Patterns::play(int cell, int colour) {
  Changes changes;
  count_cell(cell, -1, changes);
  board_.put(board_.place(cell), colour);
  update_around(cell, changes);
}

void Patterns::undo(int cell) {
  Changes changes;
  const Place at = board_.place(cell);
  board_.take(at, board_.at(at));
  compute(cell);
  count_cell(cell, 1, changes);
  update_around(cell, changes);
}

void Patterns::play(int cell, int colour, Undo& before) {
  before.tally = tally_;
  before.changes.count = before.changes.flips = 0;
  count_cell(cell, -1, before.changes);
  board_.put(board_.place(cell), colour);
  update_around(cell, before.changes);
}

void Patterns::undo(int cell, const Undo& before) {
  const Place at = board_.place(cell);
  board_.take(at, board_.at(at));
  for (int i = 0; i < before.changes.count; ++i) {
    const auto [near, lines] = before.changes.entries[static_cast<std::size_t>(i)];
    lines_[static_cast<std::size_t>(near)] = lines;
  }
  for (int i = 0; i < before.changes.flips; ++i) {
    const auto [changed, set] = before.changes.flipped[static_cast<std::size_t>(i)];
    sets_[set].flip(changed);
  }
  tally_ = before.tally;
}

bool Patterns::forbidden(int cell) const {
  if (board_.rule() != Rule::renju) return false;
  const Threat made = threat(cell, black);
  return made == Threat::forbidden || (made == Threat::double_three && board_.forbidden(board_.place(cell)));
}

int Patterns::score(int cell, int colour) const {
  const Threat made = threat(cell, colour);
  if (made == Threat::forbidden) return 0;
  int sum = threat_scores[static_cast<std::size_t>(made)];
  for (int direction = 0; direction < directions; ++direction) {
    sum += line_scores[static_cast<std::size_t>(line(cell, direction, colour))];
  }
  return sum;
}

bool Patterns::operator==(const Patterns& other) const {
  if (board_ != other.board_ || tally_ != other.tally_ || sets_ != other.sets_) return false;
  for (int cell = 0; cell < board_.cells(); ++cell) {
    const auto at = static_cast<std::size_t>(cell);
    if (board_.empty(cell) && lines_[at] != other.lines_[at]) return false;
  }
  return true;
}

}  // namespace tesuji::gomoku
