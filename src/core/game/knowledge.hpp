// Game knowledge as hooks of a search: value, threat response, playout policy, move ordering, proximity, exploration.
//
// Each hook is optional and may be native or a Python callable. Hooks are stateless and called from several threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "game/prover.hpp"
#include "game/state.hpp"
#include "game/tablebase.hpp"

namespace tesuji {

// A heuristic evaluation: the expected score of a player, in [0, 1].
class Value {
 public:
  virtual ~Value() = default;
  virtual double value(const State& state, int player) const = 0;
};

// Replies to the opponent's threat. If urgent, only these are searched (after immediate wins); otherwise they are tried
// first.
struct ThreatReplies {
  MoveList moves;
  bool urgent = false;
  bool certain = false;  // every other move loses immediately

  bool answered_by(Move move) const { return std::find(moves.begin(), moves.end(), move) != moves.end(); }
};

class ThreatResponse {
 public:
  virtual ~ThreatResponse() = default;
  // Leaves `threat.moves` empty if there is no threat.
  virtual void respond(const State& state, ThreatReplies& threat) const = 0;
  // Whether the replies include immediate wins; otherwise the search looks for those itself.
  virtual bool includes_own_wins() const { return false; }
};

// Chooses the moves of a playout.
class PlayoutPolicy {
 public:
  virtual ~PlayoutPolicy() = default;
  virtual Move choose(const State& state, const MoveList& moves, Random& random) const = 0;
  // Plays a whole playout in a native loop. Returns false if the policy only implements choose().
  virtual bool play_out(State&, Random&, const PlayoutRequest&) const { return false; }
};

// Move ordering and priors.
class MoveOrdering {
 public:
  virtual ~MoveOrdering() = default;
  // Permutes `moves`, best first, and fills `weights` in parallel (positive, any scale); `weights` stays empty if only
  // the order is known.
  virtual void order(const State& state, MoveList& moves, std::vector<float>& weights, Random& random) const = 0;
  // Fills `logits` in parallel to `moves` with the logarithms of the weights, in units of 2⁻¹⁶, and leaves the moves in
  // place: cheaper than order(). Returns false if it is not implemented.
  virtual bool logits(const State& /*state*/, const MoveList& /*moves*/, std::vector<std::int32_t>& /*logits*/) const {
    return false;
  }
};

// How close moves are to the pieces on the board. Soft proximity scales the priors. Hard proximity sets distant moves
// aside: they are searched only if all others lose, so proofs stay sound.
class Proximity {
 public:
  virtual ~Proximity() = default;
  // Fills `weights` in parallel to `moves`, each in [0, 1] and not all 0. If `hard`, exactly the moves to be set aside
  // get 0.
  virtual void weigh(const State& state, const MoveList& moves, bool hard, std::vector<float>& weights) const = 0;
};

// The exploration constant of a position (dynamic UCT).
class Exploration {
 public:
  virtual ~Exploration() = default;
  virtual double exploration(const State& state) const = 0;
};

// The hooks of one search; null means off.
struct Hooks {
  std::shared_ptr<const Value> value;
  std::shared_ptr<const ThreatResponse> threat_response;
  std::shared_ptr<const PlayoutPolicy> playout_policy;
  std::shared_ptr<const MoveOrdering> move_ordering;
  std::shared_ptr<const Exploration> exploration;
  std::shared_ptr<const Proximity> proximity;
  std::shared_ptr<const Tablebase> tablebase;
  std::shared_ptr<const Prover> prover;

  // Whether any hook evaluates positions of the tree.
  bool ask() const {
    return value != nullptr || threat_response != nullptr || move_ordering != nullptr || exploration != nullptr ||
           proximity != nullptr || prover != nullptr;
  }
};

}  // namespace tesuji
