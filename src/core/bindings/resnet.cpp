// Bindings of networks in play.
#include "network/resnet.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "bindings/errors.hpp"

namespace nb = nanobind;

namespace tesuji::python {

namespace {

using Array = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;
using Images = nb::ndarray<const float, nb::ndim<4>, nb::c_contig, nb::device::cpu>;

std::vector<std::string> names() {
  std::vector<std::string> found;
  for (const network::NamedKernels& each : network::available_kernels()) found.emplace_back(each.name);
  return found;
}

const network::Kernels& kernels(const std::string& name) {
  for (const network::NamedKernels& each : network::available_kernels()) {
    if (name == each.name) return *each.kernels;
  }
  std::string known;
  for (const std::string& each : names()) known += (known.empty() ? "" : ", ") + each;
  fail("there are no kernels '" + name + "' for this processor (" + known + ")");
}

network::Weights as_weights(const nb::dict& arrays) {
  network::Weights weights;
  for (const auto [name, value] : arrays) {
    const Array array = nb::cast<Array>(value);
    weights.emplace(nb::cast<std::string>(name), std::vector<float>(array.data(), array.data() + array.size()));
  }
  return weights;
}

class NativeResNet {
 public:
  NativeResNet(const nb::dict& weights, int planes, int blocks, int channels, int head, int policy_planes, int extras,
               int cells, const std::string& instructions)
      : planes_(static_cast<std::size_t>(planes)),
        network_({planes, blocks, channels, head, policy_planes, extras, cells}, as_weights(weights),
                 kernels(instructions)) {}

  nb::tuple operator()(const Images& images) const {
    const std::size_t count = images.shape(0);
    if (images.shape(1) != planes_) {
      fail("the network takes " + std::to_string(planes_) + " planes, not " + std::to_string(images.shape(1)));
    }
    const int rows = static_cast<int>(images.shape(2)), columns = static_cast<int>(images.shape(3));
    const std::size_t moves = network_.policy_size(rows, columns);
    std::unique_ptr<float[]> policy(new float[count * moves]);
    std::unique_ptr<float[]> value(new float[count]);
    {
      const nb::gil_scoped_release released;
      network_.evaluate(images.data(), count, rows, columns, policy.get(), value.get());
    }
    return nb::make_tuple(as_array(std::move(policy), {count, moves}), as_array(std::move(value), {count}));
  }

 private:
  std::size_t planes_;
  network::ResNet network_;
};

}  // namespace

void bind_resnet(nb::module_& module) {
  module.def("network_kernels", names,
             "Return the sets of instructions for ResNet that this processor has, the fastest first. All give the same "
             "results; portable is slow.");
  nb::class_<NativeResNet>(module, "ResNet", "A residual network in play, computed with 8-bit products.")
      .def(nb::init<const nb::dict&, int, int, int, int, int, int, int, const std::string&>(), nb::arg("weights"),
           nb::kw_only(), nb::arg("planes"), nb::arg("blocks"), nb::arg("channels"), nb::arg("head"),
           nb::arg("policy_planes"), nb::arg("extras"), nb::arg("cells"), nb::arg("kernels"),
           "`weights` are float32 arrays by name; `kernels` is one of network_kernels().")
      .def("__call__", &NativeResNet::operator(), nb::arg("planes"),
           "Return policy logits [batch, moves] and value log-odds [batch].");
}

}  // namespace tesuji::python
