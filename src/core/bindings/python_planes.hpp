// Planes of a game whose rules are written in Python: its states' planes(), and the game's move_space.
#pragma once

#include <memory>

#include "bindings/python_game.hpp"
#include "game/planes.hpp"

namespace tesuji::python {

// Everything but the shape and the symmetries needs the interpreter's lock.
class PythonPlanes final : public Planes {
 public:
  // `move_space` has all moves there can be, in the order of the policy. Of each symmetry, where it takes the cells and
  // where it takes the moves.
  PythonPlanes(std::vector<std::string> names, int version, const PlanesShape& shape, const nb::list& move_space,
               const std::vector<std::pair<std::vector<int>, std::vector<int>>>& symmetries);
  int version() const override { return version_; }
  void check(const State& state) const override;
  void encode(const State& state, float* out) const override;
  int index(const State& state, Move move) const override;

  // A position of a search of its own, in which moves are numbered by their place in the policy.
  std::unique_ptr<PythonState> first_state(nb::object state) const;

 private:
  int version_;
  nb::list move_space_;
  nb::dict places_;
  nb::object as_array_;
};

// Whether positions are Python's.
inline bool is_python(const Planes& planes) { return dynamic_cast<const PythonPlanes*>(&planes) != nullptr; }

// A position for a search or a replay of its own: a copy of a native one, or a Python state as a search sees it.
std::unique_ptr<State> first_state(const Planes& planes, nb::handle state);
// The same for several.
std::vector<std::unique_ptr<State>> first_states(const Planes& planes, const nb::sequence& states);

}  // namespace tesuji::python
