// What is known of Gomoku, as Python sees it.
#include "bindings/bindings.hpp"
#include "games/gomoku/features.hpp"
#include "games/gomoku/knowledge.hpp"
#include "games/gomoku/planes.hpp"
#include "games/gomoku/prover.hpp"

namespace tesuji::python {

namespace nb = nanobind;

void bind_gomoku_knowledge(nb::module_& module) {
  nb::class_<gomoku::PatternOrdering, MoveOrdering>(module, "GomokuPatternOrdering", "Moves by what a stone makes.")
      .def(nb::init<>());
  nb::class_<gomoku::PatternThreats, ThreatResponse>(module, "GomokuPatternThreats",
                                                     "What the threats on the board leave to play.")
      .def(nb::init<>());
  nb::class_<gomoku::PatternPolicy, PlayoutPolicy>(module, "GomokuPatternPolicy", "Playouts that answer threats.")
      .def(nb::init<>());
  nb::class_<gomoku::StoneProximity, Proximity>(module, "GomokuStoneProximity", "Nearness to the stones.")
      .def(nb::init<int>(), nb::arg("opening_stones"));
  nb::class_<gomoku::ThreatProver, Prover>(module, "GomokuThreatProver", "Wins by threats, for the searches.")
      .def(nb::init<>());
  nb::class_<gomoku::GomokuFeatures, Features>(module, "GomokuFeatures", "How many cells make each threat.")
      .def(nb::init<>());
  nb::class_<gomoku::GomokuPlanes, Planes>(module, "GomokuPlanes", "How a Gomoku position looks to a network.")
      .def(
          "__init__",
          [](gomoku::GomokuPlanes* self, const gomoku::GomokuState& start, bool patterns, bool proximity) {
            new (self) gomoku::GomokuPlanes(start, {patterns, proximity});
          },
          nb::arg("start"), nb::arg("patterns") = true, nb::arg("proximity") = true);
}

}  // namespace tesuji::python
