// What a search found: results apart from the search.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/move_list.hpp"

namespace tesuji {

enum class Stop { none, iterations, seconds, memory, proven, cancelled };

struct Candidate {
  Move move = no_move;
  std::uint32_t visits = 0;
  double value = 0;  // mean score for the player who acts at the root; exact where proven
  double prior = 0;
  std::optional<double> amaf;    // RAVE's opinion of the move
  std::optional<double> proven;  // the certain score
  std::optional<int> plies;      // to the end, this move included, where it is a win or a loss and a tablebase knows
  MoveList line;                 // the move and what is expected after it
};

struct Report {
  Move move = no_move;
  double value = 0;  // of the chosen move
  std::optional<double> proven;
  std::optional<int> plies;      // likewise
  std::uint64_t iterations = 0;  // simulations of this search
  std::uint64_t visits = 0;      // of the root, those kept from an earlier search included
  std::uint64_t nodes = 0;
  std::uint64_t bytes = 0;
  double seconds = 0;
  Stop stop = Stop::none;
  bool memory_full = false;           // the tree stopped growing before the search ended
  std::vector<Candidate> candidates;  // best first
};

}  // namespace tesuji
