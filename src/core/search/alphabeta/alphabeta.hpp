// Alpha-beta, for native and Python games of two players whose scores sum to 1.
//
// Fail-soft negamax (Knuth and Moore 1975) as principal variation search: moves after the first are searched with a
// null window, and again if they are better (Marsland and Campbell 1982; Reinefeld 1983). Iterative deepening (Slate
// and Atkin 1977), and a quiescence search of noisy moves, if the game defines any.
//
// If a threat leaves few replies, the other moves are set aside until all replies lose; a single reply extends the
// depth. Hard proximity sets distant moves aside likewise.
//
// Late quiet moves are searched at reduced depth first (late move reductions), and so are positions for which no move
// is known to be good (internal iterative reductions). On request, positions whose value is far outside the window and
// late quiet moves are not searched at all (futility, move-count pruning). Without all of these the value equals that
// of plain minimax at the same depth.
//
// Proofs: a result is certain if no heuristic value contributes to it. A cutoff is certain if the refuting move's
// result is; otherwise all moves' results must be. Wins and losses are always certain, and certain results hold at any
// depth. In path-dependent games (repetitions) only wins and losses are certain. A tablebase result counts as a
// finished game at the tablebase's distance.
#pragma once

#include <atomic>
#include <chrono>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "base/search_monitor.hpp"
#include "game/knowledge.hpp"
#include "game/state.hpp"
#include "search/alphabeta/options.hpp"
#include "search/alphabeta/ordering.hpp"
#include "search/alphabeta/score.hpp"
#include "search/alphabeta/threads.hpp"
#include "search/alphabeta/transposition.hpp"
#include "search/report.hpp"

namespace tesuji {

// The results of one root move.
struct RootMove {
  Move move = no_move;
  double prior = 0;
  Score score = 0;
  int depth = 0;         // of the score; 0: not searched yet, but known to lose if certain
  bool exact = false;    // otherwise the score is an upper bound
  bool certain = false;  // proven
  std::uint64_t nodes = 0;
  MoveList line;

  std::optional<double> proven() const;
  // Distance from the root to a proven win or loss; an upper bound if the score is not exact.
  std::optional<int> plies() const;
};

class AlphaBeta {
 public:
  // Uses all hooks but playout_policy and exploration.
  AlphaBeta(const AlphaBetaOptions& options, Hooks hooks);
  ~AlphaBeta();

  Report search(const State& root, const AlphaBetaBudget& budget, SearchMonitor& monitor);
  // The results so far; may be called from SearchMonitor::poll().
  Report report() const;
  // Stops a running search soon; may be called from any thread.
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  // Discards the tables and restarts the random numbers from the seed.
  void reset();

 private:
  using Clock = std::chrono::steady_clock;
  // The limits are checked after so many nodes, and less if those take longer than about a millisecond.
  static constexpr std::uint64_t first_check = 64;
  static constexpr std::uint64_t nodes_between_checks = 1024;

  // One ply of the search stack, with reusable buffers.
  struct Frame {
    explicit Frame(std::unique_ptr<State> position) : state(std::move(position)), support(state->alphabeta_support()) {}

    std::unique_ptr<State> state;
    const AlphaBetaSupport* support;  // of the state; may be null
    MoveList moves;
    MoveList noisy;
    std::vector<float> weights;
    std::vector<std::int32_t> logits;  // of the learned move ordering
    MoveOrder order;
    std::uint32_t best_quiet = 0;  // the highest rank by logits
    MoveList set_aside;            // moves that are searched only if all others lose
    ThreatReplies threat;
    bool threatened = false;  // the threat's replies come first
    bool only_near = false;   // the other moves are known to lose immediately
    Killers killers;
    MoveList line;  // principal variation
  };
  // A score for the side to move, and whether it is proven.
  struct Result {
    Score score;
    bool certain;
    Result operator-() const { return {-score, certain}; }
  };
  struct Interrupted {};  // thrown to leave the search

  // See prune().
  struct Pruning {
    std::optional<Result> result;
    bool quiet = true;             // quiet moves are searched,
    std::size_t most = all_moves;  // if they are among the first
    static constexpr std::size_t all_moves = std::numeric_limits<std::size_t>::max();
  };
  // The result of playing a move.
  struct Step {
    bool ended;       // terminal, or in the tablebase
    bool same_mover;  // the same player moves again
    Result result;    // if ended, for the player who moved
  };

