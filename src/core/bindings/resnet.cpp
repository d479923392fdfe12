// Bindings of networks in play.
#include "network/resnet.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"

namespace tesuji::python {

namespace {

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

void bind_resnet(nb::module_& module) {
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
