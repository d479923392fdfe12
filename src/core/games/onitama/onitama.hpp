// The rules of Onitama (Shimpei Sato, 2014) as a state that searches use. Blue is player 0, Red is player 1; the stamp
// of the side card says who starts.
//
// The rules know no draw, and a game between careful players need not end. Two limits end it as a draw: a number of
// plies, and how often the same position (pieces, cards, player to move) may occur. Each can be off.
//
// What counts as the same position: with a ply limit the plies played are part of it, because they decide when the game
// ends; with a repetition limit so are the positions since the last capture, because each may come back. hash() leaves
// the earlier positions out, and the plies as long as the end is further away than a search looks: a transposition
// table would otherwise never see a position again that was reached in more moves.
#pragma once

#include <memory>
#include <vector>

#include "game/state.hpp"
#include "games/onitama/position.hpp"

namespace tesuji::onitama {

// Zero: no such limit.
struct Limits {
  int plies = 0;
  int occurrences = 0;
  bool operator==(const Limits&) const = default;
};

class OnitamaState final : public State {
 public:
  OnitamaState(const Position& position, Limits limits);

  std::unique_ptr<State> clone() const override { return std::make_unique<OnitamaState>(*this); }
  void assign(const State& other) override {
    const auto& onitama = static_cast<const OnitamaState&>(other);
    position_ = onitama.position_;
    limits_ = onitama.limits_;
    ply_ = onitama.ply_;
    last_move_ = onitama.last_move_;
    drawn_ = onitama.drawn_;
    if (limits_.occurrences == 0) return;  // then there is no past to copy
    most_occurrences_ = onitama.most_occurrences_;
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
  std::uint64_t hash() const override { return hash_within(near_the_limit); }
  std::uint64_t far_hash() const override { return hash_within(limits_.plies + 1); }
  bool past_counts() const override { return limits_.occurrences > 0; }
  // Wins, then captures.
  bool noisy_moves(MoveList& list) const override;
  void playout(Random& random, const PlayoutRequest& request) override;

  const Position& position() const { return position_; }
  const Limits& limits() const { return limits_; }
  int ply() const { return ply_; }
  Move last_move() const { return last_move_; }
  // How often this position has occurred since the last capture, now included; 1 without a repetition limit.
  int occurrences() const;
  // How often the position has occurred that has done so most often, of all since the last capture.
  int most_occurrences() const { return most_occurrences_; }
  // The positions since the last capture, in no order that matters; empty without a repetition limit.
  const std::vector<std::uint64_t>& earlier() const { return earlier_; }

 private:
  void play(const Turn& turn);
  Turn random_turn(Random& random) const;
  // Closer to the ply limit than this, the plies left are part of the hash: no search looks further ahead.
  static constexpr int near_the_limit = 64;
  std::uint64_t hash_within(int horizon) const;
  // Whether the same positions lie behind both.
  bool same_repetitions(const OnitamaState& other) const;

  Position position_;
  Limits limits_;
  int ply_ = 0;
  Move last_move_ = no_move;
  bool drawn_ = false;
  int most_occurrences_ = 1;            // kept up with a repetition limit only
  std::vector<std::uint64_t> earlier_;  // hashes; the last one is this position's
};

// The hash of pieces, cards and player alone.
std::uint64_t hash_of(const Position& position);

// Five cards for a seed, out of the table's cards from `first` up to, but not with, `end`: every deal equally likely.
Deal deal_cards(std::uint64_t seed, int first, int end);

}  // namespace tesuji::onitama
