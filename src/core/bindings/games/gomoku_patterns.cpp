// Bindings of Gomoku's patterns and maps. Lines and threats are strings, their names in the core.
#include <nanobind/operators.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "games/gomoku/gomoku.hpp"
#include "games/gomoku/maps.hpp"

namespace tesuji::python {

namespace {

using gomoku::Board;
using gomoku::GomokuState;
using gomoku::Patterns;
using gomoku::Threat;

using Map = Array<float, 2>;

constexpr int widest = 32;

int checked_colour(int colour) {
  if (colour != gomoku::black && colour != gomoku::white) fail("colour must be 0 or 1, not " + std::to_string(colour));
  return colour;
}

int checked_cell(const Board& board, int cell, bool empty) {
  checked_range("cell", cell, 0, board.cells() - 1);
  if (board.empty(cell) != empty) fail("cell " + std::to_string(cell) + (empty ? " has a stone" : " has no stone"));
  return cell;
}

Threat threat_named(const std::string& name) { return checked_name<Threat>("threat", gomoku::threat_names, name); }

std::vector<std::string_view> lines(const Patterns& patterns, int cell, int colour) {
  checked_cell(patterns.board(), cell, true);
  std::vector<std::string_view> names;
  for (int direction = 0; direction < gomoku::directions; ++direction) {
    const gomoku::Line line = patterns.line(cell, direction, checked_colour(colour));
    names.push_back(gomoku::line_names[static_cast<std::size_t>(line)]);
  }
  return names;
}

std::vector<int> cells(const Patterns& patterns, const std::string& name, int colour) {
  const Threat threat = threat_named(name);
  if (threat < Patterns::first_set) fail("the cells of '" + name + "' are not stored, only their count");
  std::vector<int> found;
  patterns.cells(threat, checked_colour(colour)).each([&](int cell) { found.push_back(cell); });
  return found;
}

// For benchmarks and tests of undo: plays and undoes random stones near others, eight at a time.
void play_and_undo(Patterns& patterns, std::uint64_t pairs, std::uint64_t seed, bool keep) {
  constexpr std::size_t depth = 8;
  Random random(seed);
  std::array<int, depth> played;
  std::array<Patterns::Undo, depth> before;
  const Board& board = patterns.board();
  std::vector<int> near;
  for (int cell = 0; cell < board.cells(); ++cell) {
    if (board.empty(cell) && patterns.threat(cell, gomoku::black) > Threat::one) near.push_back(cell);
  }
  if (near.size() < 2 * depth) fail("there are too few empty cells around the stones");
  for (std::uint64_t done = 0; done < pairs; done += depth) {
    for (std::size_t i = 0; i < depth; ++i) {
      const int colour = static_cast<int>(i & 1U);
      do played[i] = near[random.below(static_cast<std::uint32_t>(near.size()))];
      while (!board.empty(played[i]));
      keep ? patterns.play(played[i], colour, before[i]) : patterns.play(played[i], colour);
    }
    for (std::size_t i = depth; i-- > 0;) {
      keep ? patterns.undo(played[i], before[i]) : patterns.undo(played[i]);
    }
  }
}

// An array of its own, filled by fill(numbers).
template <typename Fill>
Map filled(std::size_t height, std::size_t width, Fill&& fill) {
  std::unique_ptr<float[]> numbers(new float[height * width]);
  fill(numbers.get());
  return as_array(std::move(numbers), {height, width});
}

Map pattern_map(const GomokuState& state, int colour) {
  const auto size = static_cast<std::size_t>(state.size());
  checked_colour(colour);
  return filled(size, size, [&](float* out) { gomoku::pattern_map(state.patterns(), colour, out); });
}

Map state_proximity(const GomokuState& state, int opening_stones) {
  const Board& board = state.board();
  const auto rows = board.stone_rows();
  const auto size = static_cast<std::size_t>(board.size());
  return filled(size, size, [&](float* out) {
    gomoku::proximity_map(rows.data(), board.size(), board.size(), opening_stones, out);
  });
}

Map array_proximity(const Input<bool, 2>& occupied, int opening_stones) {
  const std::size_t height = occupied.shape(0);
  const std::size_t width = occupied.shape(1);
  if (std::max(height, width) > widest || std::min(height, width) < 1) {
    fail("a board must have 1 to 32 rows and columns, not " + std::to_string(height) + " and " + std::to_string(width));
  }
  std::array<std::uint32_t, widest> rows{};
  for (std::size_t row = 0; row < height; ++row) {
    for (std::size_t column = 0; column < width; ++column) {
      rows[row] |= static_cast<std::uint32_t>(occupied(row, column)) << column;
    }
  }
  return filled(height, width, [&](float* out) {
    gomoku::proximity_map(rows.data(), static_cast<int>(height), static_cast<int>(width), opening_stones, out);
  });
}

}  // namespace

void bind_gomoku_patterns(nb::module_& module) {
  module.attr("GOMOKU_THREATS") = nb::tuple(nb::cast(gomoku::threat_names));
  module.attr("GOMOKU_THREAT_SCALE") = nb::cast(gomoku::threat_scale);
  nb::class_<Patterns>(module, "GomokuPatterns", "Patterns of each empty cell, updated incrementally.")
      .def(
          "__init__",
          [](Patterns* self, const GomokuState& state) {
            new (self) Patterns(state.patterns());
            self->stop_weighing();  // the weights may not live as long
          },
          "state"_a)
      .def(
          "rebuilt", [](const Patterns& self) { return Patterns(self.board()); },
          "Return patterns of the same stones, computed from scratch.")
      .def(
          "play",
          [](Patterns& self, int cell, int colour) {
            self.play(checked_cell(self.board(), cell, true), checked_colour(colour));
          },
          "cell"_a, "colour"_a, "Place a stone on an empty cell.")
      .def(
          "undo", [](Patterns& self, int cell) { self.undo(checked_cell(self.board(), cell, false)); }, "cell"_a,
          "Remove a stone.")
      .def("lines", &lines, "cell"_a, "colour"_a,
           "Return the patterns of a stone's row, column, rising and falling diagonal.")
      .def(
          "threat",
          [](const Patterns& self, int cell, int colour) {
            const Threat threat = self.threat(checked_cell(self.board(), cell, true), checked_colour(colour));
            return gomoku::threat_names[static_cast<std::size_t>(threat)];
          },
          "cell"_a, "colour"_a, "Return the threat that a stone makes.")
      .def("cells", &cells, "threat"_a, "colour"_a, "List the empty cells where a stone makes this threat.")
      .def(
          "count",
          [](const Patterns& self, const std::string& name, int colour) {
            return self.count(threat_named(name), checked_colour(colour));
          },
          "threat"_a, "colour"_a, "Count these cells.")
      .def(
          "score",
          [](const Patterns& self, int cell, int colour) {
            return self.score(checked_cell(self.board(), cell, true), checked_colour(colour));
          },
          "cell"_a, "colour"_a, "Return the score used for move ordering.")
      .def("play_and_undo", &play_and_undo, "pairs"_a, "seed"_a, "keep"_a = true,
           nb::call_guard<nb::gil_scoped_release>(),
           "Play and undo random stones, eight at a time, with undo information (`keep`) or by recomputing.")
      .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"));

  module.def("gomoku_pattern_map", &pattern_map, "state"_a, "colour"_a);
  module.def("gomoku_proximity_map", &state_proximity, "state"_a, "opening_stones"_a);
  module.def("gomoku_proximity_map", &array_proximity, "occupied"_a, "opening_stones"_a);
}

}  // namespace tesuji::python
