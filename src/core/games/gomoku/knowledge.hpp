// Gomoku's hooks, based on patterns: move ordering, threat response, playout policy and proximity.
#pragma once

#include "game/knowledge.hpp"
#include "games/gomoku/gomoku.hpp"

namespace tesuji::gomoku {

// Throws std::invalid_argument if the state is not a GomokuState.
const GomokuState& as_gomoku(const State& state);

// By the pattern scores of both sides, the opponent's slightly discounted; the first stone by centrality.
class PatternOrdering final : public MoveOrdering {
 public:
  void order(const State& state, MoveList& moves, std::vector<float>& weights, Random& random) const override;
};

// In this order: own fives; cells that stop a five; own open fours; cells that may stop an open four, which are all
// cells where either side makes a four.
class PatternThreats final : public ThreatResponse {
 public:
  void respond(const State& state, tesuji::ThreatReplies& threat) const override;
  bool includes_own_wins() const override { return true; }
};

// Plays PatternThreats' replies, otherwise random moves near the stones.
class PatternPolicy final : public PlayoutPolicy {
 public:
  Move choose(const State& state, const MoveList& moves, Random& random) const override;
  bool play_out(State& state, Random& random, const PlayoutRequest& request) const override;
};

struct ProximityOptions {
  int opening_stones = 5;    // with fewer stones, no cell is set aside
  int max_distance = 2;      // steps to the nearest stone, 1 to 3; cells further away are set aside if hard
  bool scale_priors = true;  // false: cells that are not set aside have the weight 1 if hard
};

// The weights of proximity_map(). If hard, distant cells are set aside, unless either side would make an open three or
// more there. The first stone must be within one step of the centre, because patterns do not distinguish cells of the
// empty board.
class StoneProximity final : public Proximity {
 public:
  explicit StoneProximity(const ProximityOptions& options) : options_(options) {}
  void weigh(const State& state, const MoveList& moves, bool hard, std::vector<float>& weights) const override;

 private:
  ProximityOptions options_;
};

// The edge penalty, for comparison with proximity: 0.1 on the outermost line, 0.5 on the second, 1 elsewhere; hard and
// soft alike.
class EdgePenalty final : public Proximity {
 public:
  void weigh(const State& state, const MoveList& moves, bool hard, std::vector<float>& weights) const override;
};

}  // namespace tesuji::gomoku
