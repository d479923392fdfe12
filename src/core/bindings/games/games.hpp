// What the bindings of several games share.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <optional>
#include <string>

#include "base/search_monitor.hpp"
#include "bindings/bindings.hpp"
#include "game/solver_limits.hpp"

namespace tesuji::python {

// Binds what the positions of all native games have, besides the rules.
template <typename Position>
nb::class_<Position, State> bind_position(nb::module_& module, const char* name, const char* doc) {
  return nb::class_<Position, State>(module, name, doc)
      .def_prop_ro("ply", &Position::ply)
      .def_prop_ro("last_move", [](const Position& state) { return optional_move(state.last_move()); });
}

// Binds a hook, features or the like that has no options.
template <typename Part, typename Interface>
void bind_part(nb::module_& module, const char* name, const char* doc) {
  nb::class_<Part, Interface>(module, name, doc).def(nb::init<>());
}

// Checks a board of black and white stones that Python sets up: one byte per cell (0 empty, 1 Black, 2 White), the
// player to move, and the stone played last, if known. Calls put(cell, colour) for each stone.
template <typename Put>
void set_stones(const nb::bytes& owners, int size, int player, std::optional<int> last, Put&& put) {
  const int cells = size * size;
  if (owners.size() != static_cast<std::size_t>(cells)) {
    fail("cells must be " + std::to_string(cells) + " bytes, not " + std::to_string(owners.size()));
  }
  if (player != 0 && player != 1) fail("the player to move must be 0 or 1, not " + std::to_string(player));
  const auto* const owner = reinterpret_cast<const unsigned char*>(owners.c_str());
  for (int cell = 0; cell < cells; ++cell) {
    if (owner[cell] > 2) {
      fail("a cell must be 0 (empty), 1 (Black) or 2 (White), not " + std::to_string(owner[cell]));
    }
    if (owner[cell] > 0) put(cell, owner[cell] - 1);
  }
  if (last && (*last < 0 || *last >= cells || owner[*last] != 2 - player)) {
    fail("the last move must be a stone of the player who is not to move, not cell " + std::to_string(*last));
  }
}

// Runs search(monitor) of a solver without the GIL; go_on() is called with it every few milliseconds.
template <typename Search>
auto run_solver(double seconds, const std::function<bool()>& go_on, Search&& search) {
  if (!(seconds >= 0)) fail("seconds must be at least 0, not " + std::to_string(seconds));
  const std::function<bool()> poll = [&] {
    check_signals();
    const nb::gil_scoped_acquire gil;
    return go_on();
  };
  CallbackMonitor monitor(poll);
  const nb::gil_scoped_release released;
  return search(monitor);
}

// How much a solver searched, and why it stopped.
template <typename Found>
nb::typed<nb::dict, std::string, nb::object> effort_of(const Found& found) {
  nb::typed<nb::dict, std::string, nb::object> result;
  result["nodes"] = found.nodes;
  result["seconds"] = found.seconds;
  result["stopped"] = solver_stop_names[static_cast<std::size_t>(found.stopped)];
  return result;
}

}  // namespace tesuji::python
