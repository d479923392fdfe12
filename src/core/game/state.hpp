// The interface between games and searches.
//
// A native game implements State directly; bindings/python_game implements it by calling a Python state. A search makes
// only a few virtual calls per simulation: the tight loops are inside the games.
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

// The result of a finished game for each player, in [0, 1].
using Scores = std::array<double, max_players>;

struct PlayedMove {
  Move move;
  int player;
};
// The moves of a simulation, which RAVE learns from.
using Trace = std::vector<PlayedMove>;

struct PlayoutRequest {
  int max_plies = -1;      // negative: play to the end
  Trace* trace = nullptr;  // receives the moves, unless null
  // Called regularly by long playouts, so that a game without end can be cancelled.
  bool (*stopped)(void*) = nullptr;
  void* stopped_context = nullptr;
};

class State {
 public:
  virtual ~State() = default;

  // Copies.

  virtual std::unique_ptr<State> clone() const = 0;
  // Becomes a copy of `other`, a state of the same game, without allocating.
  virtual void assign(const State& other) = 0;
  // Becomes the position after a move from another one: assign() and play().
  virtual void assign_after(const State& from, Move move) {
    assign(from);
    play(move);
  }

  // Rules.

  virtual int players() const = 0;
  // The side to move, or chance_player.
  virtual int player() const = 0;
  virtual bool over() const = 0;
  // The result; only called if over().
  virtual Scores scores() const = 0;
  // Fills the list with the legal moves in a fixed order; empty if the game is over.
  virtual void moves(MoveList& list) const = 0;
  virtual std::uint64_t count_moves() const {
    MoveList list;
    moves(list);
    return list.size();
  }
  virtual bool legal(Move move) const = 0;
  virtual void play(Move move) = 0;
  // An upper bound: every move is smaller. It may grow during a search of a Python game.
  virtual Move move_limit() const = 0;

  // Identity of positions, for tree reuse and transposition tables.

  // Whether both states have the same future.
  virtual bool same_position(const State& other) const = 0;
  // Equal for equal positions; 0 if the game has no hashes.
  virtual std::uint64_t hash() const { return 0; }
  // As hash(), but also distinguishes what matters only beyond a search's horizon, such as a distant ply limit. Needed
  // with a tablebase, whose results lie beyond the horizon.
  virtual std::uint64_t full_hash() const { return hash(); }
  // Whether the result depends on earlier positions (repetitions) that hash() ignores. A draw then holds for the path
  // and not for the position.
  virtual bool path_dependent() const { return false; }

  // Randomness: playouts and chance nodes.

  // Plays uniformly random moves until the game ends, the request's limit is reached or it is cancelled.
  virtual void playout(Random& random, const PlayoutRequest& request) = 0;
  // At a chance node: samples a move by its probability.
  virtual Move sample_chance(Random&) const { throw std::logic_error("a game with chance moves must sample them"); }

  // Hidden information (search/information_set.cpp).

  // If true, searches only look at determinizations, and the moves of different players must differ: which player is to
  // move after the same moves may depend on what is hidden.
  virtual bool has_hidden_information() const { return false; }
  // Becomes a random full state that is consistent with what `observer` has seen of the real one.
  virtual void determinize(const State& real, int observer, Random&) {
    static_cast<void>(observer);
    assign(real);
  }

  // Hints: a search is correct without them.

  // For alpha-beta's quiescence search and move ordering: wins, captures and the like, most urgent first. Returns false
  // if the game defines none.
  virtual bool noisy_moves(MoveList&) const { return false; }
  // For RAVE: a legal move that cannot be played later in the game, such as a swap, so that playouts say nothing about
  // it; no_move if there is none.
  virtual Move unrepeatable_move() const { return no_move; }

  // Caches that a game keeps for the search's positions (Gomoku's patterns, the states of Python games).

  // A search starts here: drop what is no longer reachable. `hooks`: hooks will evaluate positions, so that data they
  // need may be computed now and inherited by copies.
  virtual void become_root(bool hooks) { static_cast<void>(hooks); }
  // The positions reached from here belong to a playout or a replay and are not worth caching.
  virtual void begin_playout() {}
  // The caches' estimated memory, which counts against the search's; 0 if there are none.
  virtual std::size_t cache_bytes() const { return 0; }
  // Cache no new positions until the next become_root(): the memory is used up.
  virtual void stop_caching() {}

 protected:
  State() = default;
  State(const State&) = default;
  State& operator=(const State&) = default;
};

}  // namespace tesuji
