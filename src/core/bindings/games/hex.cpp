#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.hpp"
#include "bindings/games/stones.hpp"
#include "games/hex/hex.hpp"
#include "games/hex/knowledge.hpp"
#include "games/hex/planes.hpp"
#include "games/hex/prover.hpp"

namespace tesuji::python {

namespace nb = nanobind;

namespace {

using hex::HexState;

nb::bytes cells(const hex::HexState& state) {
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
  check_stones(owners, size, player, last);
  std::array<hex::Cells, 2> stones{};
  for (int cell = 0; cell < size * size; ++cell) {
    const int owner = static_cast<unsigned char>(owners.c_str()[cell]);
    if (owner > 0)
      stones[static_cast<std::size_t>(owner - 1)][static_cast<std::size_t>(cell / size + 1)] |= 1U << cell % size;
  }
  return HexState(size, swap, stones, player, last ? static_cast<Move>(*last) : no_move);
}

}  // namespace

void bind_hex(nb::module_& module) {
  nb::class_<HexState, State>(module, "HexState", "Hex position.")
      .def(nb::init<int, bool>(), nb::arg("size"), nb::arg("swap"))
      .def_static("set_up", &set_up, nb::arg("size"), nb::arg("swap"), nb::arg("cells"), nb::arg("player"),
                  nb::arg("last_move") = nb::none(),
                  "Set up any position: one byte per cell as returned by cells(), the player to move, the last stone.")
      .def_prop_ro("size", &HexState::size)
      .def_prop_ro("ply", &HexState::ply)
      .def_prop_ro(
          "last_move",
          [](const HexState& state) {
            return state.last_move() == no_move ? nb::object(nb::none()) : nb::object(nb::int_(state.last_move()));
          },
          nb::sig("def last_move(self) -> int | None"))
      .def_prop_ro("may_swap", &HexState::may_swap)
      .def("cells", &cells, "Return one byte per cell, row by row: 0 empty, 1 Black, 2 White.");

  nb::class_<hex::HexPlanes, Planes>(module, "HexPlanes", "Network input planes of Hex.")
      .def(nb::init<const HexState&, bool>(), nb::arg("start"), nb::arg("swap"));
  module.def(
      "hex_distance",
      [](const HexState& state, int player) {
        const int found = hex::distance(state, checked_player(state, player));
        return found == hex::unreachable ? nb::object(nb::none()) : nb::object(nb::int_(found));
      },
      nb::arg("state"), nb::arg("player"), nb::sig("def hex_distance(state: HexState, player: int) -> int | None"),
      "Return the stones that a player still needs to connect its sides; None if cut off.");
  module.def(
      "hex_shortest_path_cells",
      [](const HexState& state, int player) { return hex::shortest_paths(state, checked_player(state, player)).cells; },
      nb::arg("state"), nb::arg("player"), "List the empty cells on any shortest path of a player.");
  module.def(
      "hex_groups", [](const HexState& state, int player) { return hex::groups(state, checked_player(state, player)); },
      nb::arg("state"), nb::arg("player"), "Count a player's connected groups.");
  nb::enum_<hex::ObjectiveForm>(module, "HexObjectiveForm", "How the objectives are graded.")
      .value("gradient", hex::ObjectiveForm::gradient)
      .value("boolean", hex::ObjectiveForm::boolean)
      .value("stepped", hex::ObjectiveForm::stepped);
  module.def(
      "hex_objectives",
      [](const HexState& state, int player, hex::ObjectiveForm form) {
        return hex::objectives(state, checked_player(state, player), form);
      },
      nb::arg("state"), nb::arg("player"), nb::arg("form"),
      "Return the eight objectives in the order of HEX_OBJECTIVE_NAMES.");
  nb::list names;
  for (const char* name : hex::objective_names) names.append(nb::str(name));
  module.attr("HEX_OBJECTIVE_NAMES") = nb::tuple(names);
  module.attr("HEX_OBJECTIVE_WEIGHTS") = nb::cast(hex::objective_weights);

  nb::class_<hex::ObjectiveValue, Value>(module, "HexObjectiveValue", "Weighted sum of the objectives.")
      .def(nb::init<const hex::ObjectiveValues&, hex::ObjectiveForm>(), nb::arg("weights"), nb::arg("form"));
  nb::class_<hex::PathThreats, ThreatResponse>(
      module, "HexPathThreats", "Cells on the opponent's shortest paths; urgent at this distance or less.")
      .def(nb::init<int>(), nb::arg("urgent_distance"));
  nb::class_<hex::NeighbourOrdering, MoveOrdering>(module, "HexNeighbourOrdering",
                                                   "Move ordering by neighbouring stones.")
      .def(nb::init<>());
  nb::class_<hex::BridgePolicy, PlayoutPolicy>(module, "HexBridgePolicy", "Playouts that save bridges.")
      .def(nb::init<double, double>(), nb::arg("neighbours"), nb::arg("centre"));
  nb::class_<hex::ConnectionProver, Prover>(module, "HexConnectionProver", "Wins by virtual connections.")
      .def(nb::init<>());
  nb::class_<hex::FullnessExploration, Exploration>(module, "HexFullnessExploration",
                                                    "Exploration by the share of occupied cells.")
      .def(nb::init<>());
}

}  // namespace tesuji::python
