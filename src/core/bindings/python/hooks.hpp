// Python callables as hooks of a search.
//
// Exceptions of a hook propagate unchanged. Return values are checked: an illegal move or a number out of range is a
// ValueError.
#pragma once

#include <nanobind/nanobind.h>

#include <deque>
#include <memory>

#include "bindings/python/game.hpp"
#include "game/knowledge.hpp"

namespace tesuji::python {

// Converts positions and moves to Python objects and back.
class Converter {
 public:
  // `from_core` makes the public Python state from a native one; None for Python games.
  Converter(std::shared_ptr<PythonGame> game, nb::object from_core)
      : game_(std::move(game)), from_core_(std::move(from_core)) {}

  bool native() const { return !from_core_.is_none(); }
  nb::object state(const State& state) const;
  nb::object move(Move move) const;
  // no_move if it is not a move of the side to move.
  Move id(const State& state, nb::handle move) const;
  nb::list moves(const MoveList& list) const;
  // Keeps an object, such as a hook, as long as this exists.
  const nb::object& keep(nb::object object) { return kept_.emplace_back(std::move(object)); }
  void references(References& found) {
    found(from_core_);
    for (nb::object& each : kept_) found(each);
  }

 private:
  std::shared_ptr<PythonGame> game_;
  nb::object from_core_;
  std::deque<nb::object> kept_;  // elements never move
};

// A worker's random numbers, valid while a hook runs.
struct BorrowedRandom {
  Random* random = nullptr;
};

std::shared_ptr<const Value> make_value(std::shared_ptr<Converter> converter, nb::object callable);
std::shared_ptr<const ThreatResponse> make_threat_response(std::shared_ptr<Converter> converter, nb::object callable);
std::shared_ptr<const PlayoutPolicy> make_playout_policy(std::shared_ptr<Converter> converter, nb::object callable);
std::shared_ptr<const MoveOrdering> make_move_ordering(std::shared_ptr<Converter> converter, nb::object callable);
std::shared_ptr<const Proximity> make_proximity(std::shared_ptr<Converter> converter, nb::object callable);
std::shared_ptr<const Exploration> make_exploration(std::shared_ptr<Converter> converter, nb::object callable);

}  // namespace tesuji::python
