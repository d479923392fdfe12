// Helpers for error messages.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace tesuji::python {

// repr() of an object.
inline std::string text(nanobind::handle object) { return nanobind::repr(object).c_str(); }

[[noreturn]] inline void fail(const std::string& message) { throw nanobind::value_error(message.c_str()); }

}  // namespace tesuji::python
