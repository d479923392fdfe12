// A game-specific search for forced wins, such as Gomoku's threat-space search.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "game/tablebase.hpp"

namespace tesuji {

// The prover's maximal share of a search's time, used before the first simulation.
inline constexpr double prover_time_share = 0.1;

// About as much work as one evaluation by a network on one core.
inline constexpr std::uint32_t playouts_per_evaluation = 64;

// What a prover may use at the root; 0: no limit of this kind.
struct ProverBudget {
  double seconds = 0;
  std::uint64_t playouts = 0;  // about as much work as so many playouts
};
inline ProverBudget prover_share(double seconds, std::uint64_t playouts) {
  return {prover_time_share * seconds, playouts == 0 ? 0 : std::max<std::uint64_t>(playouts / 10, 1)};
}

// For two-player games whose scores sum to 1. Results are proven, never estimated.
class Prover {
 public:
  virtual ~Prover() = default;

  struct Win {
    // To the end of the game against the longest defence, not necessarily minimal; none if the prover does not know.
    std::optional<int> plies;
    MoveList line;  // the principal variation, at least its first move
  };
  // What a search of a position found, all of it certain.
  struct Findings {
    std::optional<Win> win;  // of the side to move
    bool lost = false;       // the side to move loses
    MoveList losing;         // moves that lose
    MoveList inferior;       // moves that are no better than one that is in neither list: they need not be searched
  };

  // What a win is sought for.
  enum class Purpose : std::uint8_t {
    root,      // before a search, in a share of its budget
    choice,    // after the move that a search is about to play: as long as the budget allows
    selfplay,  // likewise, and at the root, in self-play: in little time
  };

  // One thread's prover; it keeps its tables between calls.
  class Session {
   public:
    virtual ~Session() = default;
    // A quick probe at each new node, for the side to move.
    virtual std::optional<ExactResult> probe(const State& state) = 0;
    // Searches for a win of the side to move. go_on() is called every few milliseconds, unless it is empty.
    virtual std::optional<Win> prove(const State& state, Purpose purpose, const ProverBudget& budget,
                                     const std::function<bool()>& go_on) = 0;
    // At the root and at busy nodes. `evaluations`: the node's visits, as evaluations by a network; the more, the more
    // effort is worthwhile. 0: at the root of a search in self-play, which moves lose to a threat, instead of probes
    // after each move.
    virtual void search(const State& state, double evaluations, Findings& result) = 0;
  };
  // With `quick`, probes must take less time than an evaluation in a large batch on a GPU.
  virtual std::unique_ptr<Session> open(bool quick) const = 0;

  // Whether wins come with their length.
  virtual bool knows_length() const = 0;
  // When nodes are searched, under a tree search with playouts or with a network.
  struct Schedule {
    std::uint32_t visits;  // after which search() pays; 0: never
    int times = 1;         // how often, each time after four times as many visits
  };
  virtual Schedule schedule(const State& root, bool network) const = 0;
  static constexpr std::uint32_t root_only = std::uint32_t{1} << 31;  // as a number of visits
};

}  // namespace tesuji
