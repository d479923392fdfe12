// Bindings of the losses of logistic regressions. Arguments are numpy arrays, read without the GIL.
#include "learn/logistic.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "bindings/errors.hpp"

namespace tesuji::python {

namespace nb = nanobind;

namespace {

template <typename T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = Array<double>;

// Rows of codes that outlive the calls on them. The constructor checks what the loops rely on.
class SparseRows {
 public:
  SparseRows(Array<std::int64_t> offsets, const nb::object& indices, std::optional<Numbers> values, std::size_t codes)
      : offsets_(std::move(offsets)), values_(std::move(values)), codes_(codes) {
    // Without conversions, which would cut off large codes.
    if (!nb::try_cast(indices, narrow_, false) && !nb::try_cast(indices, wide_, false)) {
      fail("indices must be an array of uint16 or uint32");
    }
    const std::size_t count = narrow_.is_valid() ? narrow_.shape(0) : wide_.shape(0);
    if (offsets_.shape(0) == 0 || offsets_(0) < 0) fail("offsets must begin with a number of at least 0");
    for (std::size_t i = 1; i < offsets_.shape(0); ++i) {
      if (offsets_(i) < offsets_(i - 1)) fail("offsets must not decrease");
    }
    if (static_cast<std::size_t>(offsets_(offsets_.shape(0) - 1)) > count) fail("offsets exceed the indices");
    if (values_ && values_->shape(0) != count) fail("values and indices must have the same length");
    for (std::size_t i = 0; i < count; ++i) {
      if ((narrow_.is_valid() ? narrow_(i) : wide_(i)) >= codes) fail("an index is not below the number of codes");
    }
  }

  std::size_t rows() const { return offsets_.shape(0) - 1; }
  std::size_t codes() const { return codes_; }

  // Calls work(view) without the GIL.
  template <typename Work>
  void visit(Work&& work) const {
    const nb::gil_scoped_release released;
    const double* const values = values_ ? values_->data() : nullptr;
    if (narrow_.is_valid()) {
      work(CodeView<std::uint16_t>{offsets_.data(), narrow_.data(), values, codes_});
    } else {
      work(CodeView<std::uint32_t>{offsets_.data(), wide_.data(), values, codes_});
    }
  }

