// What a person knows of a game, as five small functions that the searches consume.
//
// Each is an interface of its own, so that any mix of a game's native functions, a user's Python callables and
// nothing at all can be put together. They are called from several threads at once and keep no state.
#pragma once

#include <memory>
#include <vector>

#include "game/prover.hpp"
#include "game/state.hpp"
#include "game/tablebase.hpp"

namespace tesuji {

// Position -> how good it is for a player, in [0, 1].
class Value {
 public:
  virtual ~Value() = default;
  virtual double value(const State& state, int player) const = 0;
};

// Moves that answer a threat. Urgent: only these are searched (an own win on the spot still comes first).
// Otherwise they are tried first and all others remain.
struct Threat {
  MoveList moves;
  bool urgent = false;
  bool certain = false;  // and every other move loses at once
};

class ThreatResponse {
 public:
  virtual ~ThreatResponse() = default;
  // Leaves `threat.moves` empty where nothing threatens.
  virtual void respond(const State& state, Threat& threat) const = 0;
  // Whether it puts the mover's own wins on the spot first by itself; otherwise the search looks for them.
  virtual bool finds_own_wins() const { return false; }
};

// One move of a playout.
class PlayoutPolicy {
 public:
  virtual ~PlayoutPolicy() = default;
  virtual Move choose(const State& state, const MoveList& moves, Random& random) const = 0;
  // A native policy plays the whole playout in a tight loop of its own. False: it has none and is asked move by move.
  virtual bool play_out(State&, Random&, const PlayoutRequest&) const { return false; }
};

// The order in which a node's moves are first tried, and how much attention each deserves.
class MoveOrdering {
 public:
  virtual ~MoveOrdering() = default;
  // Puts `moves` in order, best first. Fills `weights` beside it (positive, any scale), or leaves it empty
  // where only the order is known. It neither drops nor adds a move.
  virtual void order(const State& state, MoveList& moves, std::vector<float>& weights, Random& random) const = 0;
};

// How near moves are to what happens on the board. The searches use it softly, as a factor of the priors that never
// takes all of one, or hard, by setting distant moves aside; these are looked at only where all others lose, so that no
// proof depends on it.
class Proximity {
 public:
  virtual ~Proximity() = default;
  // Fills `weights` beside `moves`, each from 0 to 1 and not all 0. `hard`: moves to be set aside get 0, the others do
  // not.
  virtual void weigh(const State& state, const MoveList& moves, bool hard, std::vector<float>& weights) const = 0;
};

// The exploration constant for this position ("dynamic UCT").
class Exploration {
 public:
  virtual ~Exploration() = default;
  virtual double exploration(const State& state) const = 0;
};

// The hooks of one search; a null pointer is a hook that is off.
struct Hooks {
  std::shared_ptr<const Value> value;
  std::shared_ptr<const ThreatResponse> threat_response;
  std::shared_ptr<const PlayoutPolicy> playout_policy;
  std::shared_ptr<const MoveOrdering> move_ordering;
  std::shared_ptr<const Exploration> exploration;
  std::shared_ptr<const Proximity> proximity;
  std::shared_ptr<const Tablebase> tablebase;
  std::shared_ptr<const Prover> prover;

  // Whether any of them will ask positions of the tree.
  bool ask() const {
    return value != nullptr || threat_response != nullptr || move_ordering != nullptr || exploration != nullptr ||
           proximity != nullptr || prover != nullptr;
  }
};

}  // namespace tesuji
