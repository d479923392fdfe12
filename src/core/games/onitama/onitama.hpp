// The rules of Onitama (Shimpei Sato, 2014). Blue is player 0, Red is player 1; the stamp of the side card decides who
// starts.
//
// The rules have no draw, and a game need not end. Two optional limits end it as a draw: a number of plies, and a
// number of occurrences of the same position (pieces, cards, side to move).
//
// same_position() includes the plies played if there is a ply limit, and the positions since the last capture if there
// is a repetition limit. hash() ignores earlier positions, and also the plies unless the limit is near: otherwise a
// transposition table would never recognize a position reached in more moves.
#pragma once

#include <memory>
#include <vector>

#include "game/state.hpp"
#include "games/onitama/position.hpp"

namespace tesuji::onitama {

// 0: no limit.
struct Limits {
  int plies = 0;
  int occurrences = 0;
  bool operator==(const Limits&) const = default;
};

// The cards to deal from, a range of the table; empty unless a position is dealt.
struct Pack {
  std::uint8_t first = 0;
  std::uint8_t end = 0;
};

class OnitamaState final : public State, public AlphaBetaSupport, public DealtStart {
 public:
  OnitamaState(const Position& position, Limits limits, Pack pack = {});

  std::unique_ptr<State> clone() const override { return std::make_unique<OnitamaState>(*this); }
  void assign(const State& other) override {
    const auto& onitama = static_cast<const OnitamaState&>(other);
    position_ = onitama.position_;
    limits_ = onitama.limits_;
    pack_ = onitama.pack_;
    ply_ = onitama.ply_;
    last_move_ = onitama.last_move_;
    drawn_ = onitama.drawn_;
    if (limits_.occurrences == 0) return;  // no history to copy
    max_occurrences_ = onitama.max_occurrences_;
    earlier_ = onitama.earlier_;
  }
  int players() const override { return 2; }
  int player() const override { return position_.player(); }
  bool over() const override { return position_.winner() >= 0 || drawn_; }
  Scores scores() const override;
  void moves(MoveList& list) const override;
  std::uint64_t count_moves() const override;
  bool legal(Move move) const override;
  void play(Move move) override { play(decode(move)); }
  Move move_limit() const override { return deal_size * moves_per_card; }
  bool same_position(const State& other) const override;
  std::uint64_t hash() const override { return hash_with_horizon(near_the_limit); }
  const AlphaBetaSupport* alphabeta_support() const override { return this; }
  DealtStart* dealt_start() override { return pack_.end > 0 ? this : nullptr; }
  void deal(std::uint64_t seed) override;
  std::uint64_t full_hash() const override { return hash_with_horizon(limits_.plies + 1); }
  bool path_dependent() const override { return limits_.occurrences > 0; }
  // Wins, then captures.
  bool noisy_moves(MoveList& list) const override;
  void playout(Random& random, const PlayoutRequest& request) override;

  const Position& position() const { return position_; }
  const Limits& limits() const { return limits_; }
  int ply() const { return ply_; }
  Move last_move() const { return last_move_; }
  // Occurrences of this position since the last capture, including now; 1 without a repetition limit.
  int occurrences() const;
  // The most occurrences of any position since the last capture.
  int max_occurrences() const { return max_occurrences_; }
  // Hashes of the positions since the last capture; empty without a repetition limit.
  const std::vector<std::uint64_t>& earlier() const { return earlier_; }

 private:
  void play(const Turn& turn);
  Turn random_turn(Random& random) const;
  // With fewer plies left than this, which no search exceeds, they are part of the hash.
  static constexpr int near_the_limit = 64;
  std::uint64_t hash_with_horizon(int horizon) const;
  bool same_repetitions(const OnitamaState& other) const;

  Position position_;
  Limits limits_;
  Pack pack_;
  int ply_ = 0;
  Move last_move_ = no_move;
  bool drawn_ = false;
  int max_occurrences_ = 1;             // only updated with a repetition limit
  std::vector<std::uint64_t> earlier_;  // hashes; the last is the current position's
};

// The hash of pieces, cards and side to move.
std::uint64_t hash_of(const Position& position);

// Five random cards of the table's range [first, end).
Deal deal_cards(std::uint64_t seed, int first, int end);

}  // namespace tesuji::onitama
