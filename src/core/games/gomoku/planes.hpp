// The network's input planes for Gomoku.
//
// "Own" is the colour of the next stone, also during swap2's opening. The pattern and proximity maps (maps.hpp) are
// optional.
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
