#include "games/onitama/tablebase_index.hpp"

#include <algorithm>

namespace tesuji::onitama {

namespace {

constexpr TablebaseShape make_shape() {
  TablebaseShape made{};
  std::size_t count = 0;
  for (auto& row : made.cards_of) row.fill(-1);
  for (std::uint8_t one = 0; one < deal_size; ++one) {
    for (auto two = static_cast<std::uint8_t>(one + 1); two < deal_size; ++two) {
      std::array<std::uint8_t, 3> rest{};
      std::size_t left = 0;
      for (std::uint8_t place = 0; place < deal_size; ++place) {
        if (place != one && place != two) rest[left++] = place;
      }
      for (std::size_t side = 0; side < rest.size(); ++side) {
        const std::uint8_t three = rest[side == 0 ? 1 : 0];
        const std::uint8_t four = rest[side == 2 ? 1 : 2];
        made.hands[count] = {{one, two}, {three, four}, rest[side]};
        made.cards_of[1U << one | 1U << two][1U << three | 1U << four] = static_cast<std::int8_t>(count++);
      }
    }
  }
  count = 0;
  for (auto& row : made.masters_of) row.fill(-1);
  for (std::uint8_t mover = 0; mover < squares; ++mover) {
    for (std::uint8_t other = 0; other < squares; ++other) {
      if (mover == temples[red] || other == temples[blue] || mover == other) continue;
      made.masters[count] = {mover, other};
      made.masters_of[mover][other] = static_cast<std::int16_t>(count++);
    }
  }
  return made;
}

// Rotates the board by 180°.
Board turned(Board board) {
  Board result = 0;
  for_each_square(board, [&](int square) { result |= 1U << square_turned(square); });
  return result;
}

// Without popcount, which is slow in portable builds: most probes of a search end here.
bool more_than(Board pieces, int most) {
  for (int i = 0; i < most; ++i) pieces &= pieces - 1;
  return pieces != 0;
}

}  // namespace

constinit const TablebaseShape shape = make_shape();

CardSet card_set(const Deal& given) {
  CardSet set = given;
  std::sort(set.begin(), set.end(), [](int a, int b) { return cards[a].name < cards[b].name; });
  return set;
}

Board set_of_number(int number, Board occupied) {
  // The free square with this index.
  const auto square = [&](int place) {
    Board free = board_mask & ~occupied;
    for (int i = 0; i < place; ++i) free &= free - 1;
    return free & (~free + 1);
  };
  const int pairs = count_sets(squares - std::popcount(occupied), 1);
  if (number == 0) return 0;
  if (number < pairs) return square(number - 1);
  int high = 1;
  while ((high + 1) * high / 2 <= number - pairs) ++high;
  return square(high) | square(number - pairs - high * (high - 1) / 2);
}

TablebaseIndex::TablebaseIndex(const CardSet& cards, int students) : cards_(cards), students_(students) {
  for (int a = 0; a <= max_students; ++a) {
    row_lengths_[a] = count_sets(free_squares - a, students);
  }
  ways_ = row_start(count_sets(free_squares, students));
  place_of_.fill(0);
  for (std::size_t i = 0; i < cards_.size(); ++i) {
    set_bits_ |= 1U << cards_[i];
    place_of_[cards_[i]] = static_cast<std::uint8_t>(1U << i);
  }
}

std::optional<std::uint64_t> TablebaseIndex::find(const Position& position) const {
  if (more_than(position.pieces(blue), students_ + 1) || more_than(position.pieces(red), students_ + 1)) return {};
  if (position.winner() >= 0) return {};
  const Deal& deal = position.deal();
  std::uint32_t dealt = 0;
  for (const std::uint8_t card : deal) dealt |= 1U << card;
  if (dealt != set_bits_) return {};

  const int me = position.player();
  const auto held = [&](int player) {
    const auto& hand = position.hand(player);
    return static_cast<std::size_t>(place_of_[deal[hand[0]]] | place_of_[deal[hand[1]]]);
  };
  const auto seen = [&](int square) { return me == blue ? square : square_turned(square); };
  const int master = seen(position.master(me));
  const int enemy = seen(position.master(1 - me));
  const Board masters = 1U << master | 1U << enemy;
  const Board mine = (me == blue ? position.pieces(me) : turned(position.pieces(me))) & ~masters;
  const Board theirs = (me == blue ? position.pieces(1 - me) : turned(position.pieces(1 - me))) & ~masters;

  const auto cards_held = static_cast<std::uint64_t>(shape.cards_of[held(me)][held(1 - me)]);
  const auto pair = static_cast<std::uint64_t>(shape.masters_of[master][enemy]);
  const int way = row_start(number_of_set(mine, masters)) + number_of_set(theirs, masters | mine);
  return (cards_held * master_pairs + pair) * static_cast<std::uint64_t>(ways_) + static_cast<std::uint64_t>(way);
}

Position TablebaseIndex::position(std::uint64_t index) const {
  const auto way = static_cast<int>(index % static_cast<std::uint64_t>(ways_));
  const std::uint64_t block = index / static_cast<std::uint64_t>(ways_);
  const TablebaseShape::Masters pair = shape.masters[block % master_pairs];
  const Hands& hands = shape.hands[block / master_pairs];
  const Board masters = 1U << pair.mover | 1U << pair.other;
  int row = count_sets(free_squares, students_) - 1;
  while (row_start(row) > way) --row;
  const Board mine = set_of_number(row, masters);
  const Board theirs = set_of_number(way - row_start(row), masters | mine);
  const Deal deal{cards_[hands.mover[0]], cards_[hands.mover[1]], cards_[hands.other[0]], cards_[hands.other[1]],
                  cards_[hands.side]};
  return Position(deal, blue, {mine | 1U << pair.mover, theirs | 1U << pair.other}, {pair.mover, pair.other});
}

}  // namespace tesuji::onitama
