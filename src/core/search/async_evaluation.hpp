// Asynchronous evaluation: the caller evaluates leaves in batches, for example by a network.
//
// Each slot is a worker that keeps its path while its leaf is pending. The others see its visits without its score
// (virtual loss). A simulation that reaches a pending leaf is undone: at once, or when the caller has collected its
// batch, so that the next simulations go elsewhere.
//
// The root is evaluated first, which does not count as a simulation. Every leaf is expanded when its evaluation
// arrives, in the order of the priors.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/search_monitor.hpp"
#include "game/knowledge.hpp"
#include "game/state.hpp"
#include "search/options.hpp"
#include "search/report.hpp"
#include "search/tree_search.hpp"

namespace tesuji {

// start(), then for each slot descend() and, if a leaf is pending, resume(). Not thread-safe, except cancel().
class AsyncMcts {
 public:
  AsyncMcts(const SearchOptions& options, Hooks hooks);

  // The number of slots: options.leaves, at least 1.
  int slots() const { return context().options.leaves; }
  // With `reuse`, the matching subtree of the previous search is kept. The time limit and the monitor apply to the work
  // before the first simulation; both are optional.
  void start(const State& root, bool reuse, const Budget& budget = {}, SearchMonitor* monitor = nullptr);
  // Whether the searches to come probe all moves of the root first. Otherwise they begin sooner: the prover is only
  // asked which moves hold against the opponent's threat.
  void probe_root_moves(bool probe) { context().probe_root_moves = probe; }
  enum class LeafStatus {
    pending,  // the simulation waits at a leaf
    counted,  // the simulation ended where the result is exact
    blocked,  // another slot is waiting at the same leaf
  };
  // `position`: the root move to descend into; by default the selection rule chooses. `keep_collision`: a blocked
  // simulation keeps its visits until undo_collisions().
  LeafStatus descend(int slot, std::uint32_t position = Tree::no_position, bool keep_collision = false);
  void undo_collisions();
  // The pending position of a slot.
  const State& leaf(int slot) const { return *context().workers[slot]->state; }
  // Completes a slot's simulation with the leaf's priors and its value for the side to move.
  void resume(int slot, const MoveOrdering& priors, double value);
  // Once the root is evaluated: searches for a forced win with the game's prover, in a share of the budget.
  void prove_root_win(SearchMonitor& monitor, const Budget& budget) {
    search_.root.prove_win(monitor, prover_share(budget.seconds, budget.iterations * playouts_per_evaluation));
  }
  // The same without limits, but only if a quick probe finds a win.
  void probe_root_win();
  // Short searches of the prover, with an effort in playouts: for a win at the root, and for the opponent's win after a
  // move, which is lost then. The second returns whether there is one.
  void prove_root_shortly(std::uint64_t effort) { search_.root.prove_shortly(effort); }
  bool refute_shortly(Move move, std::uint64_t effort) { return search_.root.refute_shortly(move, effort); }
  // Asks the prover whether the opponent wins after the move to play, in a share of the budget; if so, the move is
  // lost, and the search goes on to others.
  void verify_choice(SearchMonitor& monitor, const Budget& budget, double share);

  // Statistics of the root moves, by position; empty before the root is evaluated.
  struct RootMove {
    Move move;
    float prior;
    bool set_aside;  // by an urgent threat or proximity, until all others lose
    std::uint32_t visits = 0;
    double value = 0;  // mean score of the root's side to move; exact if proven
    std::optional<double> proven = std::nullopt;
  };
  bool root_evaluated() const { return context().root_node().edges.load(std::memory_order_acquire) != no_index; }
  void root_moves(std::vector<RootMove>& moves) const;
  RootMove root_move(std::uint32_t position) const;
  // Replaces the priors of the root moves. Changes their positions.
  void set_root_priors(const std::vector<float>& priors);
  double root_estimate() const { return context().root_node().estimate; }
  std::optional<double> root_proven() const;
  std::uint64_t kept_visits() const { return context().kept_visits; }
  std::uint64_t simulations() const { return context().workers.front()->completed.load(); }
  double seconds() const { return context().limits.seconds(); }
  // The move to play.
  Move choice() const { return search_.choice(); }
  Report report() const { return search_.report(); }

  // Asks the caller to end the search soon; may be called from any thread.
  void cancel() { context().limits.cancel(); }
  bool cancelled() const { return context().limits.cancelled(); }
  // Whether to collect no more leaves. Only asked where Python is called: elsewhere a batch takes little time.
  bool must_stop() const { return context().limits.slow() && context().limits.stopped(); }
  // Sets the reported stop reason.
  void end(Stop reason) { context().limits.stop(reason); }
  // Discards the tree.
  void forget() { search_.forget(); }
  // Discards the tree and the provers' tables.
  void reset() { search_.reset(); }

 private:
  SearchContext& context() { return search_.context; }
  const SearchContext& context() const { return search_.context; }

  TreeSearch search_;
  std::vector<std::vector<Worker::Step>> collisions_;  // paths of kept collisions; those after the count are spare
  std::size_t collision_count_ = 0;
};

}  // namespace tesuji
