// Monte-Carlo tree search with a network: the caller evaluates leaves in batches.
//
// A simulation is simulate(), which stops at a leaf and waits there, and resume(), which completes it with the
// network's answer. Each row of a batch is a worker that keeps its path meanwhile; the others see its visits with a
// virtual value (statistics.cpp). A simulation that reaches a waiting leaf is undone: at once, or when the caller has
// collected its batch, so that the next simulations go elsewhere.
//
// The root is evaluated first, which does not count as a simulation. Every leaf is expanded when its evaluation
// arrives, in the order of the priors.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "search/tree_search.hpp"

namespace tesuji {

// start(), then for each row simulate() and, if a leaf waits, resume(). Not thread-safe, except cancel().
class NetworkSearch : public TreeSearch {
 public:
  NetworkSearch(const NetworkOptions& options, Hooks hooks) : TreeSearch(options, std::move(hooks)) {}

  // With `reuse`, the matching subtree of the previous search is kept. The time limit and the monitor apply to the work
  // before the first simulation; both are optional.
  void start(const State& root, bool reuse, const Budget& budget = {}, SearchMonitor* monitor = nullptr);
  // Whether the searches to come probe all moves of the root first. Otherwise they begin sooner: the prover is only
  // asked which moves hold against the opponent's threat.
  void probe_root_moves(bool probe) { probe_root_moves_ = probe; }
  enum class LeafStatus {
    waiting,  // for the network
    counted,  // the simulation ended where the result is exact
    blocked,  // another simulation waits at the same leaf
  };
  // `position`: the root move to descend into; by default the selection formula chooses. `keep_collision`: a blocked
  // simulation keeps its visits until undo_collisions().
  LeafStatus simulate(int row, std::uint32_t position = Tree::no_position, bool keep_collision = false);
  void undo_collisions();
  // The waiting position of a row.
  const State& leaf(int row) const { return *workers_[row]->state; }
  // Completes a row's simulation with the leaf's priors and its value for the side to move.
  void resume(int row, const MoveOrdering& priors, double value);

  // Once the root is evaluated: searches for a forced win with the game's prover, in a share of the budget.
  void prove_root(SearchMonitor& monitor, const Budget& budget) {
    prove_root_win(monitor, prover_share(budget.seconds, budget.iterations * playouts_per_evaluation));
  }
  // The same without limits, but only if a quick probe finds a win.
  void probe_root_win();
  // Short searches of the prover, with an effort in playouts: for a win at the root, and for the opponent's win after a
  // move, which is lost then. The second returns whether there is one.
  void prove_root_shortly(std::uint64_t effort);
  bool refute_shortly(Move move, std::uint64_t effort);
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
  bool root_evaluated() const { return root_node().edges.load(acquire) != no_index; }
  void root_moves(std::vector<RootMove>& moves) const;
  RootMove root_move(std::uint32_t position) const;
  // Replaces the priors of the root moves. Changes their positions.
  void set_root_priors(const std::vector<float>& priors);
  double root_estimate() const { return root_node().estimate; }
  std::optional<double> root_proven() const;
  std::uint64_t kept_visits() const { return kept_visits_; }
  std::uint64_t simulations() const { return workers_.front()->completed.load(); }
  using TreeSearch::choice;

  const SearchLimits& limits() const { return limits_; }
  // Whether to collect no more leaves. Only asked where Python is called: elsewhere a batch takes little time.
  bool must_stop() const { return limits_.slow() && limits_.stopped(); }
  // Sets the reported stop reason.
  void end(Stop reason) { limits_.stop(reason); }

 private:
  std::vector<std::vector<PathStep>> collisions_;  // paths of kept collisions; those after the count are spare
  std::size_t collision_count_ = 0;
};

}  // namespace tesuji
