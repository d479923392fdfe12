// Bindings of Hex: rules, hooks, features, planes, and the exact solver.
#include "games/hex/hex.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include <array>
#include <tuple>

#include "bindings/games/games.hpp"
#include "games/hex/knowledge.hpp"
#include "games/hex/move_codes.hpp"
#include "games/hex/planes.hpp"
#include "games/hex/prover.hpp"
#include "games/hex/solver/solver.hpp"

namespace tesuji::python {

namespace {

using hex::HexState;
using hex::Solver;

using Found = nb::typed<nb::dict, std::string, nb::object>;

nb::bytes cells(const HexState& state) {
  std::vector<char> owners(static_cast<std::size_t>(state.size() * state.size()), 0);
  for (int player = 0; player < 2; ++player) {
    hex::for_each_cell(state.size(), state.stones(player), [&](int row, int column) {
      owners[static_cast<std::size_t>(row * state.size() + column)] = static_cast<char>(player + 1);
    });
  }
  return nb::bytes(owners.data(), owners.size());
}

HexState set_up(int size, bool swap, const nb::bytes& owners, int player, std::optional<int> last) {
  const HexState start(size, swap);
  std::array<hex::Cells, 2> stones{};
  set_stones(owners, size, player, last, [&](int cell, int owner) {
    stones[static_cast<std::size_t>(owner)][static_cast<std::size_t>(cell / size + 1)] |= 1U << cell % size;
  });
  return HexState(size, swap, stones, player, last ? static_cast<Move>(*last) : no_move);
}

std::optional<int> distance(const HexState& state, int player) {
  const int found = hex::distance(state, checked_player(state, player));
  return found == hex::unreachable ? std::nullopt : std::optional(found);
}

Found solve(Solver& solver, const HexState& state, std::uint64_t nodes, double seconds, const nb::object& watch) {
  if (state.over()) fail("the game is over: there is nothing to solve");
  if (state.size() != solver.size()) {
    fail("the board must be of size " + std::to_string(solver.size()) + ", not " + std::to_string(state.size()));
  }
  const std::uint64_t began = solver.nodes();
  const auto go_on = [&] { return watch.is_none() || nb::cast<bool>(nb::bool_(watch(solver.nodes() - began))); };
  const hex::Solved found = run_solver(
      seconds, go_on, [&](SearchMonitor& monitor) { return solver.solve(state, {nodes, seconds, &monitor}); });
  Found result = effort_of(found);
  result["winner"] = found.winner < 0 ? nb::object(nb::none()) : nb::object(nb::int_(found.winner));
  result["move"] = nb::cast(optional_move(found.move));
  result["carrier"] = nb::tuple(nb::cast(found.carrier));
  return result;
}

Found inferior(const HexState& state) {
  const hex::FilledCells found = hex::inferior_cells(state);
  Found result;
  result["dead"] = nb::cast(found.dead);
  result["captured"] = nb::make_tuple(found.captured[0], found.captured[1]);
  result["vulnerable"] = nb::cast(found.vulnerable);
  result["dominated"] = nb::cast(found.dominated);
  return result;
}

std::vector<std::tuple<int, int, bool, std::vector<int>>> connections(const HexState& state, int player) {
  std::vector<std::tuple<int, int, bool, std::vector<int>>> result;
  for (const hex::FoundConnection& found : hex::virtual_connections(state, checked_player(state, player))) {
    result.emplace_back(found.ends[0], found.ends[1], found.full, found.carrier);
  }
  return result;
}

void bind_solver(nb::module_& module) {
  nb::class_<Solver>(module, "HexSolver", "Finds who wins a Hex position. Keeps its table from call to call.")
      .def(nb::new_(&Solver::make), "size"_a, "table_bytes"_a)
      .def("solve", &solve, "state"_a, "nodes"_a, "seconds"_a, "watch"_a.none(),
           "Who wins, without the swap. 0: no limit. watch(nodes) is called now and then; False ends the search.");
  module.def("hex_inferior_cells", &inferior, "state"_a,
             "Cells that can be filled in, and of the rest those that the player to move need not try.");
  module.def("hex_virtual_connections", &connections, "state"_a, "player"_a,
             "Both ends, whether full, and the carrier; size² and size² + 1 are the player's sides.");
}

}  // namespace

void bind_hex(nb::module_& module) {
  bind_position<HexState>(module, "HexState", "Hex position.")
      .def(nb::init<int, bool>(), "size"_a, "swap"_a)
      .def_static("set_up", &set_up, "size"_a, "swap"_a, "cells"_a, "player"_a, "last_move"_a = nb::none(),
                  "Set up any position: one byte per cell as returned by cells(), the player to move, the last stone.")
      .def_prop_ro("size", &HexState::size)
      .def_prop_ro("may_swap", &HexState::may_swap)
      .def("cells", &cells, "Return one byte per cell, row by row: 0 empty, 1 Black, 2 White.");

  bind_part<hex::HexFeatures, Features>(module, "HexFeatures", "The eight objectives of Hex.");
  bind_part<hex::HexMoveCodes, MoveFeatures>(module, "HexMoveCodes", "Codes of Hex moves: shapes, places, replies.");
  nb::class_<hex::HexPlanes, Planes>(module, "HexPlanes", "Network input planes of Hex.")
      .def(nb::init<const HexState&, bool>(), "start"_a, "swap"_a);
  module.def("hex_distance", &distance, "state"_a, "player"_a,
             "Return the stones that a player still needs to connect its sides; None if cut off.");
  module.def(
      "hex_shortest_path_cells",
      [](const HexState& state, int player) { return hex::shortest_paths(state, checked_player(state, player)).cells; },
      "state"_a, "player"_a, "List the empty cells on any shortest path of a player.");
  module.def(
      "hex_groups", [](const HexState& state, int player) { return hex::groups(state, checked_player(state, player)); },
      "state"_a, "player"_a, "Count a player's connected groups.");
  nb::enum_<hex::ObjectiveForm>(module, "HexObjectiveForm", "How the objectives are graded.")
      .value("gradient", hex::ObjectiveForm::gradient)
      .value("boolean", hex::ObjectiveForm::boolean)
      .value("stepped", hex::ObjectiveForm::stepped);
  module.def(
      "hex_objectives",
      [](const HexState& state, int player, hex::ObjectiveForm form) {
        return hex::objectives(state, checked_player(state, player), form);
      },
      "state"_a, "player"_a, "form"_a, "Return the eight objectives in the order of HEX_OBJECTIVE_NAMES.");
  module.attr("HEX_OBJECTIVE_NAMES") = nb::tuple(nb::cast(hex::objective_names));
  module.attr("HEX_OBJECTIVE_WEIGHTS") = nb::cast(hex::objective_weights);

  nb::class_<hex::ObjectiveValue, Value>(module, "HexObjectiveValue", "Weighted sum of the objectives.")
      .def(nb::init<const hex::ObjectiveValues&, hex::ObjectiveForm>(), "weights"_a, "form"_a);
  nb::class_<hex::PathThreats, ThreatResponse>(
      module, "HexPathThreats", "Cells on the opponent's shortest paths; urgent at this distance or less.")
      .def(nb::init<int>(), "urgent_distance"_a);
  bind_part<hex::NeighbourOrdering, MoveOrdering>(module, "HexNeighbourOrdering",
                                                  "Move ordering by neighbouring stones.");
  nb::class_<hex::BridgePolicy, PlayoutPolicy>(module, "HexBridgePolicy", "Playouts that save bridges.")
      .def(nb::init<double, double>(), "neighbours"_a, "centre"_a);
  bind_part<hex::ConnectionProver, Prover>(module, "HexConnectionProver", "Wins by virtual connections.");
  bind_part<hex::FullnessExploration, Exploration>(module, "HexFullnessExploration",
                                                   "Exploration by the share of occupied cells.");
  bind_solver(module);
}

}  // namespace tesuji::python
