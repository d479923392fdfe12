// The interface between games and searches.
//
// A native game implements State directly; bindings/python/game implements it by calling a Python state. A search makes
// only a few virtual calls per simulation: the tight loops are inside the games.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <typeinfo>

#include "base/move_list.hpp"
#include "base/random.hpp"
#include "game/capabilities.hpp"

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

  // Randomness: playouts and chance nodes.

  // Plays uniformly random moves until the game ends, the request's limit is reached or it is cancelled.
  virtual void playout(Random& random, const PlayoutRequest& request) = 0;
  // At a chance node: samples a move by its probability.
  virtual Move sample_chance(Random&) const { throw std::logic_error("a game with chance moves must sample them"); }

  // For RAVE, as a hint: a legal move that cannot be played later in the game, such as a swap, so that playouts say
  // nothing about it; no_move if there is none.
  virtual Move unrepeatable_move() const { return no_move; }

  // Capabilities that some games have (capabilities.hpp); null: not this game.

  virtual const HiddenInformation* hidden_information() const { return nullptr; }
  virtual PositionCache* position_cache() { return nullptr; }
  virtual DealtStart* dealt_start() { return nullptr; }
  virtual const AlphaBetaSupport* alphabeta_support() const { return nullptr; }

 protected:
  State() = default;
  State(const State&) = default;
  State& operator=(const State&) = default;
};

// The seat for which a position of two players is evaluated: the side to move; at a chance node, player 0.
inline int evaluated_seat(const State& state) { return std::max(state.player(), 0); }

// A state as one of a game whose class is final, const if the state is. Throws std::invalid_argument with this text if
// it is of another game.
template <typename Game, typename Given>
auto& state_as(Given& state, const char* otherwise) {
  // typeid is much cheaper than dynamic_cast.
  if (typeid(state) != typeid(Game)) throw std::invalid_argument(otherwise);
  return static_cast<std::conditional_t<std::is_const_v<Given>, const Game, Game>&>(state);
}

}  // namespace tesuji
