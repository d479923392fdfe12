// Threat-space search: forced wins with their proofs (Allis, Searching for Solutions in Games and Artificial
// Intelligence, 1994, chapter 5).
//
// VCF, victory by continuous fours: every attacking move makes a four, to which the defender has one reply, until a
// four cannot be stopped (two fives, or renju forbids the reply). VCT, victory by continuous threats: the attacker may
// also threaten to win by fours, for example by an open three, and the proof covers every defence. Both use iterative
// deepening on attacking moves, so that lines are short. A VCT with more moves than open threes takes turns between
// searches with few and with many moves.
//
// Every reported win is proven. The VCF table stores failures only; VCT also stores wins, so its proof is verified by
// replaying it before it is returned.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "game/solver_limits.hpp"
#include "games/gomoku/threats/board.hpp"
#include "games/gomoku/threats/proof_graph.hpp"
#include "games/gomoku/threats/table.hpp"

namespace tesuji::gomoku {

inline constexpr int no_step = -1;

enum class Verdict : std::uint8_t {
  won,      // proven
  none,     // proven that there is no such win
  unknown,  // a limit was reached, or (VCT) not all threats were tried
};
// Which moves without a four a VCT tries. Only after all of them is the verdict `none`.
enum class VctMoves : std::uint8_t {
  threes,  // open threes
  quiet,   // also closed threes and two open twos
  all,     // every move that threatens to win by fours
};

// One attacking move of a proof, and the step that follows each reply. A five ends the proof.
struct ProofStep {
  int move = no_cell;
  int otherwise = no_step;  // after any other reply
  int first_reply = 0;
  int replies = 0;
  int plies = 1;  // to the five, against the longest defence
};
struct ProofReply {
  int cell;
  int step;
};
struct Proof {
  std::vector<ProofStep> steps;  // steps[root] is the first move; steps may be shared
  std::vector<ProofReply> replies;
  int root = no_step;
};

struct ThreatResult {
  Verdict verdict = Verdict::unknown;
  SolverStop stopped = SolverStop::finished;
  std::uint64_t nodes = 0;  // attacking moves tried
  double seconds = 0;
  std::vector<int> line;  // principal variation up to the five
  Proof proof;
};

// Defences against the opponent's win by fours.
struct Defence {
  ThreatResult threat;     // what the opponent would have if it were to move; without the proof
  std::vector<int> moves;  // legal moves not proven to lose to it
};

// One move of a line of fours, and the cells where it becomes five. All but the last have one such cell, the reply. The
// last has two, or one that is forbidden to the defender; a five has none.
struct Four {
  int move;
  int five = no_cell;
  int other = no_cell;
};
using FourLine = std::vector<Four>;

// Whether a search uses what earlier ones have found.
enum class ThreatTables : std::uint8_t {
  kept,
  separate,  // a result within a node limit depends on the position alone
};

inline constexpr int most_fours = 100;  // in a line
// In a VCT, searches for lines of fours take most of the time, and most lines are short. A longer one is found move by
// move: the attacker's fours are attacking moves too, and so are the defender's among its replies.
inline constexpr int fours_attacking = 3;   // in a line of the attacker
inline constexpr int fours_threatened = 2;  // in the line that a move must threaten
inline constexpr int fours_countered = 2;   // in a counterattack of the defender

enum class AttackResult : std::uint8_t {
  won,
  shallow,  // no win within the depth
  lost,     // no win at any depth
  stopped,
};

// Not thread-safe. The functions of each section are in the file of its name.
class ThreatSolver {
 public:
  explicit ThreatSolver(std::size_t table_bytes = std::size_t{1} << 22, ThreatTables tables = ThreatTables::kept);
  ThreatSolver(const ThreatSolver&) = delete;
  ThreatSolver& operator=(const ThreatSolver&) = delete;

