#include "games/hex/hex.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "base/hash.hpp"

namespace tesuji::hex {

HexState::HexState(int size, bool swap) : size_(static_cast<std::uint8_t>(size)), swap_(swap) {
  if (size < 2 || size > max_size) {
    throw std::invalid_argument("size must be from 2 to 19, not " + std::to_string(size));
  }
}

HexState::HexState(int size, bool swap, const std::array<Cells, 2>& stones, int player, Move last)
    : HexState(size, swap) {
  stones_ = stones;
  player_ = static_cast<std::uint8_t>(player);
  last_move_ = last;
  const int first = count(size, stones[0]);
  const int second = count(size, stones[1]);
  ply_ = first + second;
  const bool opening = second == 0 && first == player;  // no stone, or one that White may take over
  if (!opening) ply_ = std::max(ply_, 2);               // the right to swap is gone
  if (opening && first == 1) {
    for_each_cell(size, stones[0], [&](int row, int column) { last_move_ = static_cast<Move>(row * size + column); });
  }
  // With the swap, a game comes to a single white stone only by it.
  if (swap && first == 0 && second == 1 && player == 0) last_move_ = swap_move();
  if (won_by(player)) {
    throw std::invalid_argument(player == 0 ? "Black is to move but has connected its sides; then White is to move"
                                            : "White is to move but has connected its sides; then Black is to move");
  }
}

Cells HexState::empty() const {
  Cells cells{};
  const std::uint32_t full = full_row(size_);
  for (int row = 1; row <= size_; ++row) cells[row] = full & ~(stones_[0][row] | stones_[1][row]);
  return cells;
}

Scores HexState::scores() const {
  Scores scores{};
  scores[winner_ >= 0 ? winner_ : 1 - player_] = 1.0;
  return scores;
}

void HexState::moves(MoveList& list) const {
  list.clear();
  if (over()) return;
  for_each_cell(size_, empty(), [&](int row, int column) { list.push_back(static_cast<Move>(row * size_ + column)); });
  if (may_swap()) list.push_back(swap_move());
}

bool HexState::legal(Move move) const {
  if (over()) return false;
  if (move == swap_move()) return may_swap();
  if (move > swap_move()) return false;
  const int row = static_cast<int>(move) / size_;
  const int column = static_cast<int>(move) % size_;
  return !has_stone(0, row, column) && !has_stone(1, row, column);
}

void HexState::play(Move move) {
  if (move == swap_move()) {
    const int row = static_cast<int>(last_move_) / size_;
    const int column = static_cast<int>(last_move_) % size_;
    stones_[0] = Cells{};
    stones_[1][column + 1] = 1U << row;
  } else {
    stones_[player_][move / size_ + 1] |= 1U << (move % size_);
  }
  last_move_ = move;
  ++ply_;
  player_ ^= 1U;
}

bool HexState::same_position(const State& other) const {
  const auto* hex = dynamic_cast<const HexState*>(&other);
  // Of the history only the right to swap matters.
  return hex != nullptr && hex->size_ == size_ && hex->swap_ == swap_ && hex->player_ == player_ &&
         hex->may_swap() == may_swap() && hex->stones_ == stones_;
}

// Computed on demand, so that playouts need not maintain it.
std::uint64_t HexState::hash() const {
  std::uint64_t hash = hash_combine(player_, may_swap() ? 1U : 0U);
  for (int row = 1; row <= size_; ++row)
    hash = hash_combine(hash, stones_[0][row] | std::uint64_t{stones_[1][row]} << 32);
  return nonzero(hash);
}

}  // namespace tesuji::hex
