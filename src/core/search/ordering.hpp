// In which order alpha-beta tries moves. The sooner the refutation comes, the smaller the tree.
//
//   1. the move that the transposition table knows
//   2. noisy moves (wins, captures), where the game names them, in its order
//   3. killers: moves that refuted a sibling of this position (Akl and Newborn 1977)
//   4. by history: how often a move of this player has refuted anything, deeper searches counting more
//      (Schaeffer 1989)
//   5. what history holds equal: the game's own ordering, or the order of the rules
//
// Proximity takes from a distant move's history, or sets the move aside for when all others lose.
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
  void punish(int player, Move move, int depth) { change(player, move, -weight(depth)); }

 private:
  static std::int32_t weight(int depth) { return std::min(depth * depth, 400); }
  // Drawn to the new experience, the more the further off: nothing runs away, old merits fade.
  void change(int player, Move move, std::int32_t by) {
    auto& table = tables_[player];
    if (move >= table.size()) table.resize(std::max<std::size_t>(2 * table.size(), move + 64U), 0);
    table[move] += by - table[move] * (by < 0 ? -by : by) / most;
  }

  std::array<std::vector<std::int32_t>, 2> tables_;
};

struct Killers {
  std::array<Move, 2> moves{no_move, no_move};
  void add(Move move) {
    if (moves[0] == move) return;
    moves[1] = moves[0];
    moves[0] = move;
  }
};

// The moves of one position, sorted only as far as they are asked for: most positions need but a few.
class MoveOrder {
 public:
  void clear() { keys_.clear(); }
  // In the order that holds where ranks are equal.
  void add(std::uint32_t rank) { keys_.push_back(std::uint64_t{rank} << 32 | (0xFFFFFFFFU - keys_.size())); }

  // Which move, by the order of add(), comes at this place. Ask from 0 upwards, without gaps.
  std::size_t at(std::size_t place) {
    constexpr std::size_t picked_one_by_one = 4;
    const auto from = keys_.begin() + static_cast<std::ptrdiff_t>(place);
    if (place < picked_one_by_one) {
      std::iter_swap(from, std::max_element(from, keys_.end()));
    } else if (place == picked_one_by_one) {
      std::sort(from, keys_.end(), std::greater<>());
    }
    return again(place);
  }
  // The same for a place that was asked for before.
  std::size_t again(std::size_t place) const { return 0xFFFFFFFFU - static_cast<std::uint32_t>(keys_[place]); }

  std::uint32_t rank(std::size_t place) const { return static_cast<std::uint32_t>(keys_[place] >> 32); }

 private:
  std::vector<std::uint64_t> keys_;
};

// Ranks, best last.
inline constexpr std::uint32_t set_aside_rank = 0;
inline constexpr std::uint32_t plain_rank = 1U << 20;  // and the history on top
inline constexpr std::uint32_t second_killer_rank = 1U << 21;
inline constexpr std::uint32_t first_killer_rank = second_killer_rank + 1;
inline constexpr std::uint32_t noisy_rank = 1U << 22;  // less their place
inline constexpr std::uint32_t table_rank = noisy_rank + 1;

}  // namespace tesuji
