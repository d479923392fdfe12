// What Python says of Onitama, checked.
#pragma once

#include <vector>

#include "games/onitama/onitama.hpp"

namespace tesuji::python {

// Five different cards by their numbers; ValueError otherwise.
onitama::Deal checked_deal(const std::vector<int>& given);
onitama::Limits checked_limits(int plies, int occurrences);

}  // namespace tesuji::python
