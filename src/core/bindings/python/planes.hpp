// Planes of a Python game: its states' planes() and the game's move_space.
#pragma once

#include <memory>

#include "bindings/python/game.hpp"
#include "game/planes.hpp"

namespace tesuji::python {

// Everything but the shape and the symmetries needs the GIL.
class PythonPlanes final : public Planes {
 public:
  // A permutation of the cells and one of the moves each.
  using Symmetries = std::vector<std::pair<std::vector<int>, std::vector<int>>>;

  // `move_space`: all possible moves, in the order of the policy.
  PythonPlanes(std::vector<std::string> names, int version, int rows, int columns, const nb::list& move_space,
               const Symmetries& symmetries);
  int version() const override { return version_; }
  void check(const State& state) const override;
  void encode(const State& state, float* out) const override;
  int index(const State& state, Move move) const override;

  // A position for a new search, in which moves are numbered by their policy index.
  std::unique_ptr<PythonState> first_state(nb::object state) const;
  void references(References& found);

 private:
  int version_;
  nb::object move_space_;  // a tuple
  nb::dict places_;
  nb::object as_array_;
  // Those of first_state(). Whoever keeps such a state keeps the planes, too, so that its objects count as theirs.
  mutable std::vector<std::weak_ptr<PythonGame>> games_;
};

// Whether the game is written in Python.
inline bool is_python(const Planes& planes) { return dynamic_cast<const PythonPlanes*>(&planes) != nullptr; }

// A position for a new search or replay: a copy of a native state, or a wrapped Python state.
std::unique_ptr<State> first_state(const Planes& planes, nb::handle state);
std::vector<std::unique_ptr<State>> first_states(const Planes& planes, const nb::sequence& states);

}  // namespace tesuji::python
