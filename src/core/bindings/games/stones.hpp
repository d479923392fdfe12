// Boards of black and white stones that Python sets up.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>

#include "bindings/errors.hpp"

namespace tesuji::python {

// One byte per cell (0 empty, 1 Black, 2 White), the player to move, and the stone played last, if known.
inline void check_stones(const nanobind::bytes& owners, int size, int player, std::optional<int> last) {
  const int cells = size * size;
  if (owners.size() != static_cast<std::size_t>(cells)) {
    fail("cells must be " + std::to_string(cells) + " bytes, not " + std::to_string(owners.size()));
  }
  if (player != 0 && player != 1) fail("the player to move must be 0 or 1, not " + std::to_string(player));
  for (int cell = 0; cell < cells; ++cell) {
    const int owner = static_cast<unsigned char>(owners.c_str()[cell]);
    if (owner > 2) fail("a cell must be 0 (empty), 1 (Black) or 2 (White), not " + std::to_string(owner));
  }
  if (!last) return;
  if (*last < 0 || *last >= cells || static_cast<unsigned char>(owners.c_str()[*last]) != 2 - player) {
    fail("the last move must be a stone of the player who is not to move, not cell " + std::to_string(*last));
  }
}

}  // namespace tesuji::python
