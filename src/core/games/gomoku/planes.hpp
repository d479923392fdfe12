// How a Gomoku position looks to a network.
//
// Own is the colour of the stone to come, also where swap2's opening lets a player put stones of both. The pattern maps
// and the proximity map (maps.hpp) tell at once what the network's first layers would have to work out; each can be
// left out.
#pragma once

#include "game/planes.hpp"
#include "games/gomoku/gomoku.hpp"

namespace tesuji::gomoku {

struct PlanesOptions {
  bool patterns = true;
  bool proximity = true;
};

class GomokuPlanes final : public Planes {
 public:
  // For the game that starts here.
  GomokuPlanes(const GomokuState& start, const PlanesOptions& options);
  int version() const override { return 1; }
  void check(const State& state) const override;
  void encode(const State& state, float* out) const override { encode_turned(state, 0, out); }
  void encode_turned(const State& state, int symmetry, float* out) const override;
  int index(const State&, Move move) const override { return static_cast<int>(move); }
  void indices(const State&, const MoveList& moves, std::vector<int>& out) const override {
    out.assign(moves.begin(), moves.end());
  }

 private:
  int size_;
  Rule rule_;
  bool swap2_;
  PlanesOptions options_;
};

}  // namespace tesuji::gomoku
