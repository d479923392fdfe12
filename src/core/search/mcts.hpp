// Monte-Carlo tree search, for native and Python games alike.
//
// One simulation: copy the root position; walk down, each player choosing by selection.hpp from its own side; at
// a node that has no children yet, estimate the rest by a playout (or by a value at the playout's cut-off); add the
// result to every node on the way. With RAVE the playout's moves count for the nodes above as well. Proven results
// go up as outcomes.hpp says.
//
// The root is expanded before the first simulation and all its moves are looked at for an immediate end. So every
// simulation goes through a child of the root, a win in one is never missed, and the children's visits add up to the
// root's.
//
// Where nature moves, an outcome is drawn by its probability. Where something is hidden, each simulation imagines what
// it may be: hidden.cpp.
//
// Threads share the tree. A visit is counted on the way down and its score on the way back, which makes a path look
// bad while another thread is on it (virtual loss).
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/ranking.hpp"
#include "game/knowledge.hpp"
#include "game/state.hpp"
#include "search/host.hpp"
#include "search/options.hpp"
#include "search/outcomes.hpp"
#include "search/report.hpp"
#include "search/selection.hpp"
#include "search/tree.hpp"

namespace tesuji {

class Mcts {
 public:
  Mcts(const SearchOptions& options, Hooks hooks);
  ~Mcts();

  // Searches from this position. With `reuse`, what an earlier search knows of it is kept.
  Report search(const State& root, const Budget& budget, Host& host, bool reuse);
  // What is known now; may be called from Host::poll().
  Report report() const;
  // Ends a running search soon; from any thread.
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  // Drops the tree.
  void forget();
  // Drops all that has been learned: as new.
  void reset();

  // Step by step, for whoever evaluates leaves outside and many at once (options.leaves > 0): start(), and then for
  // each of the `leaves` slots in turn descend() and, where a leaf waits, resume(). One thread at a time; see
  // stepwise.cpp.
  enum class Descent {
    waits,    // at a leaf
    counted,  // a simulation that ended where the result is certain
    blocked,  // the leaf waits in another slot already
  };
  // The budget's seconds, and the host, are for what precedes the first simulation; both may be left out.
  void start(const State& root, bool reuse, const Budget& budget = {}, Host* host = nullptr);
  // `position`: among the root's moves, where the caller chooses; otherwise the selection does.
  Descent descend(int slot, std::uint32_t position = Tree::no_position);
  // The position that waits in a slot.
  const State& leaf(int slot) const { return *workers_[slot]->state; }
  // With the priors of the leaf's moves, and its value for the player who acts there.
  void resume(int slot, const MoveOrdering& priors, double value);
  // Once the root is known: whether the game's own prover finds a win, in a part of so many seconds (0: no limit).
  void prove_root_win(Host& host, double seconds);
  // The same, but only where the prover sees a win at once.
  void prove_root_win_in_sight();

