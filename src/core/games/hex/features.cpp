#include "games/hex/features.hpp"

#include <algorithm>
#include <stdexcept>

#include "games/hex/knowledge.hpp"

namespace tesuji::hex {

HexFeatures::HexFeatures() : names_(objective_names.begin(), objective_names.end()) {}

void HexFeatures::extract(const State& state, int player, double* out) const {
  const auto* hex = dynamic_cast<const HexState*>(&state);
  if (hex == nullptr) throw std::invalid_argument("these features need a Hex position");
  const ObjectiveValues values = objectives(*hex, player, ObjectiveForm::stepped);
  std::copy(values.begin(), values.end(), out);
}

}  // namespace tesuji::hex
