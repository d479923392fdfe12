// The codes of a move, from which Gomoku's prior is learned: the cell's shape for both colours, what a stone of either
// would threaten given the threats on the board, and where the cell lies.
#pragma once

#include "game/features.hpp"
#include "games/gomoku/codes.hpp"

namespace tesuji::gomoku {

class MoveCodes final : public MoveFeatures {
 public:
  int version() const override { return 1; }
  Code codes() const override;
  std::string code_name(Code code) const override;
  std::string code_group(Code code) const override;
  void extract(const State& state, const MoveList& moves, std::vector<Code>& codes,
               std::vector<std::uint32_t>& ends) const override;
  void sum_codes(const State& state, const MoveList& moves, const std::shared_ptr<const CodeWeights>& weights,
                 std::vector<std::int32_t>& sums) const override;
};

}  // namespace tesuji::gomoku