 private:
  Array<std::int64_t> offsets_;
  Array<std::uint16_t> narrow_;
  Array<std::uint32_t> wide_;
  std::optional<Numbers> values_;
  std::size_t codes_;
};

void check(std::size_t found, std::size_t wanted, const char* what) {
  if (found != wanted) {
    fail(std::string(what) + " must have " + std::to_string(wanted) + " numbers, not " + std::to_string(found));
  }
}

void check_range(std::size_t first, std::size_t last, std::size_t rows) {
  if (first > last || last > rows) fail("there are only " + std::to_string(rows) + " rows");
}

nb::tuple loss(const SparseRows& rows, std::size_t first, std::size_t last, const Numbers& base, const Numbers& labels,
               const Numbers& row_weights, const Numbers& weights, int threads) {
  check_range(first, last, rows.rows());
  check(base.shape(0), last - first, "base");
  check(labels.shape(0), last - first, "labels");
  check(row_weights.shape(0), last - first, "row_weights");
  check(weights.shape(0), rows.codes(), "weights");
  std::vector<double> gradient(rows.codes(), 0.0);
  std::vector<double> errors(last - first);
  double total = 0;
  rows.visit([&](const auto& view) {
    total = logistic_loss(view, first, last, base.data(), labels.data(), row_weights.data(), weights.data(),
                          gradient.data(), errors.data(), threads);
  });
  return nb::make_tuple(total, as_array(std::move(gradient)), as_array(std::move(errors)));
}

nb::tuple choice_loss(const SparseRows& rows, const Array<std::int64_t>& ends, const Array<std::int32_t>& chosen,
                      const Numbers& position_weights, std::size_t first, std::size_t last, const Numbers& weights,
                      int threads) {
  check_range(first, last, ends.shape(0));
  check(chosen.shape(0), ends.shape(0), "chosen");
  check(position_weights.shape(0), ends.shape(0), "position_weights");
  check(weights.shape(0), rows.codes(), "weights");
  for (std::size_t i = 0; i < ends.shape(0); ++i) {
    const std::int64_t moves = ends(i) - (i == 0 ? 0 : ends(i - 1));
    if (moves < 1 || chosen(i) < 0 || chosen(i) >= moves || static_cast<std::size_t>(ends(i)) > rows.rows()) {
      fail("position " + std::to_string(i) + " has no rows, or its choice is not among them");
    }
  }
  std::vector<double> gradient(rows.codes(), 0.0);
  double total = 0;
  rows.visit([&](const auto& view) {
    total = conditional_loss(view, Choices{ends.data(), chosen.data(), position_weights.data()}, first, last,
                             weights.data(), gradient.data(), threads);
  });
  return nb::make_tuple(total, as_array(std::move(gradient)));
}

nb::object sums(const SparseRows& rows, std::size_t first, std::size_t last, const Numbers& weights, int threads) {
  check_range(first, last, rows.rows());
  check(weights.shape(0), rows.codes(), "weights");
  std::vector<double> found(last - first);
  rows.visit([&](const auto& view) { code_sums(view, first, last, weights.data(), found.data(), threads); });
  return as_array(std::move(found));
}

nb::object squares(const SparseRows& rows, std::size_t first, std::size_t last, const Numbers& row_weights,
                   int threads) {
  check_range(first, last, rows.rows());
  check(row_weights.shape(0), last - first, "row_weights");
  std::vector<double> found(rows.codes(), 0.0);
  rows.visit([&](const auto& view) { code_squares(view, first, last, row_weights.data(), found.data(), threads); });
  return as_array(std::move(found));
}

}  // namespace

void bind_logistic(nb::module_& module) {
  nb::class_<SparseRows>(module, "SparseRows", "Rows of codes for a logistic regression.")
      .def(nb::init<Array<std::int64_t>, const nb::object&, std::optional<Numbers>, std::size_t>(), nb::arg("offsets"),
           nb::arg("indices"), nb::arg("values").none(), nb::arg("codes"),
           nb::sig("def __init__(self, offsets: object, indices: object, values: object | None, codes: int) -> None"))
      .def_prop_ro("rows", &SparseRows::rows)
      .def("loss", &loss, nb::arg("first"), nb::arg("last"), nb::arg("base"), nb::arg("labels"), nb::arg("row_weights"),
           nb::arg("weights"), nb::arg("threads"),
           nb::sig("def loss(self, first: int, last: int, base: object, labels: object, row_weights: object, weights: "
                   "object, threads: int) -> tuple"),
           "Return the weighted logistic loss of a range of rows and its derivatives by the codes' weights and by the "
           "rows' log-odds.")
      .def("choice_loss", &choice_loss, nb::arg("ends"), nb::arg("chosen"), nb::arg("position_weights"),
           nb::arg("first"), nb::arg("last"), nb::arg("weights"), nb::arg("threads"),
           nb::sig("def choice_loss(self, ends: object, chosen: object, position_weights: object, first: int, last: "
                   "int, weights: object, threads: int) -> tuple"),
           "Return the weighted loss of the choices in a range of positions and its derivatives.")
      .def("sums", &sums, nb::arg("first"), nb::arg("last"), nb::arg("weights"), nb::arg("threads"),
           nb::sig("def sums(self, first: int, last: int, weights: object, threads: int) -> object"),
           "Return the sum of the weights of the codes of each row.")
      .def("squares", &squares, nb::arg("first"), nb::arg("last"), nb::arg("row_weights"), nb::arg("threads"),
           nb::sig("def squares(self, first: int, last: int, row_weights: object, threads: int) -> object"),
           "Return the sum of weight * count^2 over the rows, for each code.");
}

}  // namespace tesuji::python
