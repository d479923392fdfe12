// What a person knows of Gomoku, made of patterns: which moves come first, which threats must be answered, how to play
// a game out, and that distant moves hardly matter.
#pragma once

#include "game/knowledge.hpp"
#include "games/gomoku/gomoku.hpp"

namespace tesuji::gomoku {

// The state as one of Gomoku; std::invalid_argument where it is none.
const GomokuState& gomoku_of(const State& state);

// By what a stone makes there, and a little less by what the opponent's would; the first stone by how central it is.
class PatternOrdering final : public MoveOrdering {
 public:
  void order(const State& state, MoveList& moves, std::vector<float>& weights, Random& random) const override;
};

// In this order: an own five; what stops a five; an own open four; what stops an open four, which is every cell at
// which either side would make a four. Open twos are not urgent.
class PatternThreats final : public ThreatResponse {
 public:
  void respond(const State& state, tesuji::Threat& threat) const override;
  bool finds_own_wins() const override { return true; }
};

// Answers threats as PatternThreats does, and otherwise plays anywhere near the stones.
class PatternPolicy final : public PlayoutPolicy {
 public:
  Move choose(const State& state, const MoveList& moves, Random& random) const override;
  bool play_out(State& state, Random& random, const PlayoutRequest& request) const override;
};

// The weights of proximity_map(). Hard: cells that are three or more steps from every stone are set aside, but never
// one at which either side would make an open three or more, nor any while fewer than `opening_stones` stones lie on
// the board: until then, as soft. The first stone alone goes to the middle or beside it: no pattern tells one empty
// board from another, so that a value made of patterns would put it anywhere.
class StoneProximity final : public Proximity {
 public:
  explicit StoneProximity(int opening_stones) : opening_stones_(opening_stones) {}
  void weigh(const State& state, const MoveList& moves, bool hard, std::vector<float>& weights) const override;

 private:
  int opening_stones_;
};

}  // namespace tesuji::gomoku
