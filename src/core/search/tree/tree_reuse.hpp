// Finding the new root in the tree of the previous search.
#pragma once

#include "game/state.hpp"
#include "search/tree/tree.hpp"

namespace tesuji {

// The node of a position at most one round of moves below the root, or 0.
Index find_descendant(const Tree& tree, Index root, const State& root_state, const State& wanted);

}  // namespace tesuji