  // alphabeta.cpp: the recursive search.
  Result search_position(int ply, int depth, Score alpha, Score beta);
  Result search_move(int ply, const Step& step, int depth, Score alpha, Score beta, bool first, int reduction);
  int reduction_of(const Frame& frame, std::size_t place, int depth, Score alpha) const;
  int extension_of(int ply, int depth) const;
  Pruning prune(int ply, int depth, Score alpha, Score beta);
  Result leaf(int ply, Score alpha, Score beta);
  Result quiesce(int ply, int left, Score alpha, Score beta);
  Score evaluate(const State& state) const;
  Step play(int ply, Move move, int mover);
  void set_line(int ply, Move move);
  // 0 without a table or hashes.
  std::uint64_t hash_of(const Frame& frame) const;
  void store(std::uint64_t hash, int ply, TableData known);

  // ordering.cpp: moves and their order.
  void list_moves(int ply);
  void find_threats(int ply);
  bool respond(Frame& frame) const;
  void begin_with(int ply, Move move);
  template <typename Away>
  static void set_aside(Frame& frame, Away&& away, Move table_move);
  void order_moves(int ply, int depth, int mover, Move table_move);
  std::uint32_t merits_of(const Frame& frame, std::size_t index, int mover) const;
  static void bring_back(Frame& frame);
  void update_killers_and_history(int ply, std::size_t place, int depth, int mover);

  // root.cpp: the root, iterative deepening, limits, the report.
  void prepare(const State& root);
  void prepare_table();
  void make_frames(int count);
  bool prove_win();
  void deepen();
  void search_root(int depth);
  bool search_root_moves(int depth, std::size_t lines, Score floor);
  Result search_root_move(RootMove& move, int depth, Score alpha, bool first);
  void extend_line(MoveList& line);
  void conclude(int depth, bool all_certain);
  void count_node() {
    if (++nodes_ >= next_check_) check_limits();
  }
  void check_limits();
  std::uint64_t most_between_checks() const { return slow_ ? 1 : nodes_between_checks; }
  [[noreturn]] void interrupt(Stop reason);
  std::uint64_t total_nodes() const { return nodes_ + (team_ != nullptr ? team_->helper_nodes.load(relaxed) : 0); }

  // threads.cpp: helper threads.
  AlphaBeta(const AlphaBeta& main, int number);
  void deepen_with_helpers(const State& root);
  void help(const State& root);
  void publish_nodes();
  void check_as_helper();

  AlphaBetaOptions options_;
  const Hooks hooks_;
  std::unique_ptr<Prover::Session> prover_;  // keeps its tables

  std::shared_ptr<TranspositionTable> table_;
  Random random_;
  std::vector<Frame> frames_;
  History history_;
  std::vector<RootMove> root_moves_;
  std::vector<RootMove> set_aside_;  // by hard proximity, until all others lose
  std::optional<double> proven_;     // by the last completed iteration
  bool finished_ = false;            // proven, and no shorter win or longer defence is possible
  int depth_ = 0;                    // of the last completed iteration

  std::shared_ptr<AlphaBetaTeam> team_;  // null with one thread
  bool helper_ = false;                  // of another search
  std::uint64_t published_nodes_ = 0;    // of a helper, in team_->helper_nodes

  AlphaBetaBudget budget_;
  Clock::time_point began_;
  Clock::time_point last_poll_;
  Clock::time_point last_check_;
  SearchMonitor* monitor_ = nullptr;
  bool slow_ = false;             // Python is called: check limits at every node, store leaves in the table
  bool scores_moves_ = false;     // the move ordering gives logits
  bool has_noisy_moves_ = false;  // the game defines noisy moves
  bool quiesces_ = false;         // quiescence search is on
  bool path_dependent_ = false;
  PositionCache* cache_ = nullptr;  // of the running search's game; may be null
  std::size_t cache_limit_ = 0;     // for the game's caches
  std::size_t cache_bytes_ = 0;     // of the game's caches, after the last search
  bool memory_full_ = false;        // caching has stopped
  std::uint64_t nodes_ = 0;
  std::uint64_t next_check_ = 0;
  std::uint64_t nodes_to_check_ = 0;
  Stop stop_ = Stop::none;
  std::atomic<bool> cancelled_{false};
};

}  // namespace tesuji
