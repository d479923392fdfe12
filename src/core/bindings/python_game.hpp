// A game whose rules are written in Python, seen through state.hpp.
//
// The tree keeps the Python states it has reached: a position holds its successors, so that walking down a known path
// makes no Python call. Playouts keep nothing. Moves get small integers, one table per search. Everything here
// runs with the interpreter's lock held; Python errors pass through as nb::python_error, unchanged.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <vector>

#include "game/state.hpp"

namespace tesuji::python {

namespace nb = nanobind;

// What all states of one search share: the number of players and the numbering of moves.
class Rules {
 public:
  explicit Rules(int players) : players_(players) {}

  int players() const { return players_; }
  Move id_of(nb::handle move);
  nb::object move_of(Move id) const { return moves_[id]; }
  // The number of a move that a hook returned; no_move where the search has never met it.
  Move find(nb::handle move) const;
  Move count() const { return static_cast<Move>(moves_.size()); }

 private:
  int players_;
  nb::dict ids_;
  std::vector<nb::object> moves_;
};

// One Python state with what has been learned about it. Shared by all that stand on it; the lock makes plain counting
// enough.
class Position {
 public:
  Position(nb::object state, Rules& rules) : state_(std::move(state)), rules_(&rules) {}
  ~Position();
  Position(const Position&) = delete;
  Position& operator=(const Position&) = delete;

  const nb::object& state() const { return state_; }
  int player();
  bool over();
  const Scores& scores() { return over_known_ && over_ ? scores_ : (over(), scores_); }
  void set_result(const Scores& scores);
  // The legal moves as Python gave them, asked for once.
  const nb::object& move_sequence();
  const MoveList& moves();
  Position* successor(Move move, bool keep);
  const nb::object& key();

  void retain() { ++references_; }
  void release() {
    if (--references_ == 0) delete this;
  }

 private:
  nb::object state_;
  Rules* rules_;
  std::size_t references_ = 1;
  int player_ = unknown_player;
  bool over_known_ = false;
  bool over_ = false;
  bool moves_known_ = false;
  Scores scores_{};
  nb::object sequence_;
  nb::object key_;
  MoveList moves_;
  std::vector<Position*> successors_;

  static constexpr int unknown_player = -100;
};

class PythonState final : public State {
 public:
  PythonState(std::shared_ptr<Rules> rules, nb::object state);
  PythonState(const PythonState& other);
  PythonState& operator=(const PythonState& other);
  ~PythonState() override;

  std::unique_ptr<State> clone() const override { return std::make_unique<PythonState>(*this); }
  void assign(const State& other) override { *this = static_cast<const PythonState&>(other); }
  int players() const override { return rules_->players(); }
  int player() const override { return position_->player(); }
  bool over() const override { return position_->over(); }
  Scores scores() const override { return position_->scores(); }
  void moves(MoveList& list) const override { list = over() ? MoveList{} : position_->moves(); }
  bool legal(Move move) const override;
  void play(Move move) override;
  Move move_limit() const override { return std::max(rules_->count(), wide_from_the_start); }
  bool same_position(const State& other) const override;
  void playout(Random& random, const PlayoutRequest& request) override;
  void leave_tree() override { keep_ = false; }
  std::size_t kept_bytes() const override { return typical_position_bytes; }

  const nb::object& object() const { return position_->state(); }
  const Rules& rules() const { return *rules_; }

 private:
  // Nobody knows beforehand how many different moves a Python game has: 16 bits may not be enough.
  static constexpr Move wide_from_the_start = 0x10000;
  // A small Python object, its moves and our own notes; an estimate for the memory budget.
  static constexpr std::size_t typical_position_bytes = 600;

  void replace(Position* owned);

  std::shared_ptr<Rules> rules_;
  Position* position_;
  bool keep_ = true;
};

// Reads and checks what scores() returned.
Scores read_scores(nb::handle result, int players);

}  // namespace tesuji::python
