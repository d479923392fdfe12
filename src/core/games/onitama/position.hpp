// A position of Onitama as plain data: two bit boards, two masters, five cards, who moves, who has won.
//
// 24 bytes, copied instead of undone. Limits and the course of the game are not here but in OnitamaState.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/bits.hpp"
#include "base/move_list.hpp"
#include "games/onitama/cards.hpp"

namespace tesuji::onitama {

inline constexpr int deal_size = 5;
inline constexpr std::array<int, 2> temples{2, 22};  // c1 is Blue's, c5 is Red's
inline constexpr Board board_mask = (1U << squares) - 1;
inline constexpr Move moves_per_card = squares * squares;

// The cards of a game: Blue's two, Red's two, the side card.
using Deal = std::array<std::uint8_t, deal_size>;

// A move is place · 625 + from · 25 + to, where `place` is the card's place in the deal; from = to = 0 is a pass, which
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
  // Any position: the masters are among the pieces.
  Position(const Deal& deal, int player, const std::array<Board, 2>& pieces, const std::array<int, 2>& masters)
      : pieces_(pieces),
        masters_{static_cast<std::uint8_t>(masters[0]), static_cast<std::uint8_t>(masters[1])},
        deal_(deal),
        player_(static_cast<std::uint8_t>(player)) {}

  int player() const { return player_; }
  int winner() const { return winner_; }  // -1: nobody yet
  Board pieces(int player) const { return pieces_[static_cast<std::size_t>(player)]; }
  int master(int player) const { return masters_[static_cast<std::size_t>(player)]; }
  const Deal& deal() const { return deal_; }
  // The places in the deal of a player's two cards, the lower first, and of the side card.
  const std::array<std::uint8_t, 2>& hand(int player) const { return hands_[static_cast<std::size_t>(player)]; }
  int side() const { return side_; }

  // Where the piece on a square can go by the card at a place; the piece is the player's.
  Board reach(int player, int place, int from) const {
    return targets[deal_[static_cast<std::size_t>(place)]][static_cast<std::size_t>(player)]
                  [static_cast<std::size_t>(from)] &
           ~pieces(player);
  }

  // Piece moves of a player by its two cards, whoever is to move: passes are not counted.
  int mobility(int player) const {
    const auto& first = targets[deal_[hand(player)[0]]][static_cast<std::size_t>(player)];
    const auto& second = targets[deal_[hand(player)[1]]][static_cast<std::size_t>(player)];
    const Board own = pieces(player);
    const std::uint64_t free = ~(static_cast<std::uint64_t>(own) << 32 | own);
    int count = 0;
    for_each_square(own, [&](int from) {
      // Both cards at once: the portable build has no instruction that counts bits.
      const auto square = static_cast<std::size_t>(from);
      count += count_bits((static_cast<std::uint64_t>(second[square]) << 32 | first[square]) & free);
    });
    return count;
  }

  // visit(place, from, squares it can reach), for the player to move, by card and then by square.
  template <typename Visit>
  void for_each_reach(Visit&& visit) const {
    for (const int place : hand(player_)) {
      for_each_square(pieces(player_), [&](int from) { visit(place, from, reach(player_, place, from)); });
    }
  }

  // Where any piece of the player to move wins, and where its master does.
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

  // The used card goes to the side. Hands are kept in order: equal positions list equal moves.
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
