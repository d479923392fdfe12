// A position of Onitama as plain data: two bit boards, two masters, five cards, side to move, winner.
//
// Copied, not undone (24 bytes). Limits and history are in OnitamaState.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/move_list.hpp"
#include "base/popcount.hpp"
#include "games/onitama/cards.hpp"

namespace tesuji::onitama {

inline constexpr int deal_size = 5;
inline constexpr std::array<int, 2> temples{2, 22};  // c1 is Blue's, c5 is Red's
inline constexpr Board board_mask = (1U << squares) - 1;
inline constexpr Move moves_per_card = squares * squares;

// The cards of a game: Blue's two, Red's two, the side card.
using Deal = std::array<std::uint8_t, deal_size>;

// A move is place · 625 + from · 25 + to, where `place` is the card's index in the deal; from = to = 0 is a pass, which
// only exchanges the card.
struct Turn {
  int place;
  int from;
  int to;
  bool pass() const { return from == to; }
};

constexpr Move encode(int place, int from, int to) {
  return static_cast<Move>(place) * moves_per_card + static_cast<Move>(from * squares + to);
}

constexpr Turn decode(Move move) {
  const int way = static_cast<int>(move % moves_per_card);
  return {static_cast<int>(move / moves_per_card), way / squares, way % squares};
}

template <typename Visit>
void for_each_square(Board board, Visit&& visit) {
  for (; board != 0; board &= board - 1) visit(std::countr_zero(board));
}

class Position {
 public:
  explicit Position(const Deal& deal) : deal_(deal), player_(static_cast<std::uint8_t>(cards[deal[4]].stamp)) {}
  // Any position; `pieces` include the masters. `held` are the places in the deal of the cards of Blue, of Red, and of
  // the side card.
  Position(const Deal& deal, int player, const std::array<Board, 2>& pieces, const std::array<int, 2>& masters,
           const Deal& held = {0, 1, 2, 3, 4})
      : pieces_(pieces),
        masters_{static_cast<std::uint8_t>(masters[0]), static_cast<std::uint8_t>(masters[1])},
        hands_{{{std::min(held[0], held[1]), std::max(held[0], held[1])},
                {std::min(held[2], held[3]), std::max(held[2], held[3])}}},
        side_(held[4]),
        deal_(deal),
        player_(static_cast<std::uint8_t>(player)) {}

  int player() const { return player_; }
  int winner() const { return winner_; }  // -1: none
  Board pieces(int player) const { return pieces_[static_cast<std::size_t>(player)]; }
  int master(int player) const { return masters_[static_cast<std::size_t>(player)]; }
  const Deal& deal() const { return deal_; }
  // Indices in the deal of a player's two cards, in ascending order, and of the side card.
  const std::array<std::uint8_t, 2>& hand(int player) const { return hands_[static_cast<std::size_t>(player)]; }
  int side() const { return side_; }

  // The target squares of a player's piece with the card at `place`.
  Board reach(int player, int place, int from) const {
    return targets[deal_[static_cast<std::size_t>(place)]][static_cast<std::size_t>(player)]
                  [static_cast<std::size_t>(from)] &
           ~pieces(player);
  }

  // The number of a player's piece moves, whoever is to move; passes are not counted.
  int mobility(int player) const {
    const auto& first = targets[deal_[hand(player)[0]]][static_cast<std::size_t>(player)];
    const auto& second = targets[deal_[hand(player)[1]]][static_cast<std::size_t>(player)];
    const Board own = pieces(player);
    const std::uint64_t free = ~(static_cast<std::uint64_t>(own) << 32 | own);
    int count = 0;
    for_each_square(own, [&](int from) {
      // Both cards in one popcount, which is slow in portable builds.
      const auto square = static_cast<std::size_t>(from);
      count += popcount((static_cast<std::uint64_t>(second[square]) << 32 | first[square]) & free);
    });
    return count;
  }

  // Calls visit(place, from, targets) for the side to move, by card, then by square.
  template <typename Visit>
  void for_each_reach(Visit&& visit) const {
    for (const int place : hand(player_)) {
      for_each_square(pieces(player_), [&](int from) { visit(place, from, reach(player_, place, from)); });
    }
  }

  // Where any piece of the side to move wins, and where its master does.
  Board enemy_master() const { return 1U << masters_[1 - player_]; }
  Board enemy_temple() const { return 1U << temples[1U - player_]; }

  void play(const Turn& turn) {
    if (!turn.pass()) move_piece(turn.from, turn.to);
    exchange(turn.place);
    player_ ^= 1U;
  }

  bool operator==(const Position&) const = default;

 private:
  void move_piece(int from, int to) {
    const std::size_t me = player_;
    const std::size_t other = me ^ 1U;
    const Board target = 1U << to;
    pieces_[me] ^= 1U << from | target;
    pieces_[other] &= ~target;
    const bool takes_master = to == masters_[other];
    if (from == masters_[me]) {
      masters_[me] = static_cast<std::uint8_t>(to);
      if (to == temples[other]) winner_ = static_cast<std::int8_t>(me);
    }
    if (takes_master) winner_ = static_cast<std::int8_t>(me);
  }

  // Exchanges the used card with the side card. Hands stay sorted, so that equal positions list the same moves.
  void exchange(int place) {
    auto& hand = hands_[player_];
    const std::uint8_t kept = hand[0] == place ? hand[1] : hand[0];
    const std::uint8_t taken = side_;
    hand[0] = std::min(kept, taken);
    hand[1] = std::max(kept, taken);
    side_ = static_cast<std::uint8_t>(place);
  }

  std::array<Board, 2> pieces_{0b11111U, 0b11111U << 20};
  std::array<std::uint8_t, 2> masters_{2, 22};
  std::array<std::array<std::uint8_t, 2>, 2> hands_{{{0, 1}, {2, 3}}};
  std::uint8_t side_ = 4;
  Deal deal_;
  std::uint8_t player_;
  std::int8_t winner_ = -1;
};

}  // namespace tesuji::onitama
