// Bindings of Gomoku's rules.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "bindings/bindings.hpp"
#include "bindings/errors.hpp"
#include "bindings/games/stones.hpp"
#include "games/gomoku/gomoku.hpp"

namespace tesuji::python {

namespace nb = nanobind;

namespace {

using gomoku::Board;
using gomoku::GomokuState;
using gomoku::Place;
using gomoku::Rule;

Rule rule_of(const std::string& name) {
  const auto& names = gomoku::rule_names;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) fail("rule must be freestyle, standard or renju, not '" + name + "'");
  return static_cast<Rule>(found - names.begin());
}

nb::bytes cells(const GomokuState& state) {
  const Board& board = state.board();
  std::array<char, gomoku::max_cells> owners;
  for (int cell = 0; cell < board.cells(); ++cell) {
    owners[static_cast<std::size_t>(cell)] = static_cast<char>(board.at(board.place(cell)) + 1);
  }
  return nb::bytes(owners.data(), static_cast<std::size_t>(board.cells()));
}

GomokuState set_up(int size, const std::string& rule, const nb::bytes& owners, int colour, std::optional<int> last) {
  Board board(size, rule_of(rule));
  check_stones(owners, size, colour, last);
  for (int cell = 0; cell < board.cells(); ++cell) {
    const int owner = static_cast<unsigned char>(owners.c_str()[cell]);
    if (owner > 0) board.put(board.place(cell), owner - 1);
  }
  return GomokuState(board, colour, last ? static_cast<Move>(*last) : no_move);
}

std::vector<int> forbidden_cells(const GomokuState& state) {
  const Board& board = state.board();
  std::vector<int> found;
  for (int cell = 0; cell < board.cells(); ++cell) {
    const Place at = board.place(cell);
    if (board.empty(at) && board.forbidden(at)) found.push_back(cell);
  }
  return found;
}

}  // namespace

void bind_gomoku(nb::module_& module) {
  nb::class_<GomokuState, State>(module, "GomokuState", "Gomoku position.")
      .def(
          "__init__",
          [](GomokuState* self, int size, const std::string& rule, bool swap2) {
            new (self) GomokuState(size, rule_of(rule), swap2);
          },
          nb::arg("size"), nb::arg("rule") = "freestyle", nb::arg("swap2") = false)
      .def_static("set_up", &set_up, nb::arg("size"), nb::arg("rule"), nb::arg("cells"), nb::arg("colour"),
                  nb::arg("last_move") = nb::none(),
                  "Set up any position: one byte per cell as returned by cells(), the colour to move, the last stone.")
      .def_prop_ro("size", &GomokuState::size)
      .def_prop_ro("ply", &GomokuState::ply)
      .def_prop_ro(
          "last_move",
          [](const GomokuState& state) {
            return state.last_move() == no_move ? nb::object(nb::none()) : nb::object(nb::int_(state.last_move()));
          },
          nb::sig("def last_move(self) -> int | None"))
      .def_prop_ro("colour", &GomokuState::colour, "Colour of the next stone: 0 Black, 1 White.")
      .def(
          "colour_of",
          [](const GomokuState& state, int player) { return state.colour_of(checked_player(state, player)); },
          nb::arg("player"), "Return a player's colour, 0 or 1; during the opening as if nobody swaps.")
      .def_prop_ro(
          "stage", [](const GomokuState& state) { return gomoku::stage_names[static_cast<int>(state.stage())].data(); },
          "Stage of the swap2 opening: settled, three_stones, second_chooses, two_stones or first_chooses.")
      .def("cells", &cells, "Return one byte per cell from a1, row by row upwards: 0 empty, 1 Black, 2 White.")
      .def("forbidden_cells", &forbidden_cells, "List the empty cells that renju forbids Black, whoever is to move.");
}

}  // namespace tesuji::python
