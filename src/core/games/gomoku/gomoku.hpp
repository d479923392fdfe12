// The rules of Gomoku. Black moves first; five in a row wins (see Rule for exact fives and Black's restrictions). The
// game is a draw if the board is full or Black, to move, has only forbidden cells.
//
// A move is row · size + column, row 0 at the bottom. Colours alternate with every stone. Without swap2 player 0 is
// Black. With swap2 player 0 places black, white, black; then player 1 plays a white stone and is White, or takes Black
// (`swap`, size²), or places a white and a black stone (`two`, size² + 1, then the stones) and lets player 0 choose
// between a white stone and `swap`. After `swap` the other player plays the next, white stone.
//
// Patterns are computed lazily, then updated by every move and inherited by copies. patterns() writes to the state, so
// that threads need their own states.
#pragma once

#include <memory>

#include "game/state.hpp"
#include "games/gomoku/board/patterns.hpp"
#include "games/gomoku/codes.hpp"

namespace tesuji::gomoku {

// The stage of the swap2 opening; settled from the start without swap2.
enum class Stage : std::uint8_t { settled, three_stones, second_chooses, two_stones, first_chooses };
inline constexpr std::array<std::string_view, 5> stage_names = {"settled", "three_stones", "second_chooses",
                                                                "two_stones", "first_chooses"};

// Lazily computed patterns; reuses its memory.
class CachedPatterns {
 public:
  CachedPatterns() = default;
  CachedPatterns(const CachedPatterns& other) { *this = other; }
  CachedPatterns& operator=(const CachedPatterns& other) {
    kept_ = other.kept_;
    if (weights_ != other.weights_) weights_ = other.weights_;  // saves counting references
    if (kept_) put(*other.patterns_);
    return *this;
  }

  bool kept() const { return kept_; }
  const Patterns& operator*() const { return *patterns_; }
  void make(const Board& board) {
    put(Patterns(board));
    kept_ = true;
    if (weights_ != nullptr) patterns_->weigh({weights_->of(black), weights_->of(white)});
  }
  // Adds up weights from now on, here and in copies.
  void weigh(std::shared_ptr<const ShapeWeights> weights) {
    weights_ = std::move(weights);
    patterns_->weigh({weights_->of(black), weights_->of(white)});
  }
  const ShapeWeights* weights() const { return weights_.get(); }
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
  std::shared_ptr<const ShapeWeights> weights_;
  bool kept_ = false;
};

class GomokuState final : public State, public PositionCache, public AlphaBetaSupport {
 public:
  GomokuState(int size, Rule rule, bool swap2);
  // Any position, with this colour to move. `last` is the stone played last, if known.
  GomokuState(const Board& board, int colour, Move last = no_move);

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
  Move unrepeatable_move() const override { return may_swap() ? swap_move() : no_move; }
  bool same_position(const State& other) const override;
  std::uint64_t hash() const override;
  // Own fives; otherwise cells that stop a five; otherwise fours, strongest first.
  bool noisy_moves(MoveList& list) const override;
  // The opponent threatens five.
  bool must_be_noisy() const override {
    return stage_ == Stage::settled && patterns().count(Threat::five, 1 - colour_) > 0;
  }
  std::uint64_t full_hash() const override { return hash(); }
  const AlphaBetaSupport* alphabeta_support() const override { return this; }
  void playout(Random& random, const PlayoutRequest& request) override;
  PositionCache* position_cache() override { return this; }
  void begin_playout() override { patterns_.drop(); }
  void become_root(bool asked) override {
    if (asked) patterns();
  }

  const Patterns& patterns() const {
    if (!patterns_.kept()) patterns_.make(board_);
    return *patterns_;
  }
  // As patterns(), with the sums of these weights, which copies and later positions update.
  const Patterns& weighed_patterns(const std::shared_ptr<const CodeWeights>& weights) const {
    patterns();
    if (patterns_.weights() == nullptr || !patterns_.weights()->from(weights)) {
      patterns_.weigh(ShapeWeights::of(weights, board_.rule()));
    }
    return *patterns_;
  }
  const Board& board() const { return board_; }
  int size() const { return board_.size(); }
  int ply() const { return ply_; }
  Move last_move() const { return last_move_; }
  // The move before the last one.
  Move earlier_move() const { return earlier_move_; }
  // The colour of the next stone.
  int colour() const { return colour_; }
  // The colour that has five in a row, or nobody.
  int winner() const { return winner_; }
  // During the opening, as if nobody swaps.
  int colour_of(int player) const { return player == black_player_ ? black : white; }
  Stage stage() const { return stage_; }
  Move swap_move() const { return static_cast<Move>(board_.cells()); }
  Move two_move() const { return static_cast<Move>(board_.cells() + 1); }
  bool may_swap() const { return stage_ == Stage::second_chooses || stage_ == Stage::first_chooses; }
  // Whether this empty cell is forbidden to the colour to move.
  bool forbidden(Place at) const {
    if (colour_ != black || !may_be_forbidden()) return false;
    return patterns_.kept() ? (*patterns_).forbidden(board_.cell(at)) : board_.forbidden(at);
  }

 private:
  // A forbidden move needs at least four black stones besides the new one.
  bool may_be_forbidden() const { return board_.rule() == Rule::renju && board_.stones() >= 4; }
  // Whether Black is to move and every empty cell is forbidden.
  bool stuck() const;
  void advance_opening(Move move);
  void play_opening(Random& random, PlayoutRequest& request);
  void play_out(Random& random, Trace* trace, int plies);

  Board board_;
  Move last_move_ = no_move;
  Move earlier_move_ = no_move;
  std::uint16_t ply_ = 0;
  Stage stage_ = Stage::settled;
  std::uint8_t colour_ = black;
  std::uint8_t black_player_ = 0;
  std::int8_t winner_ = nobody;
  mutable CachedPatterns patterns_;
};

}  // namespace tesuji::gomoku
