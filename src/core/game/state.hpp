// What every game gives the searches.
//
// A native game implements State directly; bindings/python_game implements it by calling a Python state. The calls
// are coarse on purpose: a search makes a handful of virtual calls per simulation, and the tight loops stay
// inside the game.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "base/move_list.hpp"
#include "base/random.hpp"

namespace tesuji {

inline constexpr int max_players = 16;
inline constexpr int chance_player = -1;

// A finished game's worth to each player, in [0, 1].
using Scores = std::array<double, max_players>;

// A move and who made it: what RAVE learns from.
struct Played {
  Move move;
  int player;
};
using Trace = std::vector<Played>;

// How a playout is to be run.
struct PlayoutRequest {
  int max_plies = -1;      // stop after so many moves; negative: play to the end
  Trace* trace = nullptr;  // receives the moves, where the caller wants them
  // Long playouts ask this now and then, so that endless games can be cancelled.
  bool (*stopped)(void*) = nullptr;
  void* stopped_context = nullptr;
};

class State {
 public:
  virtual ~State() = default;

  virtual std::unique_ptr<State> clone() const = 0;
  // Becomes a copy of `other`, which is of the same game, without allocating.
  virtual void assign(const State& other) = 0;

  virtual int players() const = 0;
  // Who moves; chance_player where nature does.
  virtual int player() const = 0;
  virtual bool over() const = 0;
  // The result; only called when over().
  virtual Scores scores() const = 0;
  // Fills the list with the legal moves in a fixed order; empty when the game is over.
  virtual void moves(MoveList& list) const = 0;
  // How many there are.
  virtual std::uint64_t count_moves() const {
    MoveList list;
    moves(list);
    return list.size();
  }
  virtual bool legal(Move move) const = 0;
  virtual void play(Move move) = 0;
  // Becomes the position after a move of another: assign() and play() in one.
  virtual void follow(const State& from, Move move) {
    assign(from);
    play(move);
  }
  // Every move is smaller than this. It may grow while a search meets new moves of a Python game.
  virtual Move move_limit() const = 0;
  // A legal move that cannot be played later in the game, so that RAVE cannot learn of it; no_move where there is none.
  virtual Move once_only() const { return no_move; }
  // Two states for which this holds have the same future.
  virtual bool same_position(const State& other) const = 0;
  // Equal for equal positions, and hardly ever for others: what transposition tables are keyed by. 0: there is none.
  virtual std::uint64_t hash() const { return 0; }
  // As hash(), where results from further away than any search looks are known: it leaves out nothing but the past.
  virtual std::uint64_t far_hash() const { return hash(); }
  // Whether the past decides part of the future (repetitions) and hash() leaves it out: then a draw is true of the way
  // to a position, not of the position.
  virtual bool past_counts() const { return false; }
  // The moves (wins, captures) that must be looked at before the position can be judged, the most urgent first. False:
  // the game names none.
  virtual bool noisy_moves(MoveList&) const { return false; }

  // Plays uniformly random moves until the game ends, the request's limit is reached or the caller wants to stop.
  virtual void playout(Random& random, const PlayoutRequest& request) = 0;
  // The moves that follow belong to a playout: what they reach will not be asked for again.
  virtual void leave_tree() {}
  // A search starts from here: what cannot be reached any more may be dropped. `asked`: hooks will ask positions, so
  // that what they need may be made now and taken along.
  virtual void become_root(bool asked) { static_cast<void>(asked); }

  // Where chance_player is to move: one of the moves, by its probability.
  virtual Move draw(Random&) const { throw std::logic_error("a game with chance moves must draw them"); }
  // Whether players do not see all of it. Then searches look at nothing but what determinize() makes of it, and no two
  // players share a move: who is to move after the same moves may depend on what is hidden.
  virtual bool hides() const { return false; }
  // Becomes a full state that fits all that `observer` has seen of the real one, each as likely as any other.
  virtual void determinize(const State& real, int observer, Random&) {
    static_cast<void>(observer);
    assign(real);
  }

  // Memory, beside the search's own, that a game takes for the positions it keeps; an estimate, 0 where it keeps none.
  virtual std::size_t kept_bytes() const { return 0; }
  // There is no more memory for it: positions that are new are not kept, until become_root().
  virtual void stop_keeping() {}

 protected:
  State() = default;
  State(const State&) = default;
  State& operator=(const State&) = default;
};

}  // namespace tesuji
