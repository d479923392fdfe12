// The network's input planes for Gomoku: by default one set for every rule, and every board up to the given one.
//
// "Own" is the colour of the next stone, also during swap2's opening. Planes of the rule, of swap2's stages, of threats
// and the two kinds of maps (maps.hpp) can be left out.
//
//   standard, renju      1 on the whole board under this rule; freestyle has neither
//   black_forbidden      the cells that renju forbids to Black, whoever is to move
//   own_threes, …        the cells where a stone would make an open three, a four, or an open four
//   combined             combined_map (maps.hpp)
//   other_vcf, …_replies the moves and replies of a win by fours that the opponent threatens
#pragma once

#include "game/planes.hpp"
#include "games/gomoku/gomoku.hpp"

namespace tesuji::gomoku {

struct PlanesOptions {
  bool rules = true;  // off: planes for this rule and size alone
  bool swap2 = true;  // off: no stages, no indices for the choices; the opening can still be searched (see Exchange)
  bool patterns = true;
  bool threats = true;
  bool proximity = true;
  bool combined = false;  // patterns times proximity, in one plane
  bool vcf = false;       // what the opponent threatens by fours; of the side to move, the searches know its wins
};

class GomokuPlanes final : public Planes {
 public:
  GomokuPlanes(const GomokuState& start, const PlanesOptions& options);
  int version() const override { return 1; }
  bool any_size() const override { return options_.rules; }
  Exchange exchange(const State& state) const override;
  // By the distance from the other stones: the opponent chooses the side, so that strong stones are no better.
  void weights_ahead(const State& state, const MoveList& moves, std::vector<float>& weights) const override;
  void check(const State& state) const override;
  void encode(const State& state, float* out) const override { encode_turned(state, 0, out); }
  void encode_turned(const State& state, int symmetry, float* out) const override;
  int index(const State& state, Move move) const override;
  void indices(const State& state, const MoveList& moves, std::vector<int>& out) const override;

 private:
  Rule rule_;
  bool swap2_;
  PlanesOptions options_;
};

}  // namespace tesuji::gomoku
