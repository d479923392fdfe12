// Errors that name the value: what every check at the border to Python needs.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace tesuji::python {

// The object as its repr() shows it.
inline std::string text(nanobind::handle object) { return nanobind::repr(object).c_str(); }

[[noreturn]] inline void fail(const std::string& message) { throw nanobind::value_error(message.c_str()); }

}  // namespace tesuji::python
