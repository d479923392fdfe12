// Checked arguments of Onitama's bindings.
#pragma once

#include <vector>

#include "games/onitama/onitama.hpp"

namespace tesuji::python {

// Raises ValueError unless given five distinct cards.
onitama::Deal checked_deal(const std::vector<int>& given);
onitama::Limits checked_limits(int plies, int occurrences);

}  // namespace tesuji::python
