// A game-specific search for forced wins, such as Gomoku's threat-space search.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "game/tablebase.hpp"

namespace tesuji {

// The prover's maximal share of a search's time, used before the first simulation.
inline constexpr double prover_time_share = 0.1;

// For two-player games whose scores sum to 1. Results are proven, never estimated.
class Prover {
 public:
  virtual ~Prover() = default;

  struct Win {
    int plies;      // to the end of the game against the longest defence; not necessarily minimal
    MoveList line;  // the principal variation
  };

  // One thread's prover; it keeps its tables between calls.
  class Session {
   public:
    virtual ~Session() = default;
    // Searches for a win of the side to move, at the root. `seconds` limits the time (0: only the prover's node limit
    // does); go_on() is called every few milliseconds.
    virtual std::optional<Win> prove(const State& root, double seconds, const std::function<bool()>& go_on) = 0;
    // A quick probe at each new node, for the side to move.
    virtual std::optional<ExactResult> probe(const State& state) = 0;
  };
  virtual std::unique_ptr<Session> open() const = 0;
};

}  // namespace tesuji
