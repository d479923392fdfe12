// A position of an OpenSpiel game with perfect information, chance included, whose rules are OpenSpiel's own C++.
//
// Moves are OpenSpiel's actions. Scores are its returns, scaled linearly to [0, 1].
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "game/state.hpp"
#include "games/openspiel/library.hpp"

namespace tesuji::openspiel {

struct Rules {
  Library library;
  int players;
  double low;       // the return that scores 0
  double high;      // the return that scores 1
  Move move_limit;  // all actions and chance outcomes are smaller
};

class OpenSpielState final : public State {
 public:
  // Copies `state`.
  OpenSpielState(std::shared_ptr<const Rules> rules, const ForeignState& state);
  OpenSpielState(const OpenSpielState& other);
  OpenSpielState& operator=(const OpenSpielState&) = delete;
  ~OpenSpielState() override { library().destroy(state_); }

  std::unique_ptr<State> clone() const override { return std::make_unique<OpenSpielState>(*this); }
  void assign(const State& other) override;
  int players() const override { return rules_->players; }
  int player() const override { return player_; }
  bool over() const override { return player_ == terminal_player; }
  Scores scores() const override;
  void moves(MoveList& list) const override;
  bool legal(Move move) const override;
  void play(Move move) override { apply(move); }
  Move move_limit() const override { return rules_->move_limit; }
  bool same_position(const State& other) const override;
  void playout(Random& random, const PlayoutRequest& request) override;
  Move sample_chance(Random& random) const override { return to_move(sample_outcome(random)); }

  // All actions from the start of the game, chance outcomes included.
  std::vector<Action> history() const { return library().history(*state_); }

 private:
  const Library& library() const { return rules_->library; }
  void apply(Action action) {
    library().apply_action(*state_, action);
    player_ = library().current_player(*state_);
  }
  Action sample_outcome(Random& random) const;
  // Throws std::out_of_range if the action is not below the game's limit.
  Move to_move(Action action) const;

  std::shared_ptr<const Rules> rules_;
  ForeignState* state_;
  int player_;
};

}  // namespace tesuji::openspiel
