// A self-play game as training data: its moves and the result of each search.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "game/state.hpp"

namespace tesuji {

// The search result of one position.
struct SearchedPly {
  std::uint32_t first = 0;  // policy target: targets[first] … targets[first + count - 1]
  std::uint32_t count = 0;
  float value = 0.5F;     // root value for the side to move
  float surprise = 0.0F;  // KL(target ‖ prior)
  bool full = false;      // a full search, whose target trains the policy
};

// The score of an unfinished game, which carries no value target.
inline constexpr double unknown_score = std::numeric_limits<double>::quiet_NaN();

// A policy index and its share of the visits (or of Gumbel's improved policy), before any temperature.
using PolicyTarget = std::pair<std::uint32_t, float>;

struct PlayedGame {
  std::uint8_t board = 0;             // index of the run's board
  std::uint32_t deal = 0;             // seed of the deal; 0 in games without one
  std::vector<Move> moves;            // all of them, from the start
  std::uint32_t opening = 0;          // number of initial moves that were not searched
  std::vector<SearchedPly> searched;  // one for each move after the opening
  std::vector<PolicyTarget> targets;
  Scores scores{};
  int resigned_by = -1;  // -1: nobody
};

// Deals the start of a game; does nothing where nothing is dealt.
inline void deal(State& start, std::uint32_t seed) {
  if (DealtStart* const dealt = start.dealt_start()) dealt->deal(seed);
}

}  // namespace tesuji