  // Whether the attacker, to move, wins by fours, or by fours and threes.
  ThreatResult vcf(const Patterns& patterns, int attacker, const SolverLimits& limits) {
    return solve(patterns, attacker, limits, std::nullopt);
  }
  ThreatResult vct(const Patterns& patterns, int attacker, const SolverLimits& limits,
                   VctMoves moves = VctMoves::threes) {
    return solve(patterns, attacker, limits, moves);
  }
  // A win by fours without its proof, valid until the next call; empty: none within the node limit.
  const FourLine& line_by_fours(const Patterns& patterns, int attacker, std::uint64_t nodes);
  // The defences of the defender, to move, against the opponent's win by fours.
  Defence defend(const Patterns& patterns, int defender, const SolverLimits& limits);

 private:
  void begin(const Patterns& patterns, const SolverLimits& limits);
  ThreatResult solve(const Patterns& patterns, int attacker, const SolverLimits& limits, std::optional<VctMoves> moves);
  void finish(ThreatResult& result) const;
  // Returns false if a limit is reached.
  bool count_node() {
    ++nodes_;
    return (nodes_ & 255) == 0 || nodes_ > limits_.nodes ? check_limits() : stop_ == SolverStop::finished;
  }
  bool check_limits();

  // vcf.cpp. The attacker is to move; fills the line if it wins.
  AttackResult win_by_fours(int attacker, int max_fours, FourLine& line);
  AttackResult fours_within(int attacker, int fours, FourLine& line);
  bool unstoppable(int defender, Four& four);

  AttackResult win_by_threats(VctMoves widest, int& root);

  // vct.cpp. attack(): OR node, attacker to move. search_replies(): AND node, defender to move.
  AttackResult attack(int depth, int& step);
  void attacking_moves(CellList& moves) const;
  AttackResult search_replies(int move, int depth, int& step);
  // What may refute an attacking move that has just been played.
  struct Replies {
    bool to_four = false;
    Four four{};      // to a four
    FourLine threat;  // otherwise: what the move threatens
    CellList cells;
  };
  // The result of the move, if it does not depend on the replies.
  std::optional<AttackResult> find_replies(int move, Replies& found);
  int add_attack(int move, const Replies& to, const std::vector<ProofReply>& replies);

  // numbers.cpp. The same with open threes and quiet moves, by proof numbers; goes on where it was stopped.
  AttackResult win_by_numbers(int& root);
  bool settle(bool attacking, int index, ProofNumbers thresholds);
  bool expand_position(int index);
  bool expand_attack(int index);
  int step_of_position(int index, std::unordered_map<int, int>& steps);
  int step_of_attack(int index, std::unordered_map<int, int>& steps);

  // proof.cpp.
  // The defender's moves that could refute a threatened line of fours.
  void relevant_defences(int attacker, const FourLine& line, CellList& found);
  int add_step(int move, int otherwise, const std::vector<ProofReply>& replies);
  int add_line(const FourLine& line);
  FourLine line_at(int step) const;
  using Verified = std::unordered_map<int, std::uint64_t>;
  bool verify(int attacker, int step, Verified& known);
  Proof extract(int root) const;
  std::vector<int> main_line(int attacker, int step);
  std::span<const ProofReply> replies_of(const ProofStep& step) const {
    return {proof_.replies.data() + step.first_reply, static_cast<std::size_t>(step.replies)};
  }

  // defence.cpp. The defender is to move against a threatened line.
  bool survives(int defender, const FourLine& threat, int fours, std::vector<int>* moves);
  bool survives_after(int defender, int fours);
  void add_legal_moves(int colour, std::vector<int>& moves) const;

  ThreatBoard board_;
  FailureTable fours_failed_;
  FailureTable threats_failed_;
  ProofTable proven_;
  ProofGraph graph_;
  std::size_t graph_bytes_;
  Proof proof_;
  FourLine line_;
  SolverLimits limits_;
  SolverClock clock_;
  std::uint64_t nodes_ = 0;
  ThreatTables tables_;
  std::uint64_t searches_ = 0;
  SolverStop stop_ = SolverStop::finished;
  int attacker_ = black;
  VctMoves moves_ = VctMoves::threes;
};

}  // namespace tesuji::gomoku
