// Bindings of Gomoku's threat solver.
#include <nanobind/stl/vector.h>

#include <array>
#include <string>

#include "bindings/bindings.hpp"
#include "bindings/errors.hpp"
#include "games/gomoku/gomoku.hpp"
#include "games/gomoku/threats/threats.hpp"

namespace tesuji::python {

namespace nb = nanobind;

namespace {

using gomoku::GomokuState;
using gomoku::Proof;
using gomoku::ProofStep;
using gomoku::ThreatSolver;

constexpr std::array verdict_names = {"won", "none", "unknown"};

// Checks for signals and calls the `cancelled` callback.
class CallbackMonitor final : public SearchMonitor {
 public:
  explicit CallbackMonitor(nb::object cancelled) : cancelled_(std::move(cancelled)) {}
  bool poll() override {
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    return cancelled_.is_none() || !nb::cast<bool>(nb::bool_(cancelled_()));
  }

 private:
  nb::object cancelled_;
};

SolverLimits checked_limits(const GomokuState& state, std::uint64_t nodes, double seconds, SearchMonitor& monitor) {
  if (state.over()) fail("the game is over");
  if (state.stage() != gomoku::Stage::settled) fail("the swap2 opening is still in progress; play its moves first");
  if (!(seconds >= 0)) fail("seconds must be at least 0, not " + std::to_string(seconds));
  return {nodes, seconds, &monitor};
}

void write_result(const char* verdict, const gomoku::ThreatResult& found, nb::dict& result) {
  result[verdict] = verdict_names[static_cast<std::size_t>(found.verdict)];
  result["stopped"] = solver_stop_names[static_cast<std::size_t>(found.stopped)];
  result["nodes"] = found.nodes;
  result["seconds"] = found.seconds;
  result["line"] = nb::cast(found.line);
}

nb::list steps_of(const Proof& proof) {
  nb::list steps;
  for (const ProofStep& step : proof.steps) {
    nb::dict replies;
    for (int i = 0; i < step.replies; ++i) {
      const auto& reply = proof.replies[static_cast<std::size_t>(step.first_reply + i)];
      replies[nb::int_(reply.cell)] = reply.step;
    }
    steps.append(nb::make_tuple(step.move, step.otherwise, replies));
  }
  return steps;
}

nb::dict solve(ThreatSolver& solver, const GomokuState& state, bool threes, std::uint64_t nodes, double seconds,
               nb::object cancelled) {
  CallbackMonitor monitor(std::move(cancelled));
  const SolverLimits limits = checked_limits(state, nodes, seconds, monitor);
  const gomoku::Patterns& patterns = state.patterns();  // computed lazily, so with the GIL held
  gomoku::ThreatResult found;
  {
    const nb::gil_scoped_release released;
    found = threes ? solver.vct(patterns, state.colour(), limits, gomoku::VctMoves::all)
                   : solver.vcf(patterns, state.colour(), limits);
  }
  nb::dict result;
  write_result("verdict", found, result);
  result["steps"] = steps_of(found.proof);
  result["root"] = found.proof.root;
  return result;
}

nb::dict defend(ThreatSolver& solver, const GomokuState& state, std::uint64_t nodes, double seconds,
                nb::object cancelled) {
  CallbackMonitor monitor(std::move(cancelled));
  const SolverLimits limits = checked_limits(state, nodes, seconds, monitor);
  const gomoku::Patterns& patterns = state.patterns();
  gomoku::Defence found;
  {
    const nb::gil_scoped_release released;
    found = solver.defend(patterns, state.colour(), limits);
  }
  nb::dict result;
  write_result("threat", found.threat, result);
  result["moves"] = nb::cast(found.moves);
  return result;
}

}  // namespace

void bind_gomoku_threats(nb::module_& module) {
  nb::class_<ThreatSolver>(module, "GomokuThreatSolver",
                           "Search for forced wins by threats, and for defences against them.")
      .def(
          "__init__",
          [](ThreatSolver* self, std::size_t table_bytes, bool separate) {
            new (self)
                ThreatSolver(table_bytes, separate ? gomoku::ThreatTables::separate : gomoku::ThreatTables::kept);
          },
          nb::arg("table_bytes"), nb::arg("separate") = false,
          "With `separate`, a result within a limit of nodes depends on the position alone.")
      .def("solve", &solve, nb::arg("state"), nb::arg("threes"), nb::arg("nodes"), nb::arg("seconds"),
           nb::arg("cancelled").none(),
           nb::sig("def solve(self, state: GomokuState, threes: bool, nodes: int, seconds: float, "
                   "cancelled: object | None) -> dict[str, object]"),
           "Find a win of the side to move by fours or, with `threes`, by fours and threes. 0 means no limit.")
      .def("defend", &defend, nb::arg("state"), nb::arg("nodes"), nb::arg("seconds"), nb::arg("cancelled").none(),
           nb::sig("def defend(self, state: GomokuState, nodes: int, seconds: float, cancelled: object | None) -> "
                   "dict[str, object]"),
           "Find defences of the side to move against a win by fours. 0 means no limit.");
}

}  // namespace tesuji::python
