// Parameters of the two Monte-Carlo tree searches: one judges leaves by playouts, the other by a network. The Python
// classes MCTSOptions and ZeroOptions say what a user may set.
#pragma once

#include <cstdint>
#include <limits>

namespace tesuji {

enum class Rave { off, node, global };

// What both searches have.
struct TreeOptions {
  double prior_weight = 0;      // w in w·P·√N / (1 + n)
  bool hard_proximity = false;  // set distant moves aside; otherwise proximity scales the priors
  bool solver = true;           // back up proven results
  // Visits of a node after which the prover searches it; 0: never. Negative: the prover's own, times
  // evaluations_at_once.
  std::int64_t proof_search_after = -1;
  std::uint64_t seed = 0;
  std::size_t memory = std::size_t{1} << 30;  // bytes for the tree
};

struct PlayoutOptions : TreeOptions {
  // RAVE: statistics per node (Gelly and Silver 2011), one table for the whole search, or none.
  Rave rave = Rave::off;
  double rave_k = 500;  // equivalence parameter: β = √(k / (3n + k))

  double exploration = 1.4142135623730951;  // C in Q + C·√(ln(N + 1) / n), unless the exploration hook sets it
  double exploration_floor = 0.2;           // u in u·R / (m·n): every move is visited again as N grows
  // First-play urgency: the value of an untried move. Infinite: every move is tried once before any is tried twice.
  double first_play = std::numeric_limits<double>::infinity();
  std::uint32_t expand_after = 1;  // visits of a node before it is expanded

  bool threats_at_root_only = false;  // ask the threat response hook at the root only
  int playout_depth = -1;  // plies before a playout is cut off and the value hook called; negative: play to the end
  int threads = 1;         // of all trees together
};

struct NetworkOptions : TreeOptions {
  // First-play urgency: r in v - r·√(Σ priors of tried moves), the value of an untried move, where v is the network's
  // value of the node.
  double first_play_reduction = 0.2;
  int batch_size = 1;  // simulations that may wait for the network at once
  // A simulation that reaches a leaf that is waiting already completes the batch. With full batches, up to batch_size
  // of them are passed over, and some leaves are further from the best.
  bool full_batches = false;
  // Evaluations made in the time of one on one core, by several cores or a GPU. The prover works in the thread that
  // searches, so the more there are, the less time it may take.
  int evaluations_at_once = 1;
};

// Evaluations at once from which probes are quick; see Prover::open.
inline constexpr int many_evaluations = 64;

// Limits of a search; 0 means none.
struct Budget {
  std::uint64_t iterations = 0;
  double seconds = 0;
};

}  // namespace tesuji
