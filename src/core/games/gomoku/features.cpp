#include "games/gomoku/features.hpp"

#include <stdexcept>
#include <typeinfo>

#include "games/gomoku/gomoku.hpp"

namespace tesuji::gomoku {

namespace {

constexpr auto kind = [](std::size_t feature) {
  return static_cast<std::size_t>(first_feature) + feature % feature_kinds;
};

}  // namespace

GomokuFeatures::GomokuFeatures() {
  for (std::size_t i = 0; i < 2 * feature_kinds; ++i) {
    names_.push_back((i < feature_kinds ? "my_" : "their_") + std::string(threat_names[kind(i)]));
  }
}

void GomokuFeatures::extract(const State& state, int player, double* out) const {
  if (typeid(state) != typeid(GomokuState)) {
    throw std::invalid_argument("these features need a Gomoku position");
  }
  const auto& gomoku = static_cast<const GomokuState&>(state);
  const Patterns& patterns = gomoku.patterns();
  const int mine = gomoku.colour_of(player);
  for (std::size_t i = 0; i < 2 * feature_kinds; ++i) {
    out[i] = patterns.count(static_cast<Threat>(kind(i)), i < feature_kinds ? mine : 1 - mine);
  }
}

}  // namespace tesuji::gomoku
