// What the parts of a Monte-Carlo tree search share: its options, its limits and its tree.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "game/knowledge.hpp"
#include "game/state.hpp"
#include "search/limits.hpp"
#include "search/options.hpp"
#include "search/simulation/move_orderer.hpp"
#include "search/simulation/selection.hpp"
#include "search/simulation/worker.hpp"
#include "search/tree/outcomes.hpp"
#include "search/tree/tree.hpp"

namespace tesuji {

struct SearchContext {
  SearchContext(const SearchOptions& given_options, Hooks given_hooks)
      : options(given_options), hooks(std::move(given_hooks)), rule(options), orderer(hooks, options) {}

  const SearchOptions options;
  const Hooks hooks;
  const SelectionRule rule;
  const MoveOrderer orderer;
  SearchLimits limits;

  bool hidden = false;  // the game has hidden information
  bool solver = true;   // back up proofs; off for hidden information
  std::unique_ptr<Tree> tree;
  std::unique_ptr<Outcomes> outcomes;
  std::unique_ptr<State> root_state;
  Index root = no_index;
  PositionCache* counted_cache = nullptr;  // the game's, if it counts against the memory
  // Visits of a node before its next study, by the number of its studies; see study.hpp.
  std::array<std::uint32_t, mark::studies + 1> study_at = never();
  bool probe_root_moves = true;      // before the first simulation, otherwise at their first visits
  std::uint64_t kept_visits = 0;     // of the root, from earlier searches
  std::uint32_t pending_leaves = 0;  // with asynchronous evaluation
  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<std::unique_ptr<Prover::Session>> provers;  // one per thread; they keep their tables

  static constexpr std::uint32_t no_study = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::array<std::uint32_t, mark::studies + 1> never() {
    std::array<std::uint32_t, mark::studies + 1> visits{};
    visits.fill(no_study);
    return visits;
  }
  Node& root_node() { return tree->node(root); }
  const Node& root_node() const { return std::as_const(*tree).node(root); }
  // The root's visits, estimated from this worker's share: exact with one thread, and no shared counter with many.
  std::uint64_t root_visits(const Worker& worker) const {
    if (options.leaves > 0) return kept_visits + workers.front()->completed.load(relaxed) + pending_leaves;
    return kept_visits + worker.completed.load(relaxed) * static_cast<std::uint64_t>(options.threads);
  }
  // Stops growing when the tree and the game's cache have used up the memory. Only Python games have caches that count,
  // and they are searched by one thread.
  void check_memory() {
    if (counted_cache == nullptr) return;
    if (!tree->full() && tree->bytes() + counted_cache->cache_bytes() <= options.memory) return;
    tree->close();
    counted_cache->stop_caching();
  }
};

}  // namespace tesuji
