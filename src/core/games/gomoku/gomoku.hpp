// The rules of Gomoku as a state that searches use. Black moves first; who has five in a row wins (Rule says what
// counts as five, and what Black may not do). A full board is a draw, and so is one on which Black, to move, may play
// nowhere.
//
// A move is row · size + column, row 0 at the bottom. Colours alternate with every stone; players are seats. Without
// swap2 player 0 is Black. With it, player 0 puts a black, a white and a black stone; then player 1 puts a white stone
// and is White, or takes Black (`swap`, size²), or puts a white and a black stone (`two`, size² + 1, and then the
// stones) and lets player 0 choose likewise: a white stone, or `swap`. After `swap` the other player puts the next
// stone, a white one.
//
// Patterns are made when they are first asked for. From then on every move keeps them up to date and copies take them
// along; a state that nobody asks is spared both. Asking writes to the state: threads need a state each, as the
// searches' workers have.
#pragma once

#include <memory>

#include "game/state.hpp"
#include "games/gomoku/patterns.hpp"

namespace tesuji::gomoku {

// How far the opening is; without swap2 it is settled from the start.
enum class Stage : std::uint8_t { settled, three_stones, second_chooses, two_stones, first_chooses };
inline constexpr std::array<std::string_view, 5> stage_names = {"settled", "three_stones", "second_chooses",
                                                                "two_stones", "first_chooses"};

// Patterns, or none as long as nobody wants any. Room that was allocated once is kept.
class KeptPatterns {
 public:
  KeptPatterns() = default;
  KeptPatterns(const KeptPatterns& other) { *this = other; }
  KeptPatterns& operator=(const KeptPatterns& other) {
    kept_ = other.kept_;
    if (kept_) put(*other.patterns_);
    return *this;
  }

  bool kept() const { return kept_; }
  const Patterns& operator*() const { return *patterns_; }
  void make(const Board& board) {
    put(Patterns(board));
    kept_ = true;
  }
  void play(int cell, int colour) {
    if (kept_) patterns_->play(cell, colour);
  }
  void drop() { kept_ = false; }

 private:
  void put(const Patterns& patterns) {
    if (patterns_ == nullptr) {
      patterns_ = std::make_unique<Patterns>(patterns);
    } else {
      *patterns_ = patterns;
    }
  }

  std::unique_ptr<Patterns> patterns_;
  bool kept_ = false;
};

class GomokuState final : public State {
 public:
  GomokuState(int size, Rule rule, bool swap2);
  // Any position: these stones, and this colour to move.
  GomokuState(const Board& board, int colour);

  std::unique_ptr<State> clone() const override { return std::make_unique<GomokuState>(*this); }
  void assign(const State& other) override { *this = static_cast<const GomokuState&>(other); }
  int players() const override { return 2; }
  int player() const override;
  bool over() const override { return winner_ != nobody || board_.full() || stuck(); }
  Scores scores() const override;
  void moves(MoveList& list) const override;
  bool legal(Move move) const override;
  void play(Move move) override;
  Move move_limit() const override { return static_cast<Move>(board_.cells() + 2); }
  Move once_only() const override { return may_swap() ? swap_move() : no_move; }
  bool same_position(const State& other) const override;
  std::uint64_t hash() const override;
  // Own fives; or else the cells that stop a five; or else fours, the strongest first.
  bool noisy_moves(MoveList& list) const override;
  void playout(Random& random, const PlayoutRequest& request) override;
  void leave_tree() override { patterns_.drop(); }
  void become_root(bool asked) override {
    if (asked) patterns();
  }

  const Patterns& patterns() const {
    if (!patterns_.kept()) patterns_.make(board_);
    return *patterns_;
  }
  const Board& board() const { return board_; }
  int size() const { return board_.size(); }
  int ply() const { return ply_; }
  Move last_move() const { return last_move_; }
  // Whose stone comes next.
  int colour() const { return colour_; }
  // The colour that has five, or nobody.
  int winner() const { return winner_; }
  // While the opening goes on, as if nobody swapped.
  int colour_of(int player) const { return player == black_player_ ? black : white; }
  Stage stage() const { return stage_; }
  Move swap_move() const { return static_cast<Move>(board_.cells()); }
  Move two_move() const { return static_cast<Move>(board_.cells() + 1); }
  bool may_swap() const { return stage_ == Stage::second_chooses || stage_ == Stage::first_chooses; }
  // Whether the colour to move may not play on this empty place.
  bool forbidden(Place at) const {
    if (colour_ != black || !may_be_forbidden()) return false;
    return patterns_.kept() ? (*patterns_).forbidden(board_.cell(at)) : board_.forbidden(at);
  }

 private:
  // Two threes, two fours or an overline take four black stones and the new one.
  bool may_be_forbidden() const { return board_.rule() == Rule::renju && board_.stones() >= 4; }
  // Whether every empty place is forbidden to Black, who is to move.
  bool stuck() const;
  void advance_opening(Move move);
  void play_few(Random& random, PlayoutRequest& request);
  void play_out(Random& random, Trace* trace, int plies);

  Board board_;
  Move last_move_ = no_move;
  std::uint16_t ply_ = 0;
  Stage stage_ = Stage::settled;
  std::uint8_t colour_ = black;
  std::uint8_t black_player_ = 0;
  std::int8_t winner_ = nobody;
  mutable KeptPatterns patterns_;
};

}  // namespace tesuji::gomoku
