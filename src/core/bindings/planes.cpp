// Bindings of planes.
#include "game/planes.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "bindings/python/planes.hpp"

namespace tesuji::python {

namespace {

Array<float, 3> as_image(const Planes& planes, std::unique_ptr<float[]> numbers) {
  const auto rows = static_cast<std::size_t>(planes.rows());
  return as_array(std::move(numbers), {planes.names().size(), rows, static_cast<std::size_t>(planes.columns())});
}

Array<float, 3> encode(const Planes& planes, const nb::object& position) {
  const std::unique_ptr<State> state = first_state(planes, position);
  std::unique_ptr<float[]> numbers(new float[planes.size()]);
  planes.encode(*state, numbers.get());
  return as_image(planes, std::move(numbers));
}

int index(const Planes& planes, const nb::object& position, Move move) {
  const std::unique_ptr<State> state = first_state(planes, position);
  check_legal(*state, move);
  return planes.index(*state, move);
}

int checked_index(const Planes& planes, int index) {
  return checked_range("index", index, 0, planes.policy_size() - 1);
}

int checked_symmetry(const Planes& planes, int symmetry) {
  return checked_range("symmetry", symmetry, 0, planes.symmetries() - 1);
}

Array<float, 3> transform(const Planes& planes, int symmetry, const Input<float, 3>& image) {
  checked_symmetry(planes, symmetry);
  if (image.size() != planes.size() || image.shape(0) != planes.names().size())
    fail("the array does not have the shape of this game's planes");
  std::unique_ptr<float[]> numbers(new float[planes.size()]);
  planes.transform_planes(symmetry, image.data(), numbers.get());
  return as_image(planes, std::move(numbers));
}

}  // namespace

void bind_planes(nb::module_& module) {
  nb::class_<Planes>(module, "Planes", "Network input planes of a game, and the policy indices of its moves.")
      .def_prop_ro("names", &Planes::names)
      .def_prop_ro("version", &Planes::version)
      .def_prop_ro("any_size", &Planes::any_size, "Whether smaller boards can be encoded, too.")
      .def_prop_ro("rows", &Planes::rows)
      .def_prop_ro("columns", &Planes::columns)
      .def_prop_ro("policy_planes", &Planes::policy_planes)
      .def_prop_ro("extras", &Planes::extras)
      .def_prop_ro("policy_size", &Planes::policy_size)
      .def_prop_ro("symmetries", &Planes::symmetries)
      .def("__call__", &encode, "state"_a, "Encode a position as float32 [planes, rows, columns].")
      .def("index", &index, "state"_a, "move"_a, "Return the policy index of a legal move.")
      .def(
          "reply_index",
          [](const Planes& planes, int index) { return planes.reply_index(checked_index(planes, index)); }, "index"_a,
          "Convert a policy index from the opponent's point of view.")
      .def(
          "transform_index",
          [](const Planes& planes, int symmetry, int index) {
            return planes.transform_index(checked_symmetry(planes, symmetry), checked_index(planes, index));
          },
          "symmetry"_a, "index"_a, "Transform a policy index by a symmetry.")
      .def("transform_planes", &transform, "symmetry"_a, "planes"_a, "Transform planes by a symmetry.");
  nb::class_<PythonPlanes, Planes>(module, "PythonPlanes", "Planes of a Python game.",
                                   garbage_collected<PythonPlanes>())
      .def(nb::init<std::vector<std::string>, int, int, int, const nb::list&, const PythonPlanes::Symmetries&>(),
           "names"_a, "version"_a, "rows"_a, "columns"_a, "move_space"_a, "symmetries"_a);
}

}  // namespace tesuji::python
