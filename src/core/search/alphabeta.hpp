// Alpha-beta, for native and Python games of two players whose scores add up to one.
//
// Negamax with fail-soft windows (Knuth and Moore 1975), as principal variation search: after the first move the
// others are only asked whether they are better, with a window of width one, and searched again where they are
// (Marsland and Campbell 1982; Reinefeld 1983). Iterative deepening (Slate and Atkin 1977) makes each depth's best
// moves the next depth's first ones. Past the last ply, quiescence goes on with noisy moves where the game names any.
//
// Where a threat leaves few answers, the other moves are set aside until all answers lose; a single answer costs no
// depth. Distant moves are set aside likewise (proximity).
//
// Late quiet moves are first looked at less deeply (late move reductions). Without that nothing is pruned on suspicion:
// at equal depth the value is that of plain minimax.
//
// Proofs. A result is certain when no value of an unfinished position is in it: a refutation when the refuting move's
// result is certain, otherwise when every move's is. Wins and losses are certain by their score alone. What is certain
// holds at any depth. Where the past counts (repetitions), only wins and losses are. What a tablebase knows counts as
// an ended game, as many plies away as the tablebase says.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "game/knowledge.hpp"
#include "game/state.hpp"
#include "search/alphabeta_options.hpp"
#include "search/host.hpp"
#include "search/ordering.hpp"
#include "search/score.hpp"
#include "search/transposition.hpp"

namespace tesuji {

enum class AlphaBetaStop { none, depth, nodes, seconds, proven, cancelled };

// A move of the root as the search knows it.
struct RootMove {
  Move move = no_move;
  double prior = 0;
  Score score = 0;
  int depth = 0;         // of the search that gave the score; 0: none yet
  bool exact = false;    // otherwise the score is an upper bound
  bool certain = false;  // and true of the game itself
  std::uint64_t nodes = 0;
  MoveList line;

  std::optional<double> proven() const;
  // To the end of the game from the root, where the move is proven to win or lose; where it is not exact, at most.
  std::optional<int> plies() const;
};

struct AlphaBetaReport {
  std::vector<RootMove> moves;  // best first
  std::optional<double> proven;
  std::optional<int> plies;  // to the end, where it is a win or a loss
  int depth = 0;             // searched completely
  std::uint64_t nodes = 0;
  std::uint64_t bytes = 0;
  bool memory_full = false;  // the game keeps no more positions
  double seconds = 0;
  AlphaBetaStop stop = AlphaBetaStop::none;
};

class AlphaBeta {
 public:
  // Of the hooks it uses all but playout_policy and exploration.
  AlphaBeta(const AlphaBetaOptions& options, Hooks hooks);
  ~AlphaBeta();

  AlphaBetaReport search(const State& root, const AlphaBetaBudget& budget, Host& host);
  // What is known now; may be called from Host::poll().
  AlphaBetaReport report() const;
  // Ends a running search soon; from any thread.
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  // Drops the table and what the prover has learned, and begins the seed's random numbers again: as new.
  void forget();

 private:
  using Clock = std::chrono::steady_clock;

  // One ply of the line that is being looked at; the buffers keep their memory.
  struct Frame {
    std::unique_ptr<State> state;
    MoveList moves;
    MoveList noisy;
    std::vector<float> weights;
    MoveOrder order;
    std::size_t near = 0;  // the moves after these were set aside
    Threat threat;
    bool only_near = false;  // for good: the others are known to lose at once
    Killers killers;
    MoveList line;  // what is expected from here
  };
  // A score for the side to move, and whether it is true of the game itself.
  struct Result {
    Score score;
    bool certain;
    Result operator-() const { return {-score, certain}; }
  };
  struct Interrupted {};  // thrown to leave the search from any depth
  class Batch;

  // What a move led to.
  struct Step {
    bool ended;       // the game is over, or how it ends is known
    bool same_mover;  // the player who made it moves again
    Result result;    // where it has ended, for that player
  };

  // alphabeta.cpp: positions.
  Result search_position(int ply, int depth, Score alpha, Score beta);
  Result search_move(int ply, const Step& step, int depth, Score alpha, Score beta, bool first, int reduction);
  int reduction_of(const MoveOrder& order, std::size_t place, int depth, Score alpha) const;
  int extension_of(int ply, int depth) const;
  Result leaf(int ply, Score alpha, Score beta);
  Result quiesce(int ply, int left, Score alpha, Score beta);
  Score judge(const State& state) const;
  Step play(int ply, Move move, int mover);
  void list_moves(int ply);
  bool respond(Frame& frame) const;
  void order_moves(int ply, int depth, int mover, Move table_move);
  void note_refutation(int ply, std::size_t place, int depth, int mover);
  void set_line(int ply, Move move);
  // 0: there is no table, or the game has no hashes.
  std::uint64_t hash_of(const State& state) const;
  void remember(std::uint64_t hash, int ply, Knowing known);

  // alphabeta_root.cpp: the course of a search.
  void prepare(const State& root);
  void make_frames(int count);
  bool prove_win();
  void deepen();
  void search_root(int depth);
  Result search_root_move(RootMove& move, int depth, Score alpha, bool first);
  void extend_line(MoveList& line);
  void conclude(int depth, bool all_certain);
  void count_node() {
    if (++nodes_ >= next_look_) look_around();
  }
  void look_around();
  [[noreturn]] void interrupt(AlphaBetaStop reason);

  AlphaBetaOptions options_;
  std::shared_ptr<const Value> value_;
  std::shared_ptr<const MoveOrdering> ordering_;
  std::shared_ptr<const ThreatResponse> threats_;
  std::shared_ptr<const Proximity> proximity_;
  std::shared_ptr<const Tablebase> tablebase_;
  std::shared_ptr<const Prover> provers_;
  std::unique_ptr<Prover::Session> prover_;  // with what it has learned

  std::unique_ptr<TranspositionTable> table_;
  Random random_;
  std::vector<Frame> frames_;
  History history_;
  std::vector<RootMove> root_moves_;
  std::vector<RootMove> set_aside_;  // by proximity, until all others lose
  std::optional<double> proven_;     // by the last whole depth
  bool settled_ = false;             // and nothing better can be found
  int depth_ = 0;                    // searched completely

  AlphaBetaBudget budget_;
  Clock::time_point began_;
  Clock::time_point last_poll_;
  Host* host_ = nullptr;
  Batch* batch_ = nullptr;
  bool slow_ = false;         // Python is called: look around at every node, keep leaves in the table
  bool names_noisy_ = false;  // the game does
  bool quiesces_ = false;     // and they are looked at where the depth ends
  bool past_counts_ = false;
  std::size_t kept_memory_ = 0;  // for the positions that the game keeps
  std::size_t kept_bytes_ = 0;   // that it kept in the last search
  bool memory_full_ = false;     // it keeps no more
  std::uint64_t nodes_ = 0;
  std::uint64_t next_look_ = 0;
  AlphaBetaStop stop_ = AlphaBetaStop::none;
  std::atomic<bool> cancelled_{false};
};

}  // namespace tesuji
