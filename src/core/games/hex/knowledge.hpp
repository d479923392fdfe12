// Hex knowledge: connection distances, groups, and the hooks based on them.
//
// A player's distance is the number of empty cells still needed to connect its sides: own stone 0, empty cell 1, enemy
// stone impossible. docs/games/hex.md has the table of objectives and weights.
#pragma once

#include <array>
#include <vector>

#include "game/features.hpp"
#include "game/knowledge.hpp"
#include "games/hex/hex.hpp"

namespace tesuji::hex {

// Throws std::invalid_argument if the state is not a HexState.
const HexState& as_hex(const State& state);

inline constexpr int unreachable = 1 << 20;

// Stones still needed; `unreachable` if the opponent has won.
int distance(const HexState& state, int player);

// The distance, and the empty cells on any shortest path: from_start + to_goal − 1 = distance.
struct ShortestPaths {
  int distance;
  MoveList cells;
};
ShortestPaths shortest_paths(const HexState& state, int player);

// Number of connected groups of stones.
int groups(const HexState& state, int player);

inline constexpr int objective_count = 8;
using ObjectiveValues = std::array<double, objective_count>;
inline constexpr std::array<const char*, objective_count> objective_names = {
    "path-distance-advantage", "near-win-within-1", "near-win-within-2", "near-win-within-3",
    "opponent-path-blocked",   "opponent-near-win", "fewer-groups",      "single-group"};
inline constexpr ObjectiveValues objective_weights = {10, 8, 5, 3, 9, -6, 2, 1};

// Objectives as gradients in [0, 1] or as booleans (0 or 1). `stepped` is the form of the features: as gradients, but
// each near-win is 0 beyond its own distance, so that a linear value can tell the three apart.
enum class ObjectiveForm { gradient, boolean, stepped };

ObjectiveValues objectives(const HexState& state, int player, ObjectiveForm form);

// The features: the objectives in their stepped form.
class HexFeatures final : public Features {
 public:
  HexFeatures() : Features({objective_names.begin(), objective_names.end()}) {}
  int version() const override { return 1; }
  void extract(const State& state, int player, double* out) const override;
};

// 0.1 + 0.8 · (Σ w·a − Σ negative w) / Σ|w|, which stays inside (0, 1).
class ObjectiveValue final : public Value {
 public:
  ObjectiveValue(const ObjectiveValues& weights, ObjectiveForm form) : weights_(weights), form_(form) {}
  double value(const State& state, int player) const override;

 private:
  ObjectiveValues weights_;
  ObjectiveForm form_;
};

// The cells on the opponent's shortest paths; urgent if the opponent needs at most `urgent_distance` stones. An
// immediate win comes first.
class PathThreats final : public ThreatResponse {
 public:
  explicit PathThreats(int urgent_distance) : urgent_distance_(urgent_distance) {}
  void respond(const State& state, ThreatReplies& threat) const override;
  bool includes_own_wins() const override { return true; }

 private:
  int urgent_distance_;
};

// 1, +10 beside the opponent's newest stone, +5 beside any opponent stone, +3 beside an own stone, +2 in the centre.
class NeighbourOrdering final : public MoveOrdering {
 public:
  void order(const State& state, MoveList& moves, std::vector<float>& weights, Random& random) const override;
};

// By the share of occupied cells: below 30 % 1.4, below 60 % √2, otherwise 1.0.
class FullnessExploration final : public Exploration {
 public:
  double exploration(const State& state) const override;
};

// Playouts that save bridges. Other cells are sampled with weight
// exp(neighbours · min(own neighbours, 3) + centre · centrality), centrality from 1 to −1; (0, 0) is uniform.
class BridgePolicy final : public PlayoutPolicy {
 public:
  BridgePolicy(double neighbours, double centre);
  Move choose(const State& state, const MoveList& moves, Random& random) const override;
  bool play_out(State& state, Random& random, const PlayoutRequest& request) const override;

 private:
  friend class GuidedPlayout;

  static constexpr int max_neighbours = 3;
  static constexpr double max_weight = 10;

  bool uniform_;
  // Acceptance probabilities in 1 / 2^32, by the set of own neighbours and the distance from the centre.
  std::array<std::array<std::uint32_t, max_size + 1>, 64> accept_;
};

}  // namespace tesuji::hex
