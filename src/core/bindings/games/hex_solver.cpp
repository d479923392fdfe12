// The exact solver of Hex as Python sees it.
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "bindings/bindings.hpp"
#include "bindings/errors.hpp"
#include "games/hex/solver/solver.hpp"

namespace tesuji::python {

namespace nb = nanobind;

namespace {

using hex::HexState;
using hex::Solver;

// Checks for signals, and reports the number of positions to the caller, which may end the search.
class Watched final : public SearchMonitor {
 public:
  Watched(const Solver& solver, nb::object watch) : solver_(solver), began_(solver.nodes()), watch_(std::move(watch)) {}
  bool poll() override {
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    return watch_.is_none() || nb::cast<bool>(nb::bool_(watch_(solver_.nodes() - began_)));
  }

 private:
  const Solver& solver_;
  std::uint64_t began_;
  nb::object watch_;
};

nb::dict solve(Solver& solver, const HexState& state, std::uint64_t nodes, double seconds, nb::object watch) {
  if (state.over()) fail("the game is over: there is nothing to solve");
  if (state.size() != solver.size()) {
    fail("the board must be of size " + std::to_string(solver.size()) + ", not " + std::to_string(state.size()));
  }
  if (!(seconds >= 0)) fail("seconds must be at least 0, not " + std::to_string(seconds));
  Watched monitor(solver, std::move(watch));
  hex::Solved found;
  {
    const nb::gil_scoped_release released;
    found = solver.solve(state, {nodes, seconds, &monitor});
  }
  nb::dict result;
  result["winner"] = found.winner < 0 ? nb::object(nb::none()) : nb::object(nb::int_(found.winner));
  result["move"] = found.move == no_move ? nb::object(nb::none()) : nb::object(nb::int_(found.move));
  result["carrier"] = nb::cast(found.carrier);
  result["nodes"] = found.nodes;
  result["seconds"] = found.seconds;
  result["stopped"] = solver_stop_names[static_cast<std::size_t>(found.stopped)];
  return result;
}

nb::dict inferior(const HexState& state) {
  const hex::FilledCells found = hex::inferior_cells(state);
  nb::dict result;
  result["dead"] = nb::cast(found.dead);
  result["captured"] = nb::make_tuple(found.captured[0], found.captured[1]);
  result["vulnerable"] = nb::cast(found.vulnerable);
  result["dominated"] = nb::cast(found.dominated);
  return result;
}

nb::list connections(const HexState& state, int player) {
  nb::list result;
  for (const hex::FoundConnection& found : hex::virtual_connections(state, checked_player(state, player))) {
    result.append(nb::make_tuple(found.ends[0], found.ends[1], found.full, found.carrier));
  }
  return result;
}

}  // namespace

void bind_hex_solver(nb::module_& module) {
  nb::class_<Solver>(module, "HexSolver", "Finds who wins a Hex position. Keeps its table from call to call.")
      .def(nb::new_(&Solver::make), nb::arg("size"), nb::arg("table_bytes"))
      .def("solve", &solve, nb::arg("state"), nb::arg("nodes"), nb::arg("seconds"), nb::arg("watch").none(),
           nb::sig("def solve(self, state: HexState, nodes: int, seconds: float, watch: object | None) -> "
                   "dict[str, object]"),
           "Who wins, without the swap. 0: no limit. watch(nodes) is called now and then; False ends the search.");
  module.def("hex_inferior_cells", &inferior, nb::arg("state"),
             nb::sig("def hex_inferior_cells(state: HexState) -> dict[str, object]"),
             "Cells that can be filled in, and of the rest those that the player to move need not try.");
  module.def("hex_virtual_connections", &connections, nb::arg("state"), nb::arg("player"),
             nb::sig("def hex_virtual_connections(state: HexState, player: int) -> "
                     "list[tuple[int, int, bool, list[int]]]"),
             "Both ends, whether full, and the carrier; size² and size² + 1 are the player's sides.");
}

}  // namespace tesuji::python
