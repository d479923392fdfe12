// Monte-Carlo tree search: what the search with playouts (playout_search.hpp) and the one with a network
// (network_search.hpp) share.
//
// A simulation copies the root position, descends by the selection formula (selection.hpp) to a leaf, evaluates it, and
// backs the result up. Proven results are backed up by the rules of outcomes.hpp. Chance nodes sample an outcome.
//
// The root is expanded, and its moves are checked for immediate ends of the game, before the first simulation. So every
// simulation passes through a child of the root, a win in one is never missed, and the children's visits sum to the
// root's.
//
// Threads share the tree. Visits are counted during the descent and scores during backup, so that a path looks worse
// while another thread is on it (virtual loss). With several threads, the updates of busy nodes are written in batches
// (worker.hpp).
//
// The sections of the class below follow a simulation; each names its file.
#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/search_monitor.hpp"
#include "game/knowledge.hpp"
#include "game/state.hpp"
#include "search/limits.hpp"
#include "search/options.hpp"
#include "search/report.hpp"
#include "search/selection.hpp"
#include "search/tree/outcomes.hpp"
#include "search/tree/tree.hpp"
#include "search/worker.hpp"

namespace tesuji {

class TreeSearch {
 public:
  // The results so far; may be called from SearchMonitor::poll().
  Report report() const;
  // Stops a running search soon; may be called from any thread.
  void cancel() { limits_.cancel(); }
  // Discards the tree.
  void forget();
  // Discards the tree and the provers' tables.
  void reset();

 protected:
  TreeSearch(const PlayoutOptions& options, Hooks hooks);
  TreeSearch(const NetworkOptions& options, Hooks hooks);

  // root.cpp: before the first simulation.

  // Makes this position the root. With `reuse`, the matching subtree of the previous search is kept.
  void prepare_root(const State& state, bool reuse);
  void make_workers();
  void rebuild_tree(Index kept);
  // The node of a position at most one round of moves below the root, or 0.
  Index find_descendant(const State& wanted) const;
  // Creates all children of the expanded root, looks up threats and immediate results, and sets kept_visits_ to the sum
  // of the children's visits. Moves for which there is no time are probed at their first visit.
  void probe_moves(Worker& worker);
  bool may_probe(std::uint32_t probes);

  // descent.cpp: from the root to a leaf.

  enum class DescentEnd {
    exact,    // at a terminal or proven node
    leaf,     // at a node that has to be evaluated
    blocked,  // at the root: another thread is adding the next child, and there is no other
  };
  // Sets worker.path, worker.trace and worker.state, and `result` if exact. Never waits: if blocked, nothing has been
  // counted, and the caller checks its limits and retries.
  DescentEnd descend(Worker& worker, Scores& result);
  std::uint32_t select(Worker& worker, const Node& node, Edges& edges, std::uint32_t visits, Outcome& proven_best);
  std::uint32_t try_next(Worker& worker, Edges& edges, int mover);
  std::uint32_t sample_chance_move(Worker& worker, const Edges& edges);

  // information_set.cpp: the descent in a game with hidden information.

  // Makes worker.state a random state that the side to move cannot tell from the real one.
  void determinize(Worker& worker) const;
  // As descend(); node.player is the side to move in this simulation.
  DescentEnd descend_hidden(Worker& worker, Scores& result);
  Index list_available_moves(Worker& worker, Index at, int mover);
  std::uint32_t select_available(Worker& worker, const Edges& edges, int mover);

  // expansion.cpp: new nodes.

