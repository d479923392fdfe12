// What Gomoku's values are learned from: counts of threats, or codes of the patterns.
#pragma once

#include "game/features.hpp"
#include "games/gomoku/codes.hpp"

namespace tesuji::gomoku {

// For each kind of threat from two to five, the number of empty cells where either side would make it.
class GomokuFeatures final : public Features {
 public:
  GomokuFeatures();
  int version() const override { return 1; }
  void extract(const State& state, int player, double* out) const override;
};

// The shape of every empty cell for the side to move and for the opponent, and which threats both have.
class PatternFeatures final : public Features {
 public:
  int version() const override { return 2; }
  Code codes() const override { return ShapeCodes::count; }
  std::string code_name(Code code) const override;
  std::string code_group(Code code) const override;
  void extract_codes(const State& state, int player, std::vector<Code>& codes) const override;
  std::int64_t sum_codes(const State& state, int player,
                         const std::shared_ptr<const CodeWeights>& weights) const override;
};

}  // namespace tesuji::gomoku
