// Monte-Carlo tree search, for native and Python games alike.
//
// A simulation copies the root position, descends by the selection rule (selection.hpp) to a leaf, evaluates it by a
// playout (or by the value hook where the playout is cut off), and backs the result up. With RAVE the moves of the
// playout update the nodes above, too. Proven results are backed up by the rules of outcomes.hpp.
//
// The root is expanded, and its moves are checked for immediate ends of the game, before the first simulation. So every
// simulation passes through a child of the root, a win in one is never missed, and the children's visits sum to the
// root's.
//
// Chance nodes sample an outcome. Games with hidden information: information_set.cpp.
//
// Threads share the tree. Visits are counted during the descent and scores during backup, so that a path looks worse
// while another thread is on it (virtual loss).
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/search_monitor.hpp"
#include "game/knowledge.hpp"
#include "game/state.hpp"
#include "search/move_orderer.hpp"
#include "search/options.hpp"
#include "search/outcomes.hpp"
#include "search/report.hpp"
#include "search/report_builder.hpp"
#include "search/selection.hpp"
#include "search/tree.hpp"
#include "search/worker.hpp"

namespace tesuji {

class Mcts {
 public:
  Mcts(const SearchOptions& options, Hooks hooks);
  ~Mcts();

  // Searches this position. With `reuse`, the matching subtree of the previous search is kept.
  Report search(const State& root, const Budget& budget, SearchMonitor& monitor, bool reuse);
  // The results so far; may be called from SearchMonitor::poll().
  Report report() const;
  // Stops a running search soon; may be called from any thread.
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  // Discards the tree.
  void forget();
  // Discards the tree and the provers' tables.
  void reset();

  // Asynchronous evaluation (options.leaves > 0), for callers that evaluate leaves in batches: start(), then for each
  // of the `leaves` slots descend() and, if a leaf is pending, resume(). Not thread-safe; see async_evaluation.cpp.
  enum class LeafStatus {
    pending,  // the simulation waits at a leaf
    counted,  // the simulation ended where the result is exact
    blocked,  // another slot is waiting at the same leaf
  };
  // The time limit and the monitor apply to the work before the first simulation; both are optional.
  void start(const State& root, bool reuse, const Budget& budget = {}, SearchMonitor* monitor = nullptr);
  // `position`: the root move to descend into; by default the selection rule chooses.
  LeafStatus descend(int slot, std::uint32_t position = Tree::no_position);
  // The pending position of a slot.
  const State& leaf(int slot) const { return *workers_[slot]->state; }
  // Completes a slot's simulation with the leaf's priors and its value for the side to move.
  void resume(int slot, const MoveOrdering& priors, double value);
  // Once the root is evaluated: searches for a forced win with the game's prover, in a share of `seconds` (0: no
  // limit).
  void prove_root_win(SearchMonitor& monitor, double seconds);
  // The same, but only if a quick probe finds a win.
  void probe_root_win();

  // Statistics of the root moves, by position; empty before the root is evaluated.
  struct RootMove {
    Move move;
    float prior;
    bool set_aside;  // by an urgent threat or proximity, until all others lose
    std::uint32_t visits = 0;
    double value = 0;  // mean score of the root's side to move; exact if proven
    std::optional<double> proven = std::nullopt;
  };
  bool root_evaluated() const { return tree_->node(root_).edges.load(std::memory_order_acquire) != no_index; }
  void root_moves(std::vector<RootMove>& moves) const;
  RootMove root_move(std::uint32_t position) const;
  // Replaces the priors of the root moves. Changes their positions.
  void set_root_priors(const std::vector<float>& priors);
  double root_estimate() const { return tree_->node(root_).estimate; }
  std::optional<double> root_proven() const;
  std::uint64_t kept_visits() const { return kept_visits_; }
  std::uint64_t simulations() const { return workers_.front()->completed.load(); }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
  // Sets the reported stop reason.
  void end(Stop reason) { stop(reason); }
  // The move to play.
  Move choice() const;

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr auto poll_interval = std::chrono::milliseconds(5);

