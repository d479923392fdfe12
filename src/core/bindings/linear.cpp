// Bindings of linear values and priors.
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "bindings/errors.hpp"
#include "bindings/garbage.hpp"
#include "game/linear_prior.hpp"
#include "game/linear_value.hpp"

namespace tesuji::python {

namespace nb = nanobind;

namespace {

using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

nb::object logits(const LinearWeights& weights, const Table& table) {
  if (table.shape(1) != weights.size()) {
    fail("there are " + std::to_string(weights.size()) + " weights, but the table has " +
         std::to_string(table.shape(1)) + " columns");
  }
  std::vector<double> result(table.shape(0));
  {
    const nb::gil_scoped_release released;
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = weights.logit(table.data() + i * weights.size());
  }
  return as_array(std::move(result));
}

}  // namespace

static void references(LinearValue& value, References& found) { found.shared(value.features()); }
static void references(LinearPrior& prior, References& found) { found.shared(prior.features()); }
static void references(PriorPolicy& policy, References& found) { found.shared(policy.prior()); }

void bind_linear(nb::module_& module) {
  nb::class_<LinearWeights>(module, "LinearWeights", "Weights of a linear value.")
      .def(nb::init<std::vector<double>, double, std::vector<double>, std::vector<double>, double,
                    const std::vector<double>&>(),
           nb::arg("theta"), nb::arg("bias"), nb::arg("mean"), nb::arg("deviation"), nb::arg("epsilon"),
           nb::arg("codes") = std::vector<double>())
      .def("logits", &logits, nb::arg("table"), nb::sig("def logits(self, table: object) -> object"),
           "Return the log-odds of each row of features, without codes.");
  module.def("win_probability", &win_probability, nb::arg("logit"), "Return 1/(1 + e^-logit).");
  nb::class_<LinearValue, Value>(module, "LinearValue", "Linear value of a native game's positions.",
                                 garbage_collected<LinearValue>())
      .def(nb::init<std::shared_ptr<Features>, LinearWeights>(), nb::arg("features"), nb::arg("weights"))
      .def("logit", &LinearValue::logit, nb::arg("state"), "Return the log-odds that the side to move wins.");
  nb::class_<LinearPrior, MoveOrdering>(module, "LinearPrior", "Learned weights of a native game's moves.",
                                        garbage_collected<LinearPrior>())
      .def(
          "__init__",
          [](LinearPrior* self, std::shared_ptr<MoveFeatures> features, const std::vector<double>& weights) {
            new (self) LinearPrior(std::move(features), std::make_shared<CodeWeights>(weights));
          },
          nb::arg("features"), nb::arg("weights"));
  nb::class_<PriorPolicy, PlayoutPolicy>(module, "PriorPolicy", "Playouts whose moves are drawn from a prior.",
                                         garbage_collected<PriorPolicy>())
      .def(nb::init<std::shared_ptr<LinearPrior>>(), nb::arg("prior"));
}

}  // namespace tesuji::python
