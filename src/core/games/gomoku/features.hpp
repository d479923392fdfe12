// Gomoku's features: for each kind of threat, the number of empty cells where either side would make it.
#pragma once

#include "game/features.hpp"
#include "games/gomoku/board/patterns.hpp"

namespace tesuji::gomoku {

// From two to five.
inline constexpr Threat first_feature = Threat::two;
inline constexpr Threat last_feature = Threat::five;
inline constexpr std::size_t feature_kinds =
    static_cast<std::size_t>(last_feature) - static_cast<std::size_t>(first_feature) + 1;

class GomokuFeatures final : public Features {
 public:
  GomokuFeatures();
  const std::vector<std::string>& names() const override { return names_; }
  int version() const override { return 1; }
  void extract(const State& state, int player, double* out) const override;

 private:
  std::vector<std::string> names_;
};

}  // namespace tesuji::gomoku
