// The rules of Hex. Black (player 0) moves first and connects top and bottom, White (player 1) left and right.
//
// A move is row · size + column; the swap, if allowed, is size². The rule is "swap pieces": the first stone is mirrored
// along the long diagonal and becomes White's.
#pragma once

#include <memory>

#include "game/state.hpp"
#include "games/hex/board.hpp"

namespace tesuji::hex {

class HexState final : public State {
 public:
  HexState(int size, bool swap);
  // Any position, with this player to move. `last` is the stone played last, if known. The swap is offered as in a
  // game: to White, after a single black stone.
  HexState(int size, bool swap, const std::array<Cells, 2>& stones, int player, Move last);

  std::unique_ptr<State> clone() const override { return std::make_unique<HexState>(*this); }
  void assign(const State& other) override { *this = static_cast<const HexState&>(other); }
  int players() const override { return 2; }
  int player() const override { return player_; }
  bool over() const override { return winner_ >= 0 || won_by(1 - player_); }
  Scores scores() const override;
  void moves(MoveList& list) const override;
  bool legal(Move move) const override;
  void play(Move move) override;
  Move move_limit() const override { return static_cast<Move>(size_ * size_ + 1); }
  Move unrepeatable_move() const override { return may_swap() ? swap_move() : no_move; }
  bool same_position(const State& other) const override;
  std::uint64_t hash() const override;
  void playout(Random& random, const PlayoutRequest& request) override;

  int size() const { return size_; }
  bool swap() const { return swap_; }
  int ply() const { return ply_; }
  Move last_move() const { return last_move_; }
  Move swap_move() const { return static_cast<Move>(size_ * size_); }
  bool may_swap() const { return swap_ && ply_ == 1; }
  const Cells& stones(int player) const { return stones_[player]; }
  Cells empty() const;
  bool has_stone(int player, int row, int column) const { return (stones_[player][row + 1] >> column & 1U) != 0; }

 private:
  friend class GuidedPlayout;
  friend class BridgePolicy;

  // Only the player who moved last can have won.
  bool won_by(int player) const {
    return player == 0 ? joins_rows(size_, stones_[0]) : joins_columns(size_, stones_[1]);
  }
  void maybe_swap(Random& random, PlayoutRequest& request);
  void judge_full_board() { winner_ = won_by(0) ? 0 : 1; }
  void play_plies(Random& random, const PlayoutRequest& request);
  void fill_at_random(Random& random, Trace* trace);

  std::array<Cells, 2> stones_{};
  Move last_move_ = no_move;
  int ply_ = 0;
  std::uint8_t size_;
  std::uint8_t player_ = 0;
  bool swap_;
  std::int8_t winner_ = -1;  // only set by playouts, for a full board
};

}  // namespace tesuji::hex
