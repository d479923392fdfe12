// What only some games have and only one kind of search asks for. A State that has a capability returns it by the
// function of the same name, usually itself; the others return null.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/move_list.hpp"
#include "base/random.hpp"

namespace tesuji {

class State;

// Hidden information, for information-set search (search/information_set.cpp). Searches only look at
// determinizations, and the moves of different players must differ: which player is to move after the same moves may
// depend on what is hidden.
class HiddenInformation {
 public:
  // Makes `state` a random full state that is consistent with what `observer` has seen of this one.
  virtual void determinize(State& state, int observer, Random& random) const = 0;

 protected:
  ~HiddenInformation() = default;
};

// Data that a game keeps for the positions of a search (Gomoku's patterns, the states of Python games).
class PositionCache {
 public:
  // A search starts here: drop what is no longer reachable. `hooks`: hooks will evaluate positions, so that data they
  // need may be computed now and inherited by copies.
  virtual void become_root(bool hooks) = 0;
  // The positions reached from here belong to a playout or a replay and are not worth caching.
  virtual void begin_playout() = 0;
  // The estimated memory, which counts against the search's; 0 if it is bounded by the number of states.
  virtual std::size_t cache_bytes() const { return 0; }
  // Cache no new positions until the next become_root(): the memory is used up.
  virtual void stop_caching() {}

 protected:
  ~PositionCache() = default;
};

// A start that is dealt: self-play deals every game anew.
class DealtStart {
 public:
  // Becomes the first position of another game, the one that Python's game.start(seed) returns.
  virtual void deal(std::uint64_t seed) = 0;

 protected:
  ~DealtStart() = default;
};

// What alpha-beta asks besides the rules.
class AlphaBetaSupport {
 public:
  // For quiescence search and move ordering: wins, captures and the like, most urgent first. Returns false if the game
  // defines none.
  virtual bool noisy_moves(MoveList& list) const = 0;
  // Whether every other move loses at once, so that the side to move cannot leave things as they are.
  virtual bool must_be_noisy() const { return false; }
  // As State::hash(), but also distinguishes what matters only beyond a search's horizon, such as a distant ply limit.
  // Needed with a tablebase, whose results lie beyond the horizon.
  virtual std::uint64_t full_hash() const = 0;
  // Whether the result depends on earlier positions (repetitions) that the hashes ignore. A draw then holds for the
  // path and not for the position.
  virtual bool path_dependent() const { return false; }

 protected:
  ~AlphaBetaSupport() = default;
};

}  // namespace tesuji
