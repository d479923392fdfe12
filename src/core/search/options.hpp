// The parameters of one Monte-Carlo tree search, in one place. The Python class MCTSOptions mirrors these
// fields.
#pragma once

#include <cstdint>
#include <limits>

namespace tesuji {

enum class Rave { off, node, global };

struct SearchOptions {
  // RAVE: statistics per node (Gelly and Silver 2011), one table for the whole search, or none.
  Rave rave = Rave::off;
  double rave_k = 500;  // β = √(k / (3n + k)): how many visits until the mover's own experience counts more

  double exploration = 1.4142135623730951;  // C in Q + C·√(ln(N + 1) / n); the hook of that name goes before it
  double prior_weight = 0;                  // w in w·P·√N / (1 + n)
  // The value an untried move counts as. Infinite: every move is tried once, in order, before any is tried twice.
  double first_play = std::numeric_limits<double>::infinity();
  // r: where leaves are evaluated from outside, an untried move counts as its node's evaluation, less r·√(sum of the
  // priors of the moves tried). Negative: as first_play says.
  double first_play_reduction = -1;
  std::uint32_t expand_after = 1;  // a node gets children at its first visit after so many

  bool hard_proximity = false;  // distant moves are set aside; otherwise proximity is a factor of the priors

  int playout_depth = -1;  // cut a playout off after so many plies and ask the value hook; negative: play to the end
  bool solver = true;      // proven results go up the tree

  // Simulations that may wait at a leaf for an evaluation from outside, such as a network's; 0: playouts judge leaves.
  int leaves = 0;

  std::uint64_t seed = 0;
  int threads = 1;
  std::size_t memory = std::size_t{1} << 30;  // bytes for the tree
  bool stop_when_full = false;                // otherwise the search goes on without growing
};

// When a search ends. Zero means "no such limit".
struct Budget {
  std::uint64_t iterations = 0;
  double seconds = 0;
};

}  // namespace tesuji