  // mcts.cpp: control flow.
  void prepare_root(const State& root, bool reuse);
  void rebuild_tree(Index kept);
  Index find_descendant(const State& wanted);
  Index find_below(Index index, const State& wanted, std::size_t depth, std::unique_ptr<State>* path,
                   int& comparisons_left);
  void run(Worker& worker, SearchMonitor& monitor, bool calling_thread);
  bool within_budget(Worker& worker);
  void stop(Stop reason);
  bool out_of_time() const;
  bool stopped() const;
  void check_memory();
  ReportBuilder report_builder() const;

  // root.cpp: before the first simulation.
  void probe_root_moves(Worker& worker);
  bool may_probe(std::uint32_t probes);

  // simulation.cpp: descent, evaluation, backup.
  enum class DescentEnd {
    exact,    // at a terminal or proven node
    leaf,     // at a node that has to be evaluated
    blocked,  // at the root: another thread is adding the next child, and there is no other
  };
  bool simulate(Worker& worker);
  DescentEnd descend(Worker& worker, Scores& result);
  std::uint32_t select(Worker& worker, const Node& node, Edges& edges, std::uint32_t visits, Outcome& proven_best);
  std::uint32_t sample_chance_move(Worker& worker, const Edges& edges) const;
  bool initialize_node(Worker& worker, Node& node, Scores& result, bool ask_prover);
  bool set_exact_result(Node& node, int player, const ExactResult& known, Scores& result);
  bool evaluate(Worker& worker, Scores& result);
  void back_up(Worker& worker, const Scores& result);
  void abandon(Worker& worker);
  void refresh(Index edges, std::uint32_t position, Index child, int mover);
  std::uint64_t root_visits(const Worker& worker) const;
  std::uint32_t count_visit(Worker& worker, const Worker::Step& step, int chooser);
  bool is_pending(const Worker& worker, std::size_t depth) const;
  void flush(Worker::Pending& pending);

  // expansion.cpp
  Index expand(Worker& worker, Node& node, bool whole_table, const MoveOrdering* ordering);

  // solver.cpp: proofs.
  bool prove(Index index);
  std::uint32_t best_unproven(const Worker& worker, const Edges& edges, int mover, std::uint32_t count) const;

  // rave.cpp
  void grow_global_amaf();
  void count_root_samples();
  const float* global_means(Worker& worker, const Edges& edges, int mover, std::uint32_t count) const;
  void learn_amaf(Worker& worker, const Scores& result);

  // information_set.cpp: descent with hidden information.
  void determinize(Worker& worker);
  DescentEnd descend_information_set(Worker& worker, Scores& result);
  Index list_available_moves(Worker& worker, Index at, int mover);
  std::uint32_t select_available(Worker& worker, const Edges& edges, int mover) const;

  SearchOptions options_;
  Hooks hooks_;
  SelectionRule rule_;
  MoveOrderer orderer_;
  bool hidden_ = false;            // the game has hidden information
  bool caches_positions_ = false;  // the game caches positions, which count against the memory
  bool solver_ = true;             // back up proofs; off for hidden information

  std::unique_ptr<Tree> tree_;
  std::unique_ptr<Outcomes> outcomes_;
  std::unique_ptr<State> root_state_;
  Index root_ = no_index;
  std::uint64_t kept_visits_ = 0;   // of the root, from earlier searches
  std::uint64_t root_samples_ = 0;  // upper bound of the root's AMAF samples when the search began
  std::uint32_t waiting_ = 0;       // pending leaves
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<std::unique_ptr<Prover::Session>> provers_;  // one per worker; they keep their tables
  std::optional<Prover::Win> root_win_;
  ThreatReplies root_threat_;           // at the root
  std::deque<GlobalAmaf> global_amaf_;  // by move, then player; grows with a Python game's moves

  Budget budget_;
  Clock::time_point began_;
  Clock::time_point last_poll_;       // while the root moves are probed
  SearchMonitor* monitor_ = nullptr;  // of the running search; null if the caller polls
  bool slow_ = false;                 // Python is called: read the clock after each probe
  // On separate cache lines: all threads read the flags constantly and write the count occasionally.
  alignas(64) std::atomic<std::uint64_t> claimed_{0};
  alignas(64) std::atomic<Stop> stop_{Stop::none};
  std::atomic<bool> cancelled_{false};
  std::exception_ptr error_;
  std::mutex error_mutex_;
};

}  // namespace tesuji
