// What a person knows of Hex: distances to a connection, groups, and the hooks made of them.
//
// The distance of a player is the number of empty cells that still have to be filled to join the two sides: own stone
// 0, empty 1, enemy impossible. docs/games/hex.md has the table of objectives and weights.
#pragma once

#include <array>
#include <vector>

#include "game/knowledge.hpp"
#include "games/hex/hex.hpp"

namespace tesuji::hex {

// The position as one of Hex; std::invalid_argument where it is of another game.
const HexState& as_hex(const State& state);

inline constexpr int unreachable = 1 << 20;

// Stones still needed by `player`; `unreachable` when the opponent has cut all ways.
int distance(const HexState& state, int player);

// The distance, and the empty cells that lie on any shortest way of `player`: fromStart + toGoal − 1 = distance.
struct ShortestPaths {
  int distance;
  MoveList cells;
};
ShortestPaths shortest_paths(const HexState& state, int player);

// Number of connected groups of stones.
int groups(const HexState& state, int player);

inline constexpr int objective_count = 8;
using ObjectiveValues = std::array<double, objective_count>;
extern const std::array<const char*, objective_count> objective_names;
extern const ObjectiveValues objective_weights;

// How an objective answers: by a number in [0, 1], monotonic in what it measures, or by yes (1) and no (0).
enum class ObjectiveForm { gradient, boolean };

// The eight objectives.
ObjectiveValues objectives(const HexState& state, int player, ObjectiveForm form);

// 0.1 + 0.8 · (Σ w·a − Σ negative w) / Σ|w|: objectives as a value, inside (0, 1) because only a finished game is
// certain.
class ObjectiveValue final : public Value {
 public:
  ObjectiveValue(const ObjectiveValues& weights, ObjectiveForm form) : weights_(weights), form_(form) {}
  double value(const State& state, int player) const override;

 private:
  ObjectiveValues weights_;
  ObjectiveForm form_;
};

// The cells on the opponent's shortest ways; urgent when the opponent needs `urgent_distance` stones or fewer. An own
// win on the spot comes before everything.
class PathThreats final : public ThreatResponse {
 public:
  explicit PathThreats(int urgent_distance) : urgent_distance_(urgent_distance) {}
  void respond(const State& state, Threat& threat) const override;
  bool finds_own_wins() const override { return true; }

 private:
  int urgent_distance_;
};

// 1, +10 beside the opponent's newest stone, +5 beside any opponent stone, +3 beside an own stone, +2 in the centre.
class NeighbourOrdering final : public MoveOrdering {
 public:
  void order(const State& state, MoveList& moves, std::vector<float>& weights, Random& random) const override;
};

// By how full the board is: under 30 % 1.4, under 60 % √2, else 1.0.
class FullnessExploration final : public Exploration {
 public:
  double exploration(const State& state) const override;
};

// Playouts that save bridges. Other cells are drawn with the weight
// exp(neighbours · own neighbours, at most three + centre · nearness to the centre, from 1 to −1); 0 and 0 are uniform.
class BridgePolicy final : public PlayoutPolicy {
 public:
  BridgePolicy(double neighbours, double centre);
  Move choose(const State& state, const MoveList& moves, Random& random) const override;
  bool play_out(State& state, Random& random, const PlayoutRequest& request) const override;

 private:
  friend class GuidedPlayout;

  static constexpr int most_neighbours = 3;
  static constexpr double most_weight = 10;

  bool uniform_;
  // Chances out of 2^32, by which of the six neighbours are own and by the distance from the centre.
  std::array<std::array<std::uint32_t, max_size + 1>, 64> accept_;
};

}  // namespace tesuji::hex