  // At the first visit of the position in worker.state: sets the side to move, or the exact result. Returns true if the
  // result is exact.
  bool initialize(Worker& worker, Node& node, Scores& result, bool ask_prover);
  bool set_exact_result(Node& node, int player, const ExactResult& known, Scores& result);
  // Lists and orders the moves of the position in worker.state. Returns the node's edges, or 0 if out of memory or
  // another thread is expanding it.
  Index expand(Worker& worker, Node& node, bool whole_table, const MoveOrdering* ordering);
  // Orders worker.moves by the hooks and sets their priors (worker.weights); returns how many may be tried for now.
  // Without `ordering` the order is random.
  std::uint32_t order_moves(Worker& worker, const MoveOrdering* ordering, bool at_root) const;
  std::uint32_t order_by_proximity(Worker& worker) const;
  std::uint32_t order_threat_replies_first(Worker& worker, std::uint32_t near) const;
  bool find_immediate_wins(Worker& worker, MoveList& wins) const;

  // proofs.cpp: the MCTS solver (Winands, Björnsson and Saito 2008), and the game's prover.

  // Tries to prove a node from its children; returns true if it is newly proven.
  bool prove(Index index);
  // Proves as many nodes of a path as the last one decides, upwards.
  void prove_path(const Worker& worker);
  // Whether a child is proven or inferior, so that it need not be visited.
  bool settled(const Node& child, int mover) const;
  // After SelectionFormula::best(): the best unproven child, by the scores computed there.
  std::uint32_t best_unproven(const Worker& worker, const Edges& edges, int mover, std::uint32_t count) const;

  // The prover searches at the root and at busy nodes; the busier a node becomes, the harder it may search again. A
  // position can be decided, moves can be lost, and moves can be inferior: no better than another move, so that the
  // node is decided without them. Lost moves are proven; inferior ones are marked, and selection passes them over.

  // Decides after how many visits that is, from the prover and the options.
  void begin_proof_searches();
  // Whether a node has become busy; asked at every step of every descent.
  bool proof_search_due(const Node& node, std::uint32_t visits) const {
    return visits >= proof_search_at_[node.marks.load(relaxed) & mark::proof_searches];
  }
  // At the expanded node of the position in worker.state. Returns true if it is proven, and sets the result.
  bool search_proof(Worker& worker, Index index, std::uint32_t visits, Scores& result);
  // At the root: returns a win. In a lost position no other node is searched, so that the search finds the best
  // resistance.
  std::optional<Prover::Win> search_root_proof();
  double evaluations(std::uint32_t visits) const;
  void mark_moves(Worker& worker, const Node& node, const Prover::Findings& found);
  void mark_losing_moves(Worker& worker);
  void mark_root_move(Move move, double score);
  // Searches for a forced win at the root, in a share of the search's budget (0: no limit), and marks its first move as
  // proven.
  void prove_root_win(SearchMonitor& monitor, const ProverBudget& share);
  // Asks the prover whether the opponent wins after this move, once in a search; if so, the move is marked as lost.
  void verify(Move move, SearchMonitor& monitor, const ProverBudget& budget);

  // statistics.cpp: visits and scores.

  // Updates a child's entry in its parent's table.
  void refresh(Index edges, std::uint32_t position, Index child, int mover);
  // Counts a visit during the descent; returns the node's visits.
  std::uint32_t count_visit(Worker& worker, PathStep& step, int chooser);
  std::uint64_t first_virtual_value(const Worker& worker, const PathStep& step) const;
  // Adds the result of a simulation to the nodes of its path.
  void back_up(Worker& worker, const Scores& result);
  // Takes back the visits of a simulation without a result.
  void undo(Worker& worker, const std::vector<PathStep>& path);
  // Writes what a worker has pending.
  void flush(Worker& worker);
  void flush(PendingVisits& pending);

  // rave.cpp: all-moves-as-first (AMAF) statistics, keyed by (player, move), per node or for the whole search (Gelly
  // and Silver 2011).

