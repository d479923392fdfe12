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
#include <memory>
#include <vector>

#include "base/search_monitor.hpp"
#include "games/gomoku/board/patterns.hpp"

namespace tesuji::gomoku {

inline constexpr int no_cell = -1;
inline constexpr int no_step = -1;

struct ThreatLimits {
  std::uint64_t nodes = 0;           // attacking moves tried; 0: no limit
  double seconds = 0;                // 0: no limit
  SearchMonitor* monitor = nullptr;  // polled every few milliseconds, unless null
};

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
enum class ThreatStop : std::uint8_t { finished, nodes, seconds, cancelled };

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
  ThreatStop stopped = ThreatStop::finished;
  std::uint64_t nodes = 0;
  double seconds = 0;
  std::vector<int> line;  // principal variation up to the five
  Proof proof;
};

// Defences against the opponent's win by fours.
struct Defence {
  Verdict threat = Verdict::unknown;  // whether the opponent would win by fours if it were to move
  ThreatStop stopped = ThreatStop::finished;
  std::uint64_t nodes = 0;
  double seconds = 0;
  std::vector<int> line;   // the threat
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

class ThreatSearch;

// Whether a search uses what earlier ones have found.
enum class ThreatTables : std::uint8_t {
  kept,
  separate,  // a result within a node limit depends on the position alone
};

// Not thread-safe.
class ThreatSolver {
 public:
  explicit ThreatSolver(std::size_t table_bytes = std::size_t{1} << 22, ThreatTables tables = ThreatTables::kept);
  ~ThreatSolver();
  ThreatSolver(const ThreatSolver&) = delete;
  ThreatSolver& operator=(const ThreatSolver&) = delete;

  // Whether the attacker, to move, wins by fours, or by fours and threes.
  ThreatResult vcf(const Patterns& patterns, int attacker, const ThreatLimits& limits);
  ThreatResult vct(const Patterns& patterns, int attacker, const ThreatLimits& limits,
                   VctMoves moves = VctMoves::threes);
  // The length in plies of a win by fours, without its proof; 0: none within the node limit.
  int plies_by_fours(const Patterns& patterns, int attacker, std::uint64_t nodes);
  // A win by fours itself, valid until the next call; empty: none within the node limit.
  const FourLine& line_by_fours(const Patterns& patterns, int attacker, std::uint64_t nodes);
  // Whether the opponent of the defender, to move, threatens to win by fours; then `moves` are the legal moves that are
  // not proven to lose to it within the node limit.
  bool holding_moves(const Patterns& patterns, int defender, std::uint64_t nodes, std::vector<int>& moves);
  // The defences of the defender, to move, against the opponent's win by fours.
  Defence defend(const Patterns& patterns, int defender, const ThreatLimits& limits);

 private:
  std::unique_ptr<ThreatSearch> search_;
};

}  // namespace tesuji::gomoku
