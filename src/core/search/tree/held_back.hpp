// Statistics that a thread has gathered but not yet written to the shared tree.
//
// What one thread writes, all others must fetch again. Near the root every thread passes through the same nodes, and
// with RAVE each writes a whole table there. So a thread collects the visits and AMAF samples of busy nodes and writes
// them in batches. All threads together hold back at most a given share of what the node already knows: a new node is
// written at once.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/tree/outcomes.hpp"
#include "search/tree/tree.hpp"

namespace tesuji {

// The most that one of `threads` may hold back of a node with so many visits.
inline std::uint32_t held_back_limit(std::uint64_t visits, int threads, std::uint32_t inverse_share) {
  constexpr std::uint64_t most = 32;
  return static_cast<std::uint32_t>(std::min(most, visits / (inverse_share * static_cast<std::uint32_t>(threads))));
}

// A direct-mapped cache from indices of the tree to what is held back there.
template <typename Held>
class HeldBack {
 public:
  // The place for this index, perhaps occupied by another one.
  Held& at(Index index) { return places_[(index * 2654435769U) >> (32 - bits)]; }
  const Held& at(Index index) const { return const_cast<HeldBack*>(this)->at(index); }
  auto begin() { return places_.begin(); }
  auto end() { return places_.end(); }

 private:
  static constexpr int bits = 7;
  std::array<Held, std::size_t{1} << bits> places_;
};

// A node of a path, and its position among its parent's edges.
struct PathStep {
  Index node;
  Index edges;
  std::uint32_t position;
  Outcome proven_best;     // backed up above this node instead of the simulation's result: see Descent::select()
  std::uint64_t lent = 0;  // to the score sum while the simulation is pending: see Statistics::count_visit()
};

struct HeldVisits {
  PathStep step{no_index, no_index, 0, unproven, 0};
  int chooser = 0;
  std::uint32_t visits = 0;  // 0: the place is free
  std::uint64_t score_sum = 0;
};

struct HeldSamples {
  Index edges = no_index;
  std::uint32_t samples = 0;  // 0: the place is free
  std::vector<std::int32_t> amaf_sum;
  std::vector<std::int32_t> amaf_visits;
};

}  // namespace tesuji
