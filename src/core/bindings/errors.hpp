// Checks of arguments and results, with errors that name what is wrong.
#pragma once

#include <nanobind/nanobind.h>

#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>

namespace tesuji::python {

namespace nb = nanobind;
using namespace nb::literals;

// repr() of an object.
inline std::string text(nb::handle object) { return nb::repr(object).c_str(); }

[[noreturn]] inline void fail(const std::string& message) { throw nb::value_error(message.c_str()); }

// A new reference from a function of the C API, or the exception that it raised.
inline nb::object checked(PyObject* result) {
  if (result == nullptr) throw nb::python_error();
  return nb::steal(result);
}

// The value of a key, or null.
inline PyObject* find_item(nb::handle dict, nb::handle key) {
  PyObject* const found = PyDict_GetItemWithError(dict.ptr(), key.ptr());
  if (found == nullptr && PyErr_Occurred() != nullptr) throw nb::python_error();
  return found;
}

// NaN if it is not a number.
inline double number_of(nb::handle object) {
  const double number = PyFloat_AsDouble(object.ptr());
  if (number != -1.0 || PyErr_Occurred() == nullptr) return number;
  PyErr_Clear();
  return std::nan("");
}

// For loops that run without the GIL.
inline void check_signals() {
  const nb::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

template <typename Number>
Number checked_range(const char* name, Number value, Number least, Number most) {
  if (value >= least && value <= most) return value;
  fail(std::string(name) + " must be from " + std::to_string(least) + " to " + std::to_string(most) + ", not " +
       std::to_string(value));
}

inline void check_threads(int threads) {
  if (threads < 1) fail("threads must be at least 1, not " + std::to_string(threads));
}

// The value of an enumeration by its name; `names` are in the order of the values.
template <typename Enum, typename Names>
Enum checked_name(const char* what, const Names& names, const std::string& name) {
  std::string known;
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
    known += (i == 0 ? "" : i + 1 < std::size(names) ? ", " : " or ") + std::string(names[i]);
  }
  fail(std::string(what) + " must be " + known + ", not '" + name + "'");
}

}  // namespace tesuji::python
