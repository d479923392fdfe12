// A game of self-play between two, as data: its moves, and what the search found on the way.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "game/state.hpp"

namespace tesuji::zero {

// What the search found in one position.
struct Searched {
  std::uint32_t first = 0;  // the policy target: targets[first] … targets[first + count - 1]
  std::uint32_t count = 0;
  float value = 0.5F;     // of the root, for the player to move
  float surprise = 0.0F;  // KL(target ‖ prior): how wrong the network's policy was
  bool full = false;      // searched with all simulations: the target is worth learning
};

// Of a game that was not played to its end, such as a position with a certain move: nothing is to be learned of its
// value.
inline constexpr double unknown_score = std::numeric_limits<double>::quiet_NaN();

// A policy index and its share. Raw: the share of the visits (or Gumbel's improved policy) before any temperature.
using Target = std::pair<std::uint32_t, float>;

struct PlayedGame {
  std::uint8_t board = 0;          // which of the run's boards it was played on
  std::vector<Move> moves;         // all of them, from the start
  std::uint32_t opening = 0;       // so many were not searched: they only lead to where the search began
  std::vector<Searched> searched;  // one for each move after the opening
  std::vector<Target> targets;
  Scores scores{};
  int resigned_by = -1;  // the player who gave up, or nobody
};

}  // namespace tesuji::zero
