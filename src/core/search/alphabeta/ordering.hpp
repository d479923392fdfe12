// Alpha-beta's move ordering.
//
//   1. the transposition table's move
//   2. noisy moves (wins, captures), in the game's order
//   3. killer moves: moves that caused a cutoff in a sibling (Akl and Newborn 1977)
//   4. the history heuristic: how often a player's move has caused cutoffs, weighted by depth (Schaeffer 1989)
//   5. the game's move ordering, or the order of State::moves()
//
// A move ordering that gives logits, such as a learned prior, replaces 3 to 5: killers and history then add to its
// logits.
//
// Proximity scales the history of distant moves, or sets them aside until all others lose.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/move_list.hpp"

namespace tesuji {

class History {
 public:
  static constexpr std::int32_t most = 1 << 14;

  void clear() {
    for (auto& table : tables_) table.clear();
  }
  std::int32_t of(int player, Move move) const {
    const auto& table = tables_[player];
    return move < table.size() ? table[move] : 0;
  }
  void reward(int player, Move move, int depth) { change(player, move, weight(depth)); }
  void penalize(int player, Move move, int depth) { change(player, move, -weight(depth)); }

 private:
  static std::int32_t weight(int depth) { return std::min(depth * depth, 400); }
  // An exponential moving average, bounded by ±most.
  void change(int player, Move move, std::int32_t by) {
    auto& table = tables_[player];
    if (move >= table.size()) table.resize(std::max<std::size_t>(2 * table.size(), move + 64U), 0);
    table[move] += by - table[move] * (by < 0 ? -by : by) / most;
  }

  std::array<std::vector<std::int32_t>, 2> tables_;
};

struct Killers {
  std::array<Move, 2> moves{no_move, no_move};
  bool has(Move move) const { return move == moves[0] || move == moves[1]; }
  void add(Move move) {
    if (moves[0] == move) return;
    moves[1] = moves[0];
    moves[0] = move;
  }
};

// Ranks, in ascending order.
inline constexpr std::uint32_t set_aside_rank = 0;
inline constexpr std::uint32_t postponed_rank = 1;
inline constexpr std::uint32_t plain_rank = 1U << 20;  // plus the history
inline constexpr std::uint32_t second_killer_rank = 1U << 21;
inline constexpr std::uint32_t first_killer_rank = second_killer_rank + 1;
inline constexpr std::uint32_t noisy_rank = 1U << 22;  // minus their place
inline constexpr std::uint32_t table_rank = noisy_rank + 1;

// Lazily sorted moves of one position: after a cutoff the rest is never sorted.
class MoveOrder {
 public:
  void clear() { keys_.clear(); }
  // Moves of equal rank keep the order of the calls.
  void add(std::uint32_t rank) { keys_.push_back(std::uint64_t{rank} << 32 | (0xFFFFFFFFU - keys_.size())); }

  // The index, in the order of add(), of the move at this place. To be called for 0, 1, 2, … in turn.
  std::size_t at(std::size_t place) {
    const auto from = keys_.begin() + static_cast<std::ptrdiff_t>(place);
    if (place < picked_one_by_one) {
      std::iter_swap(from, std::max_element(from, keys_.end()));
    } else if (place == picked_one_by_one) {
      std::sort(from, keys_.end(), std::greater<>());
    }
    return again(place);
  }
  // The same for a place that at() has returned before.
  std::size_t again(std::size_t place) const { return 0xFFFFFFFFU - static_cast<std::uint32_t>(keys_[place]); }

  std::uint32_t rank(std::size_t place) const { return static_cast<std::uint32_t>(keys_[place] >> 32); }

  // Moves the move at this place, the last one returned by at(), behind all others that are not set aside; at() returns
  // the next one for this place. False if that has been done before, or if there is no other move left.
  bool postpone(std::size_t place) {
    if (rank(place) <= postponed_rank) return false;
    const std::uint64_t key = std::uint64_t{postponed_rank} << 32 | static_cast<std::uint32_t>(keys_[place]);
    const auto from = keys_.begin() + static_cast<std::ptrdiff_t>(place);
    const auto behind = std::find_if(from + 1, keys_.end(), [&](std::uint64_t other) { return other < key; });
    *from = key;
    std::rotate(from, from + 1, behind);
    return true;
  }

 private:
  static constexpr std::size_t picked_one_by_one = 4;
  std::vector<std::uint64_t> keys_;
};

}  // namespace tesuji
