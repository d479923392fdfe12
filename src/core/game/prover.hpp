// Results that are forced, found by a search of the game's own; in Gomoku, wins by threats.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "game/tablebase.hpp"

namespace tesuji {

// Of a search's time, what the prover may have at most before it begins.
inline constexpr double prover_share = 0.1;

// For games of two players whose scores add up to one. Only what is proven counts.
class Prover {
 public:
  virtual ~Prover() = default;

  struct Win {
    int plies;      // to the end of the game, if the loser delays; perhaps not the shortest way
    MoveList line;  // how it goes then
  };

  // What one thread asks; it keeps its tables from one question to the next.
  class Session {
   public:
    virtual ~Session() = default;
    // Before a search, thoroughly: a win of the side to move. `seconds` bounds the time (0: the prover's own limit of
    // work alone does), and go_on() is asked every few milliseconds.
    virtual std::optional<Win> prove(const State& root, double seconds, const std::function<bool()>& go_on) = 0;
    // At every new position of a search: what is found at once, for the side to move.
    virtual std::optional<Known> probe(const State& state) = 0;
  };
  virtual std::unique_ptr<Session> open() const = 0;
};

}  // namespace tesuji
