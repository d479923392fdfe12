// The results of a search, of any kind.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/move_list.hpp"

namespace tesuji {

// What ended a search.
enum class Stop { none, iterations, depth, nodes, seconds, proven, cancelled };

struct Candidate {
  Move move = no_move;
  std::uint64_t visits = 0;  // in alpha-beta: nodes
  double value = 0;          // mean score of the root's side to move; exact if proven
  double prior = 0;
  std::optional<double> amaf;    // all-moves-as-first mean
  std::optional<double> proven;  // the proven score
  std::optional<int> plies;      // to the end, including this move, for a win or loss known by a tablebase or prover
  MoveList line;                 // principal variation, beginning with the move
  bool exact = true;             // otherwise the value is an upper bound (alpha-beta)
};

struct Report {
  Move move = no_move;
  double value = 0;  // of the chosen move
  std::optional<double> proven;
  std::optional<int> plies;      // as for candidates
  std::optional<int> depth;      // searched completely, by alpha-beta
  std::uint64_t iterations = 0;  // simulations of this search; in alpha-beta: nodes
  std::uint64_t visits = 0;      // of the root, including those kept from an earlier search
  std::uint64_t nodes = 0;
  std::uint64_t bytes = 0;
  double seconds = 0;
  Stop stop = Stop::none;
  bool memory_full = false;           // the tree has stopped growing, or alpha-beta the game's caches
  std::vector<Candidate> candidates;  // best first
};

}  // namespace tesuji
