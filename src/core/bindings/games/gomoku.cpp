// Bindings of Gomoku: rules, hooks, features, planes, the threat solver, and tactical positions.
#include "games/gomoku/gomoku.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>

#include "bindings/games/games.hpp"
#include "games/gomoku/features.hpp"
#include "games/gomoku/knowledge.hpp"
#include "games/gomoku/move_codes.hpp"
#include "games/gomoku/planes.hpp"
#include "games/gomoku/prover.hpp"
#include "games/gomoku/tactics.hpp"
#include "games/gomoku/threats/threats.hpp"

namespace tesuji::python {

namespace {

using gomoku::Board;
using gomoku::GomokuState;
using gomoku::Place;
using gomoku::Rule;
using gomoku::ThreatSolver;

using Found = nb::typed<nb::dict, std::string, nb::object>;

Rule rule_of(const std::string& name) { return checked_name<Rule>("rule", gomoku::rule_names, name); }

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
  set_stones(owners, size, colour, last, [&](int cell, int owner) { board.put(board.place(cell), owner); });
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

void bind_state(nb::module_& module) {
  bind_position<GomokuState>(module, "GomokuState", "Gomoku position.")
      .def(
          "__init__",
          [](GomokuState* self, int size, const std::string& rule, bool swap2) {
            new (self) GomokuState(size, rule_of(rule), swap2);
          },
          "size"_a, "rule"_a = "freestyle", "swap2"_a = false)
      .def_static("set_up", &set_up, "size"_a, "rule"_a, "cells"_a, "colour"_a, "last_move"_a = nb::none(),
                  "Set up any position: one byte per cell as returned by cells(), the colour to move, the last stone.")
      .def_prop_ro("size", &GomokuState::size)
      .def_prop_ro("colour", &GomokuState::colour, "Colour of the next stone: 0 Black, 1 White.")
      .def(
          "colour_of",
          [](const GomokuState& state, int player) { return state.colour_of(checked_player(state, player)); },
          "player"_a, "Return a player's colour, 0 or 1; during the opening as if nobody swaps.")
      .def_prop_ro(
          "stage", [](const GomokuState& state) { return gomoku::stage_names[static_cast<int>(state.stage())].data(); },
          "Stage of the swap2 opening: settled, three_stones, second_chooses, two_stones or first_chooses.")
      .def("cells", &cells, "Return one byte per cell from a1, row by row upwards: 0 empty, 1 Black, 2 White.")
      .def("forbidden_cells", &forbidden_cells, "List the empty cells that renju forbids Black, whoever is to move.");
}

void bind_knowledge(nb::module_& module) {
  bind_part<gomoku::PatternOrdering, MoveOrdering>(module, "GomokuPatternOrdering", "Move ordering by pattern scores.");
  bind_part<gomoku::PatternThreats, ThreatResponse>(module, "GomokuPatternThreats", "Replies to threats.");
  bind_part<gomoku::PatternPolicy, PlayoutPolicy>(module, "GomokuPatternPolicy", "Playouts that answer threats.");
  bind_part<gomoku::EdgePenalty, Proximity>(module, "GomokuEdgePenalty", "Lower priors near the edge.");
  bind_part<gomoku::ThreatProver, Prover>(module, "GomokuThreatProver", "Forced wins by threats.");
  bind_part<gomoku::GomokuFeatures, Features>(module, "GomokuFeatures", "Number of cells for each kind of threat.");
  bind_part<gomoku::PatternFeatures, Features>(module, "GomokuPatternFeatures", "Pattern codes of a position.");
  bind_part<gomoku::MoveCodes, MoveFeatures>(module, "GomokuMoveCodes", "Pattern codes of moves.");
  nb::class_<gomoku::StoneProximity, Proximity>(module, "GomokuStoneProximity", "Proximity to the stones.")
      .def(
          "__init__",
          [](gomoku::StoneProximity* self, int opening_stones, int max_distance, bool scale_priors) {
            new (self) gomoku::StoneProximity({opening_stones, max_distance, scale_priors});
          },
          "opening_stones"_a, "max_distance"_a, "scale_priors"_a);
  nb::class_<gomoku::GomokuPlanes, Planes>(module, "GomokuPlanes", "Network input planes of Gomoku.")
      .def(
          "__init__",
          [](gomoku::GomokuPlanes* self, const GomokuState& start, bool rules, bool swap2, bool patterns, bool threats,
             bool proximity, bool combined, bool vcf) {
            new (self) gomoku::GomokuPlanes(start, {rules, swap2, patterns, threats, proximity, combined, vcf});
          },
          "start"_a, nb::kw_only(), "rules"_a = true, "swap2"_a = true, "patterns"_a = true, "threats"_a = true,
          "proximity"_a = true, "combined"_a = false, "vcf"_a = false);
}

const char* name_of(gomoku::Verdict verdict) {
  constexpr std::array names = {"won", "none", "unknown"};
  return names[static_cast<std::size_t>(verdict)];
}

nb::list steps_of(const gomoku::Proof& proof) {
  nb::list steps;
  for (const gomoku::ProofStep& step : proof.steps) {
    nb::dict replies;
    for (int i = 0; i < step.replies; ++i) {
      const auto& reply = proof.replies[static_cast<std::size_t>(step.first_reply + i)];
      replies[nb::int_(reply.cell)] = reply.step;
    }
    steps.append(nb::make_tuple(step.move, step.otherwise, replies));
  }
  return steps;
}

// Calls search(patterns, limits) without the GIL; `cancelled` is called every few milliseconds, unless it is None.
template <typename Search>
auto search_threats(const GomokuState& state, std::uint64_t nodes, double seconds, const nb::object& cancelled,
                    Search&& search) {
  if (state.over()) fail("the game is over");
  if (state.stage() != gomoku::Stage::settled) fail("the swap2 opening is still in progress; play its moves first");
  const gomoku::Patterns& patterns = state.patterns();  // computed lazily, so with the GIL held
  const auto go_on = [&] { return cancelled.is_none() || !nb::cast<bool>(nb::bool_(cancelled())); };
  return run_solver(seconds, go_on,
                    [&](SearchMonitor& monitor) { return search(patterns, SolverLimits{nodes, seconds, &monitor}); });
}

Found solve(ThreatSolver& solver, const GomokuState& state, bool threes, std::uint64_t nodes, double seconds,
            const nb::object& cancelled) {
  const gomoku::ThreatResult found =
      search_threats(state, nodes, seconds, cancelled, [&](const auto& patterns, const auto& limits) {
        return threes ? solver.vct(patterns, state.colour(), limits, gomoku::VctMoves::all)
                      : solver.vcf(patterns, state.colour(), limits);
      });
  Found result = effort_of(found);
  result["verdict"] = name_of(found.verdict);
  result["line"] = nb::tuple(nb::cast(found.line));
  result["steps"] = steps_of(found.proof);
  result["root"] = found.proof.root;
  return result;
}

Found defend(ThreatSolver& solver, const GomokuState& state, std::uint64_t nodes, double seconds,
             const nb::object& cancelled) {
  const gomoku::Defence found = search_threats(
      state, nodes, seconds, cancelled,
      [&](const auto& patterns, const auto& limits) { return solver.defend(patterns, state.colour(), limits); });
  Found result = effort_of(found.threat);
  result["threat"] = name_of(found.threat.verdict);
  result["line"] = nb::tuple(nb::cast(found.threat.line));
  result["moves"] = nb::tuple(nb::cast(found.moves));
  return result;
}

std::vector<PlayedGame> tactics(const GomokuState& start, const Planes& planes, std::size_t count, std::uint64_t seed,
                                int threads, const std::vector<const GomokuState*>& excluded, std::uint8_t board) {
  check_threads(threads);
  if (count > 10'000'000) fail("count must be at most 10000000, not " + std::to_string(count));
  if (std::count(excluded.begin(), excluded.end(), nullptr) > 0) fail("an excluded position must be a state, not None");
  const nb::gil_scoped_release released;
  return gomoku::make_tactics(start, planes, {count, seed, threads, excluded, board}, check_signals);
}

void bind_threats(nb::module_& module) {
  nb::class_<ThreatSolver>(module, "GomokuThreatSolver",
                           "Search for forced wins by threats, and for defences against them.")
      .def(
          "__init__",
          [](ThreatSolver* self, std::size_t table_bytes, bool separate) {
            new (self)
                ThreatSolver(table_bytes, separate ? gomoku::ThreatTables::separate : gomoku::ThreatTables::kept);
          },
          "table_bytes"_a, "separate"_a = false,
          "With `separate`, a result within a limit of nodes depends on the position alone.")
      .def("solve", &solve, "state"_a, "threes"_a, "nodes"_a, "seconds"_a, "cancelled"_a.none(),
           "Find a win of the side to move by fours or, with `threes`, by fours and threes. 0 means no limit.")
      .def("defend", &defend, "state"_a, "nodes"_a, "seconds"_a, "cancelled"_a.none(),
           "Find defences of the side to move against a win by fours. 0 means no limit.");
  module.attr("GOMOKU_TACTICS") = std::vector<std::string>(gomoku::tactic_names.begin(), gomoku::tactic_names.end());
  module.def("gomoku_tactics", &tactics, "start"_a, "planes"_a, "count"_a, "seed"_a, "threads"_a, "excluded"_a,
             "board"_a = 0, "Generate tactical positions with known best moves, as games that lead there.");
}

}  // namespace

void bind_gomoku(nb::module_& module) {
  bind_state(module);
  bind_knowledge(module);
  bind_threats(module);
}

}  // namespace tesuji::python
