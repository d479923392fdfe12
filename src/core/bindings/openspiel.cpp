// Bindings of OpenSpiel's states. The C++ state inside a Python object is reached by pybind11's conduit, a protocol for
// this purpose between extension modules: https://github.com/pybind/pybind11/pull/5296.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <typeinfo>

#include "bindings/bindings.hpp"
#include "bindings/errors.hpp"
#include "games/openspiel/openspiel.hpp"

namespace tesuji::python {

namespace nb = nanobind;

namespace {

using openspiel::ForeignState;
using openspiel::Library;
using openspiel::OpenSpielState;
using openspiel::Rules;

// pybind11's name of the C++ ABI on Linux; modules with another one answer None.
constexpr char platform_abi[] = "system_libstdcpp_gxx_abi_1xxx_use_cxx11_abi_1";

std::shared_ptr<const Rules> make_rules(const std::string& path, int players, double low, double high,
                                        Move move_limit) {
  if (players < 1 || players > max_players) fail("players must be from 1 to " + std::to_string(max_players));
  return std::make_shared<const Rules>(Rules{Library(path.c_str()), players, low, high, move_limit});
}

OpenSpielState make_state(const std::shared_ptr<Rules>& rules, nb::handle state) {
  const nb::capsule type(rules->library.state_type(), typeid(std::type_info).name());
  nb::object found;
  if (nb::hasattr(state, "_pybind11_conduit_v1_")) {
    found = state.attr("_pybind11_conduit_v1_")(nb::bytes(platform_abi, sizeof(platform_abi) - 1), type,
                                                nb::bytes("raw_pointer_ephemeral", 21));
  }
  if (!found.is_valid() || !nb::isinstance<nb::capsule>(found)) {
    fail("this position has no C++ state of OpenSpiel: " + text(state));
  }
  return OpenSpielState(rules, *static_cast<const ForeignState*>(nb::borrow<nb::capsule>(found).data()));
}

}  // namespace

void bind_openspiel(nb::module_& module) {
  nb::class_<Rules>(module, "OpenSpielRules", "A game of OpenSpiel, called in C++.")
      .def(nb::new_(&make_rules), nb::arg("path"), nb::arg("players"), nb::arg("low"), nb::arg("high"),
           nb::arg("move_limit"), "Use OpenSpiel's loaded library; RuntimeError if that is not possible.");
  nb::class_<OpenSpielState, State>(module, "OpenSpielState", "Position of an OpenSpiel game with perfect information.")
      .def(nb::new_([](std::shared_ptr<Rules> rules, nb::handle state) { return make_state(rules, state); }),
           nb::arg("rules"), nb::arg("state"), "Copy a position of pyspiel.")
      .def_prop_ro("history", &OpenSpielState::history, "All actions from the start, chance outcomes included.");
}

}  // namespace tesuji::python
