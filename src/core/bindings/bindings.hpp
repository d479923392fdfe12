// One function per room; module.cpp calls them.
#pragma once

#include <nanobind/nanobind.h>

namespace tesuji::python {

void bind_game(nanobind::module_& module);
void bind_hex(nanobind::module_& module);
void bind_search(nanobind::module_& module);

}  // namespace tesuji::python
