// A user's Python functions as hooks of a search, and native hooks as they are.
//
// Whatever a hook raises reaches the caller unchanged. Whatever it returns is checked: an illegal move, a number that
// is no number or out of its range is an error that says so, never a silent draw.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "bindings/python_game.hpp"
#include "game/knowledge.hpp"

namespace tesuji::python {

// Turns positions and moves into the Python objects that a hook expects, and back.
class Bridge {
 public:
  // `wrap` makes the public Python state from a native one; without it the game is a Python game.
  Bridge(std::shared_ptr<Rules> rules, nb::object wrap) : rules_(std::move(rules)), wrap_(std::move(wrap)) {}

  bool native() const { return !wrap_.is_none(); }
  nb::object state(const State& state) const;
  nb::object move(Move move) const;
  // no_move where this cannot be a move of the player to move.
  Move id(const State& state, nb::handle move) const;
  nb::list moves(const MoveList& list) const;

 private:
  std::shared_ptr<Rules> rules_;
  nb::object wrap_;
};

// The Python face of a worker's random numbers while a hook runs.
struct BorrowedRandom {
  Random* random = nullptr;
};

std::shared_ptr<const Value> make_value(std::shared_ptr<Bridge> bridge, nb::object callable);
std::shared_ptr<const ThreatResponse> make_threat_response(std::shared_ptr<Bridge> bridge, nb::object callable);
std::shared_ptr<const PlayoutPolicy> make_playout_policy(std::shared_ptr<Bridge> bridge, nb::object callable);
std::shared_ptr<const MoveOrdering> make_move_ordering(std::shared_ptr<Bridge> bridge, nb::object callable);
std::shared_ptr<const Proximity> make_proximity(std::shared_ptr<Bridge> bridge, nb::object callable);
std::shared_ptr<const Exploration> make_exploration(std::shared_ptr<Bridge> bridge, nb::object callable);

}  // namespace tesuji::python
