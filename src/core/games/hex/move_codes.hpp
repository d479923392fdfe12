// Codes of Hex moves, for a learned prior: what surrounds a cell, where it lies, and how it answers the last move.
//
//   shape       the six neighbours and the six cells a bridge away, up to the twelve symmetries of the hexagon
//   direction   the six neighbours as they lie, up to the half turn of the board
//   place       the distances to the own and the other edges
//   reply       where the opponent's last stone lies; next to it or a bridge away, with the neighbours seen from there
//   lines       the neighbours as they lie, and the distances to the edges
//   answer      the neighbours as they lie, and where the opponent's last stone lies
//   two, three  hashes of all cells within two and three steps, up to the half turn
//
// All are from the mover's point of view: White sees the board mirrored along the long diagonal, so that own edges are
// always top and bottom. Cells outside the board count as stones of the edge's owner.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "game/features.hpp"
#include "games/hex/hex.hpp"

namespace tesuji::hex {

class HexMoveCodes final : public MoveFeatures {
 public:
  int version() const override { return 2; }
  Code codes() const override;
  std::string code_name(Code code) const override;
  std::string code_group(Code code) const override;
  void extract(const State& state, const MoveList& moves, std::vector<Code>& codes,
               std::vector<std::uint32_t>& ends) const override;
  void sum_codes(const State& state, const MoveList& moves, const std::shared_ptr<const CodeWeights>& weights,
                 std::vector<std::int32_t>& sums) const override;
};

}  // namespace tesuji::hex