  // What is known of the root's moves, in the order of their positions; nothing before its evaluation.
  struct RootMove {
    Move move;
    float prior;
    bool set_aside;  // until all others lose
    std::uint32_t visits = 0;
    double value = 0;  // mean, for the player who acts at the root; exact where proven
    std::optional<double> proven = std::nullopt;
  };
  bool root_known() const { return tree_->node(root_).family.load(std::memory_order_acquire) != no_index; }
  void root_moves(std::vector<RootMove>& moves) const;
  RootMove root_move(std::uint32_t position) const;
  // Other priors for them, beside the list. Their positions change.
  void set_root_priors(const std::vector<float>& priors);
  double root_estimate() const { return tree_->node(root_).estimate; }
  std::optional<double> root_proven() const;
  std::uint64_t kept_visits() const { return kept_visits_; }
  std::uint64_t simulations() const { return workers_.front()->completed.load(); }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
  // What the report is to say of the search's end.
  void end(Stop reason) { stop(reason); }
  // The move that the search would play.
  Move choice() const { return root_win_ ? root_win_->line.front() : tree_->node(best_child(tree_->node(root_))).move; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr auto poll_interval = std::chrono::milliseconds(5);

  // All-moves-as-first statistics of a (move, player) over the whole search.
  struct GlobalAmaf {
    std::atomic<std::uint64_t> visits{0};
    std::atomic<std::uint64_t> score_sum{0};
    double mean() const {
      return static_cast<double>(score_sum.load()) / score_scale / static_cast<double>(visits.load());
    }
  };

  // What one thread needs for its simulations; the buffers keep their memory.
  struct alignas(128) Worker {
    Worker(const State& root, std::uint64_t seed, std::uint64_t stream)
        : state(root.clone()), scratch(root.clone()), random(seed, stream) {
      // Large from the start, so that no two workers' buffers share a cache line.
      path.reserve(buffer_size);
      moves.reserve(buffer_size);
      scores.resize(buffer_size);
      trace.reserve(buffer_size);
    }
    static constexpr std::size_t buffer_size = 512;

    std::unique_ptr<State> state;
    std::unique_ptr<State> scratch;
    Prover::Session* prover = nullptr;
    Random random;
    Tree::Allocator allocator;
    std::uint64_t claimed = 0;                // simulations of the budget that are this worker's to make
    std::atomic<std::uint64_t> completed{0};  // by this worker in this search
    // The way down: each node, and where in its parent's family it stands.
    struct Step {
      Index node;
      Index family;
      std::uint32_t position;
      Outcome instead;  // of the proven move that was best here, while this one was looked into
    };
    std::vector<Step> path;
    std::uint32_t root_position = Tree::no_position;  // the root's child to go to, where the caller says which
    // Visits of busy nodes, one for each depth, that the tree has not been told yet.
    struct Pending {
      Step step{no_index, no_index, 0, unproven};
      int chooser = 0;
      std::uint32_t visits = 0;
      std::uint64_t score_sum = 0;
    };
    std::array<Pending, 32> pending;
    Trace trace;
    MoveList moves;
    std::vector<float> weights;
    std::vector<float> nearness;
    Ranking ranking;
    MoveList unordered;
    Threat threat;
    // When each (player, move), chance first, was last played, on a clock that counts moves over all simulations.
    std::vector<std::uint32_t> stamps;
    std::uint32_t clock = 1;
    std::vector<std::int32_t> scores;
    std::vector<float> means;
    // Where moves of a family stand, while a simulation with hidden information chooses among them.
    std::vector<std::uint32_t> places;
    MoveList legal;
    std::vector<float> added_weights;
  };

  void prepare_root(const State& root, bool reuse);
  void move_to_new_tree(Index kept);
  void watch_memory();
  Index find_descendant(const State& wanted);
  Index find_below(Index index, const State& wanted, std::size_t depth, std::unique_ptr<State>* path, int& looks);
  void grow_global_amaf();
  void look_at_root_moves(Worker& worker);
  bool may_look_on(std::uint32_t looks);
  void count_root_samples();
  void run(Worker& worker, Host& host, bool calling_thread);
  bool within_budget(Worker& worker);
  void stop(Stop reason);
  bool out_of_time() const;
  bool stopped() const;

  std::uint64_t root_visits(const Worker& worker) const;
  bool simulate(Worker& worker);
  // Where a way down ends.
  enum class Way {
    certain,  // where the result is certain
    leaf,     // at a node that has to be evaluated
    blocked,  // at the root: another thread is taking the next move, and no other has been tried
  };
  Way descend(Worker& worker, Scores& result);
  bool arrive(Worker& worker, Node& node, Scores& result, bool ask_prover);
  bool know(Node& node, int player, const Known& known, Scores& result);
  Index expand(Worker& worker, Node& node, bool whole_table, const MoveOrdering* ordering);
  std::uint32_t put_in_order(Worker& worker, const MoveOrdering* ordering);
  std::uint32_t draw(Worker& worker, const Family& family) const;
  std::uint32_t put_near_first(Worker& worker);
  std::uint32_t put_threats_first(Worker& worker, std::uint32_t near);
  static std::uint32_t put_first(Worker& worker, const MoveList& chosen, std::uint32_t placed);
  bool find_own_wins(Worker& worker, MoveList& wins) const;
  std::uint32_t select(Worker& worker, const Node& node, Family& family, std::uint32_t visits, Outcome& instead);
  std::uint32_t best_unproven(const Worker& worker, const Family& family, int mover, std::uint32_t count) const;
  const float* global_means(Worker& worker, const Family& family, int mover, std::uint32_t count) const;
  void refresh(Index family, std::uint32_t position, Index child, int mover);
  std::uint32_t count_visit(Worker& worker, const Worker::Step& step, int chooser);
  bool is_pending(const Worker& worker, std::size_t depth) const;
  void tell(Worker::Pending& pending);
  bool evaluate(Worker& worker, Scores& result);
  void back_up(Worker& worker, const Scores& result);
  void learn_amaf(Worker& worker, const Scores& result);
  bool prove(Index index);
  void abandon(Worker& worker);

  void imagine(Worker& worker);
  Way descend_hidden(Worker& worker, Scores& result);
  Index list_available(Worker& worker, Index at, int mover);
  std::uint32_t select_available(Worker& worker, const Family& family, int mover) const;

  Candidate describe(const Family& family, std::uint32_t position, int mover) const;
  void follow_line(Index from, MoveList& line) const;
  Index best_child(const Node& node) const;
  void prefer_answer(Report& report) const;
  void ask_tablebase(Report& report) const;
  void show_root_win(Report& report) const;

  SearchOptions options_;
  Hooks hooks_;
  SelectionRule rule_;
  bool hidden_ = false;           // the game hides something: see hidden.cpp
  bool keeps_positions_ = false;  // the game does, and they count against the memory
  bool solver_ = true;            // as the options say, where nothing is hidden

  std::unique_ptr<Tree> tree_;
  std::unique_ptr<Outcomes> outcomes_;
  std::unique_ptr<State> root_state_;
  Index root_ = no_index;
  std::uint64_t kept_visits_ = 0;   // of the root, from earlier searches
  std::uint64_t root_samples_ = 0;  // in the root's all-moves-as-first sums when the search began, at most
  std::uint32_t waiting_ = 0;       // simulations that wait at a leaf
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<std::unique_ptr<Prover::Session>> provers_;  // one a worker, with what they have learned
  std::optional<Prover::Win> root_win_;
  Threat root_threat_;                  // as the hook sees the position to search
  std::deque<GlobalAmaf> global_amaf_;  // by move, then player; a Python game's moves make it grow

  Budget budget_;
  Clock::time_point began_;
  Clock::time_point last_poll_;  // while the root's moves are looked at
  Host* host_ = nullptr;         // of the search that is running; none where the caller polls
  bool slow_ = false;            // Python is called: the clock is read after each move that is looked at
  // On cache lines of their own: all threads read the flags all the time, and write the count now and then.
  alignas(64) std::atomic<std::uint64_t> claimed_{0};
  alignas(64) std::atomic<Stop> stop_{Stop::none};
  std::atomic<bool> cancelled_{false};
  std::exception_ptr error_;
  std::mutex error_mutex_;
};

}  // namespace tesuji
