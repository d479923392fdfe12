// Bindings of the losses of logistic regressions. Arguments are numpy arrays, read without the GIL.
#include "learn/logistic.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"

namespace tesuji::python {

namespace {

using Numbers = Input<double>;

// Rows of codes that outlive the calls on them. The constructor checks what the loops rely on.
class PythonRows {
 public:
  PythonRows(Input<std::int64_t> offsets, const nb::object& indices, std::optional<Numbers> values, std::size_t codes)
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
    if (static_cast<std::size_t>(offsets_(rows())) > count) fail("offsets exceed the indices");
    if (values_ && values_->shape(0) != count) fail("values and indices must have the same length");
    for (std::size_t i = 0; i < count; ++i) {
      if ((narrow_.is_valid() ? narrow_(i) : wide_(i)) >= codes) fail("an index is not below the number of codes");
    }
  }

  std::size_t rows() const { return offsets_.shape(0) - 1; }
  std::size_t codes() const { return codes_; }
  SparseRows view() const {
    return {offsets_.data(), narrow_.is_valid() ? narrow_.data() : nullptr, narrow_.is_valid() ? nullptr : wide_.data(),
            values_ ? values_->data() : nullptr, codes_};
  }

 private:
  Input<std::int64_t> offsets_;
  Input<std::uint16_t> narrow_;
  Input<std::uint32_t> wide_;
  std::optional<Numbers> values_;
  std::size_t codes_;
};

template <typename T>
void check_count(const Input<T>& array, std::size_t wanted, const char* what) {
  if (array.shape(0) == wanted) return;
  fail(std::string(what) + " must have " + std::to_string(wanted) + " numbers, not " + std::to_string(array.shape(0)));
}

void check_part(std::size_t first, std::size_t last, std::size_t rows) {
  if (first > last || last > rows) fail("there are only " + std::to_string(rows) + " rows");
}

std::tuple<double, Array<double>, Array<double>> loss(const PythonRows& rows, std::size_t first, std::size_t last,
                                                      const Numbers& base, const Numbers& labels,
                                                      const Numbers& row_weights, const Numbers& weights, int threads) {
  check_part(first, last, rows.rows());
  check_count(base, last - first, "base");
  check_count(labels, last - first, "labels");
  check_count(row_weights, last - first, "row_weights");
  check_count(weights, rows.codes(), "weights");
  std::vector<double> gradient(rows.codes(), 0.0), errors(last - first);
  double total = 0;
  {
    const nb::gil_scoped_release released;
    total = logistic_loss(rows.view(), first, last, base.data(), labels.data(), row_weights.data(), weights.data(),
                          gradient.data(), errors.data(), threads);
  }
  return {total, as_array(std::move(gradient)), as_array(std::move(errors))};
}

std::pair<double, Array<double>> choice_loss(const PythonRows& rows, const Input<std::int64_t>& ends,
                                             const Input<std::int32_t>& chosen, const Numbers& position_weights,
                                             std::size_t first, std::size_t last, const Numbers& weights, int threads) {
  check_part(first, last, ends.shape(0));
  check_count(chosen, ends.shape(0), "chosen");
  check_count(position_weights, ends.shape(0), "position_weights");
  check_count(weights, rows.codes(), "weights");
  for (std::size_t i = 0; i < ends.shape(0); ++i) {
    const std::int64_t moves = ends(i) - (i == 0 ? 0 : ends(i - 1));
    if (moves < 1 || chosen(i) < 0 || chosen(i) >= moves || static_cast<std::size_t>(ends(i)) > rows.rows()) {
      fail("position " + std::to_string(i) + " has no rows, or its choice is not among them");
    }
  }
  std::vector<double> gradient(rows.codes(), 0.0);
  double total = 0;
  {
    const nb::gil_scoped_release released;
    total = conditional_loss(rows.view(), {ends.data(), chosen.data(), position_weights.data()}, first, last,
                             weights.data(), gradient.data(), threads);
  }
  return {total, as_array(std::move(gradient))};
}

Array<double> sums(const PythonRows& rows, std::size_t first, std::size_t last, const Numbers& weights, int threads) {
  check_part(first, last, rows.rows());
  check_count(weights, rows.codes(), "weights");
  std::vector<double> found(last - first);
  {
    const nb::gil_scoped_release released;
    code_sums(rows.view(), first, last, weights.data(), found.data(), threads);
  }
  return as_array(std::move(found));
}

Array<double> squares(const PythonRows& rows, std::size_t first, std::size_t last, const Numbers& row_weights,
                      int threads) {
  check_part(first, last, rows.rows());
  check_count(row_weights, last - first, "row_weights");
  std::vector<double> found(rows.codes(), 0.0);
  {
    const nb::gil_scoped_release released;
    code_squares(rows.view(), first, last, row_weights.data(), found.data(), threads);
  }
  return as_array(std::move(found));
}

}  // namespace

void bind_logistic(nb::module_& module) {
  nb::class_<PythonRows>(module, "SparseRows", "Rows of codes for a logistic regression.")
      .def(nb::init<Input<std::int64_t>, const nb::object&, std::optional<Numbers>, std::size_t>(), "offsets"_a,
           "indices"_a, "values"_a.none(), "codes"_a)
      .def_prop_ro("rows", &PythonRows::rows)
      .def("loss", &loss, "first"_a, "last"_a, "base"_a, "labels"_a, "row_weights"_a, "weights"_a, "threads"_a,
           "Return the weighted logistic loss of a range of rows and its derivatives by the codes' weights and by the "
           "rows' log-odds.")
      .def("choice_loss", &choice_loss, "ends"_a, "chosen"_a, "position_weights"_a, "first"_a, "last"_a, "weights"_a,
           "threads"_a, "Return the weighted loss of the choices in a range of positions and its derivatives.")
      .def("sums", &sums, "first"_a, "last"_a, "weights"_a, "threads"_a,
           "Return the sum of the weights of the codes of each row.")
      .def("squares", &squares, "first"_a, "last"_a, "row_weights"_a, "threads"_a,
           "Return the sum of weight * count^2 over the rows, for each code.");
}

}  // namespace tesuji::python
