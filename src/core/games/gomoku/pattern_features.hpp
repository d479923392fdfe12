// The codes of a position, from which Gomoku's value is learned: the shape of every empty cell for the side to move and
// for the opponent, and which threats both have.
#pragma once

#include "game/features.hpp"
#include "games/gomoku/codes.hpp"

namespace tesuji::gomoku {

class PatternFeatures final : public Features {
 public:
  const std::vector<std::string>& names() const override { return names_; }
  int version() const override { return 2; }
  void extract(const State&, int, double*) const override {}
  Code codes() const override { return ShapeCodes::count; }
  std::string code_name(Code code) const override;
  std::string code_group(Code code) const override;
  void extract_codes(const State& state, int player, std::vector<Code>& codes) const override;
  std::int64_t sum_codes(const State& state, int player,
                         const std::shared_ptr<const CodeWeights>& weights) const override;

 private:
  std::vector<std::string> names_;  // none
};

}  // namespace tesuji::gomoku
