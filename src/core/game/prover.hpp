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
  // What is certain of a position without a search.
  struct Study {
    std::optional<Win> win;  // of the side to move
    bool lost = false;       // the side to move loses
    MoveList losing;         // moves that lose
    MoveList inferior;       // moves that are no better than one that is in neither list: they need not be searched
  };

  // One thread's prover; it keeps its tables between calls.
  class Session {
   public:
    virtual ~Session() = default;
    // Searches for a win of the side to move, at the root; go_on() is called every few milliseconds.
    virtual std::optional<Win> prove(const State& root, const ProverBudget& budget,
                                     const std::function<bool()>& go_on) = 0;
    // Searches for a win of the side to move after the move that a search is about to play: as long as the budget
    // allows, while prove() and study() are short.
    virtual std::optional<Win> refute(const State& /*after*/, const ProverBudget& /*budget*/,
                                      const std::function<bool()>& /*go_on*/) {
      return std::nullopt;
    }
    // The same for any position, in little time: at the root and after the chosen move of searches in self-play.
    // `playouts`: the effort, as in ProverBudget.
    virtual std::optional<Win> prove_shortly(const State&, std::uint64_t /*playouts*/) { return std::nullopt; }
    // Whether wins come with their length.
    virtual bool knows_length() const { return true; }
    // A quick probe at each new node, for the side to move.
    virtual std::optional<ExactResult> probe(const State& state) = 0;
    // At the root of a search in self-play, instead of probes after each move. Returns whether the opponent threatens
    // to win; then `moves` are those that are not proven to lose to the threat, and all others lose.
    virtual bool holding_moves(const State&, MoveList& /*moves*/) { return false; }
    // Visits of a node after which study() pays, in a search with playouts or with a network; 0: never.
    virtual std::uint32_t study_after(const State&, bool /*network*/) const { return 0; }
    // How often a node may be studied, each time after four times as many visits.
    virtual int studies() const { return 1; }
    // At the root and at busy nodes. `evaluations`: the node's visits, as evaluations by a network; the more, the more
    // effort is worthwhile.
    virtual void study(const State&, double /*evaluations*/, Study&) {}
  };
  // With `quick`, probes must take less time than an evaluation in a large batch on a GPU.
  virtual std::unique_ptr<Session> open(bool quick) const = 0;
  static constexpr std::uint32_t root_only = std::uint32_t{1} << 31;  // as a number of visits
};

}  // namespace tesuji