  // Statistics of a (move, player) pair over the whole search.
  struct GlobalAmaf {
    std::atomic<std::uint64_t> visits{0};
    std::atomic<std::uint64_t> score_sum{0};
    double mean() const {
      return static_cast<double>(score_sum.load()) / score_scale / static_cast<double>(visits.load());
    }
  };
  // Before the first simulation, once the root is expanded and its kept visits are counted.
  void begin_amaf();
  void grow_global_amaf();
  // Null without samples.
  const GlobalAmaf* global_amaf(Move move, int player) const {
    const std::size_t place = move * static_cast<std::size_t>(outcomes_->players()) + static_cast<std::size_t>(player);
    const bool known = place < global_amaf_.size() && global_amaf_[place].visits.load(relaxed) > 0;
    return known ? &global_amaf_[place] : nullptr;
  }
  // With rave=global: the means of a node's first `count` moves, in worker.means.
  const float* global_means(Worker& worker, const Edges& edges, int mover, std::uint32_t count) const;
  void learn_amaf(Worker& worker, const Scores& result);
  void learn_global_amaf(const Worker& worker, const Scores& result);
  void learn_amaf_along_path(Worker& worker, const Scores& result);
  PendingSamples* pending_samples(Worker& worker, Index edges, std::uint32_t moves, std::uint64_t visits);
  void flush(PendingSamples& pending);

  // report.cpp: candidates, the move to play, principal variations.

  // The move to play.
  Move choice() const;
  Candidate describe(const Edges& edges, std::uint32_t position, int mover) const;
  void extend_line(Index from, MoveList& line) const;
  Index best_child(const Node& node) const;
  void prefer_longest_defence(Report& report) const;
  void apply_tablebase(Report& report) const;
  void apply_root_win(Report& report) const;

  Node& root_node() { return tree_->node(root_); }
  const Node& root_node() const { return std::as_const(*tree_).node(root_); }
  // The root's visits, estimated from this worker's share: exact with one thread, and no shared counter with many.
  std::uint64_t root_visits(const Worker& worker) const {
    if (batch_size_ > 0) return kept_visits_ + workers_.front()->completed.load(relaxed) + waiting_;
    return kept_visits_ + worker.completed.load(relaxed) * static_cast<std::uint64_t>(threads_);
  }
  // Stops growing when the tree and the game's cache have used up the memory. Only Python games have caches that count,
  // and they are searched by one thread.
  void check_memory();

  // When the threat response is asked. Where a network orders the moves, it only chooses among lost ones.
  enum class Threats { not_asked, at_root, at_every_node };

  const TreeOptions options_;
  const SelectionFormula formula_;
  const Hooks hooks_;
  const int threads_;
  const int batch_size_;  // simulations that may wait for the network at once; 0: leaves are evaluated by playouts
  const int evaluations_at_once_;
  const std::uint32_t expand_after_;
  const Threats threats_;
  SearchLimits limits_;

  // The current search.
  bool hidden_ = false;  // the game has hidden information
  bool solver_ = true;   // back up proofs; off for hidden information
  std::unique_ptr<Tree> tree_;
  std::unique_ptr<Outcomes> outcomes_;
  std::unique_ptr<State> root_state_;
  Index root_ = no_index;
  PositionCache* counted_cache_ = nullptr;  // the game's, if it counts against the memory
  bool probe_root_moves_ = true;            // before the first simulation, otherwise at their first visits
  std::uint64_t kept_visits_ = 0;           // of the root, from earlier searches
  std::uint32_t waiting_ = 0;               // simulations that wait for the network
  std::vector<std::unique_ptr<Worker>> workers_;

  // The prover.
  static constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::unique_ptr<Prover::Session>> provers_;  // one per thread; they keep their tables
  // Visits of a node before its next proof search, by the number of those it has had.
  std::array<std::uint32_t, mark::proof_searches + 1> proof_search_at_;
  ThreatReplies threat_;            // at the root
  std::optional<Prover::Win> win_;  // at the root
  MoveList verified_;
  SearchLimits::Clock::time_point last_poll_;

  // RAVE.
  std::uint64_t root_samples_ = 0;      // upper bound of the root's samples when the search began
  std::deque<GlobalAmaf> global_amaf_;  // by move, then player; grows with a Python game's moves
};

}  // namespace tesuji
