// Bindings of networks in play: their input planes, and their evaluation.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "bindings/python/planes.hpp"
#include "network/resnet.hpp"

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

using Tensor = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;
using Arrays = nb::typed<nb::dict, std::string, Tensor>;

constexpr std::size_t max_side = 4096;
constexpr std::size_t max_cells = 4096;  // MAX_CELLS of models/network_format.py

std::vector<std::string> kernel_names() {
  std::vector<std::string> found;
  for (const network::NamedKernels& each : network::available_kernels()) found.emplace_back(each.name);
  return found;
}

const network::Kernels& find_kernels(const std::string& name) {
  std::string known;
  for (const network::NamedKernels& each : network::available_kernels()) {
    if (name == each.name) return *each.kernels;
    known += (known.empty() ? "" : ", ") + std::string(each.name);
  }
  fail("there are no kernels '" + name + "' here (" + known + ")");
}

network::Weights as_weights(const Arrays& arrays) {
  network::Weights weights;
  for (const auto [name, value] : arrays) {
    Tensor array;
    if (!nb::try_cast(nb::object(nb::borrow(value)), array)) fail("weights must be float32 arrays, not " + text(value));
    network::Tensor& tensor = weights[nb::cast<std::string>(name)];
    for (std::size_t i = 0; i < array.ndim(); ++i) tensor.shape.push_back(array.shape(i));
    tensor.values.assign(array.data(), array.data() + array.size());
  }
  return weights;
}

void open(network::ResNet* self, const Arrays& arrays, int planes, int channels, std::vector<int> pooled, int head,
          int policy_planes, int extras, int rows, int columns, const std::string& kernels) {
  const network::Kernels& found = find_kernels(kernels);
  const network::ResNetShape shape{planes, channels, std::move(pooled), head, policy_planes, extras, {rows, columns}};
  const network::Weights weights = as_weights(arrays);
  const nb::gil_scoped_release released;
  new (self) network::ResNet(shape, weights, found);
}

std::pair<Array<float, 2>, Array<float>> evaluate(const network::ResNet& network, const Input<float, 4>& images) {
  const std::size_t count = images.shape(0), rows = images.shape(2), columns = images.shape(3);
  const int planes = network.shape().planes;
  if (images.shape(1) != static_cast<std::size_t>(planes)) {
    fail("the network takes " + std::to_string(planes) + " planes, not " + std::to_string(images.shape(1)));
  }
  if (rows == 0 || columns == 0 || rows > max_side || columns > max_side || rows * columns > max_cells) {
    fail("a board has from 1 to " + std::to_string(max_cells) + " cells, not " + std::to_string(rows) + " × " +
         std::to_string(columns));
  }
  const network::BoardSize board{static_cast<int>(rows), static_cast<int>(columns)};
  const std::size_t moves = network.policy_size(board);
  std::unique_ptr<float[]> policy(new float[count * moves]), value(new float[count]);
  {
    const nb::gil_scoped_release released;
    network.evaluate(images.data(), count, board, policy.get(), value.get());
  }
  return {as_array(std::move(policy), {count, moves}), as_array(std::move(value), {count})};
}

}  // namespace

void bind_network(nb::module_& module) {
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
  module.def("network_kernels", kernel_names,
             "Return the sets of instructions with which ResNet can be evaluated here, the fastest first. All give the "
             "same results. The last is portable, which is slow.");
  nb::class_<network::ResNet>(module, "ResNet", "A residual network in play, evaluated with 8-bit integers.")
      .def("__init__", &open, "weights"_a, nb::kw_only(), "planes"_a, "channels"_a, "pooled"_a, "head"_a,
           "policy_planes"_a, "extras"_a, "rows"_a, "columns"_a, "kernels"_a,
           "`weights` are float32 arrays by name; `pooled` has the number of pooled channels of each block; rows and "
           "columns are those of training; `kernels` is one of network_kernels().")
      .def("__call__", &evaluate, "planes"_a, "Return policy logits [batch, moves] and value log-odds [batch].");
}

}  // namespace tesuji::python
