// Bindings of Gomoku's hooks, features and planes.
#include "bindings/bindings.hpp"
#include "games/gomoku/features.hpp"
#include "games/gomoku/knowledge.hpp"
#include "games/gomoku/move_codes.hpp"
#include "games/gomoku/planes.hpp"
#include "games/gomoku/prover.hpp"

namespace tesuji::python {

namespace nb = nanobind;

void bind_gomoku_knowledge(nb::module_& module) {
  nb::class_<gomoku::PatternOrdering, MoveOrdering>(module, "GomokuPatternOrdering", "Move ordering by pattern scores.")
      .def(nb::init<>());
  nb::class_<gomoku::PatternThreats, ThreatResponse>(module, "GomokuPatternThreats", "Replies to threats.")
      .def(nb::init<>());
  nb::class_<gomoku::PatternPolicy, PlayoutPolicy>(module, "GomokuPatternPolicy", "Playouts that answer threats.")
      .def(nb::init<>());
  nb::class_<gomoku::StoneProximity, Proximity>(module, "GomokuStoneProximity", "Proximity to the stones.")
      .def(
          "__init__",
          [](gomoku::StoneProximity* self, int opening_stones, int max_distance, bool scale_priors) {
            new (self) gomoku::StoneProximity({opening_stones, max_distance, scale_priors});
          },
          nb::arg("opening_stones"), nb::arg("max_distance"), nb::arg("scale_priors"));
  nb::class_<gomoku::EdgePenalty, Proximity>(module, "GomokuEdgePenalty", "Lower priors near the edge.")
      .def(nb::init<>());
  nb::class_<gomoku::ThreatProver, Prover>(module, "GomokuThreatProver", "Forced wins by threats.").def(nb::init<>());
  nb::class_<gomoku::GomokuFeatures, Features>(module, "GomokuFeatures", "Number of cells for each kind of threat.")
      .def(nb::init<>());
  nb::class_<gomoku::PatternFeatures, Features>(module, "GomokuPatternFeatures", "Pattern codes of a position.")
      .def(nb::init<>());
  nb::class_<gomoku::MoveCodes, MoveFeatures>(module, "GomokuMoveCodes", "Pattern codes of moves.").def(nb::init<>());
  nb::class_<gomoku::GomokuPlanes, Planes>(module, "GomokuPlanes", "Network input planes of Gomoku.")
      .def(
          "__init__",
          [](gomoku::GomokuPlanes* self, const gomoku::GomokuState& start, bool rules, bool swap2, bool patterns,
             bool threats, bool proximity, bool combined, bool vcf) {
            new (self) gomoku::GomokuPlanes(start, {rules, swap2, patterns, threats, proximity, combined, vcf});
          },
          nb::arg("start"), nb::kw_only(), nb::arg("rules") = true, nb::arg("swap2") = true, nb::arg("patterns") = true,
          nb::arg("threats") = true, nb::arg("proximity") = true, nb::arg("combined") = false, nb::arg("vcf") = false);
}

}  // namespace tesuji::python
