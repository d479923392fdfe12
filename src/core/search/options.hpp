// Parameters of a Monte-Carlo tree search. The Python class MCTSOptions mirrors these fields.
#pragma once

#include <cstdint>
#include <limits>

namespace tesuji {

enum class Rave { off, node, global };

struct SearchOptions {
  // RAVE: statistics per node (Gelly and Silver 2011), one table for the whole search, or none.
  Rave rave = Rave::off;
  double rave_k = 500;  // equivalence parameter: β = √(k / (3n + k))

  double exploration = 1.4142135623730951;  // C in Q + C·√(ln(N + 1) / n), unless the exploration hook sets it
  double prior_weight = 0;                  // w in w·P·√N / (1 + n)
  double revisit = 0;                       // u in u·R / (m·n): every move is visited again as N grows
  // First-play urgency: the value of an untried move. Infinite: every move is tried once before any is tried twice.
  double first_play = std::numeric_limits<double>::infinity();
  // r, with asynchronous evaluation: an untried move's value is the node's evaluation - r·√(Σ priors of tried moves).
  // Negative: use first_play.
  double first_play_reduction = -1;
  std::uint32_t expand_after = 1;  // visits of a node before it is expanded

  bool hard_proximity = false;        // set distant moves aside; otherwise proximity scales the priors
  bool threats_at_root_only = false;  // ask the threat response hook at the root only

  int playout_depth = -1;  // plies before a playout is cut off and the value hook called; negative: play to the end
  bool solver = true;      // back up proven results
  // Visits of a node after which the prover studies it; 0: never. Negative: the prover's own, times
  // evaluations_at_once.
  std::int64_t study_after = -1;

  // With asynchronous evaluation: evaluations made in the time of one on one core, by several cores or a GPU. The
  // prover works in the thread that searches, so the more there are, the less time it may take.
  int evaluations_at_once = 1;

  // Leaves that may be pending at once with asynchronous evaluation; 0: evaluate leaves by playouts.
  int leaves = 0;
  // Simulations per batch of leaves that may reach a pending leaf; after that the batch is complete. The more, the
  // fuller the batches, and the further their leaves from the best.
  int collisions = 0;

  std::uint64_t seed = 0;
  int threads = 1;                            // of all trees together
  std::size_t memory = std::size_t{1} << 30;  // bytes for the tree
};

// Evaluations at once from which probes are quick; see Prover::open.
inline constexpr int many_evaluations = 64;

// Limits of a search; 0 means none.
struct Budget {
  std::uint64_t iterations = 0;
  double seconds = 0;
};

}  // namespace tesuji
