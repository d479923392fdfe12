// Hex's features: its eight objectives, in their stepped form.
#pragma once

#include "game/features.hpp"

namespace tesuji::hex {

class HexFeatures final : public Features {
 public:
  HexFeatures();
  const std::vector<std::string>& names() const override { return names_; }
  int version() const override { return 1; }
  void extract(const State& state, int player, double* out) const override;

 private:
  std::vector<std::string> names_;
};

}  // namespace tesuji::hex
