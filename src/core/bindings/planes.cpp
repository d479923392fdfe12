// Bindings of planes.
#include "game/planes.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "bindings/errors.hpp"
#include "bindings/python/planes.hpp"

namespace tesuji::python {

namespace nb = nanobind;

namespace {

using Image = nb::ndarray<const float, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

nb::object as_image(const Planes& planes, std::unique_ptr<float[]> numbers) {
  const auto rows = static_cast<std::size_t>(planes.rows());
  return as_array(std::move(numbers), {planes.names().size(), rows, static_cast<std::size_t>(planes.columns())});
}

nb::object encode(const Planes& planes, nb::handle position) {
  const std::unique_ptr<State> state = first_state(planes, position);
  std::unique_ptr<float[]> numbers(new float[planes.size()]);
  planes.encode(*state, numbers.get());
  return as_image(planes, std::move(numbers));
}

int index(const Planes& planes, nb::handle position, Move move) {
  const std::unique_ptr<State> state = first_state(planes, position);
  if (!state->legal(move)) fail("illegal move " + std::to_string(move));
  return planes.index(*state, move);
}

int checked_below(const char* name, int value, int limit) {
  if (value >= 0 && value < limit) return value;
  fail(std::string(name) + " must be from 0 to " + std::to_string(limit - 1) + ", not " + std::to_string(value));
}

nb::object transform(const Planes& planes, int symmetry, const Image& image) {
  checked_below("symmetry", symmetry, planes.symmetries());
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
      .def("__call__", &encode, nb::arg("state"), nb::sig("def __call__(self, state: object) -> object"),
           "Encode a position as float32 [planes, rows, columns].")
      .def("index", &index, nb::arg("state"), nb::arg("move"),
           nb::sig("def index(self, state: object, move: int) -> int"), "Return the policy index of a legal move.")
      .def(
          "reply_index",
          [](const Planes& planes, int index) {
            return planes.reply_index(checked_below("index", index, planes.policy_size()));
          },
          nb::arg("index"), "Convert a policy index from the opponent's point of view.")
      .def(
          "transform_index",
          [](const Planes& planes, int symmetry, int index) {
            return planes.transform_index(checked_below("symmetry", symmetry, planes.symmetries()),
                                          checked_below("index", index, planes.policy_size()));
          },
          nb::arg("symmetry"), nb::arg("index"), "Transform a policy index by a symmetry.")
      .def("transform_planes", &transform, nb::arg("symmetry"), nb::arg("planes"),
           nb::sig("def transform_planes(self, symmetry: int, planes: object) -> object"),
           "Transform planes by a symmetry.");
}

}  // namespace tesuji::python
