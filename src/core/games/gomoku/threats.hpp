// Wins by threats that leave the defender no choice, with their proofs.
//
// VCF, victory by continuous fours: every move of the attacker makes a four, so the defender must put a stone on the
// one cell that stops the five, until a four can be stopped nowhere (it has two such cells, or renju forbids the cell).
// VCT, victory by continuous threats: the attacker may also make a threat to win by fours, such as an open three, and
// the proof has an answer to every defence. Both deepen one attacker's move at a time, so that lines are short (Allis,
// Searching for Solutions in Games and Artificial Intelligence, 1994, chapter 5, has the idea of threat sequences).
//
// Nothing is called a win that is not proven. A table keeps only which positions have failed, and where it remembers
// wins (VCT), the finished proof is played through once more before it is returned.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "games/gomoku/patterns.hpp"
#include "search/host.hpp"

namespace tesuji::gomoku {

inline constexpr int no_cell = -1;
inline constexpr int no_step = -1;

struct ThreatLimits {
  std::uint64_t nodes = 0;  // attacker's moves tried; 0: no limit
  double seconds = 0;       // 0: no limit
  Host* host = nullptr;     // asked every few milliseconds whether to go on
};

enum class Verdict : std::uint8_t {
  won,      // with a proof
  none,     // no such win, for certain (VCT: none by the threats that are tried)
  unknown,  // a limit was reached before
};
enum class ThreatStop : std::uint8_t { finished, nodes, seconds, cancelled };

// One attacker's move of a proof, and which step follows each reply. After a five nothing follows.
struct ProofStep {
  int move = no_cell;
  int otherwise = no_step;  // after every reply that is not among the replies
  int first_reply = 0;
  int replies = 0;
  int plies = 1;  // to the five, where the defender takes the longest of the replies
};
struct ProofReply {
  int cell;
  int step;
};
struct Proof {
  std::vector<ProofStep> steps;  // the first move is steps[root]; a step may follow several replies
  std::vector<ProofReply> replies;
  int root = no_step;
};

struct ThreatResult {
  Verdict verdict = Verdict::unknown;
  ThreatStop stopped = ThreatStop::finished;
  std::uint64_t nodes = 0;
  double seconds = 0;
  std::vector<int> line;  // the attacker's moves with the replies that last longest, up to the five
  Proof proof;
};

// What a player can do against the other's win by fours.
struct Defence {
  Verdict threat = Verdict::unknown;  // whether the opponent would win by fours, could it move now
  ThreatStop stopped = ThreatStop::finished;
  std::uint64_t nodes = 0;
  double seconds = 0;
  std::vector<int> line;   // the threat
  std::vector<int> moves;  // legal moves that are not proven to lose to it; every other legal move is
};

class ThreatSearch;

// Keeps its tables from one call to the next: what has failed once fails again. For one thread at a time.
class ThreatSolver {
 public:
  explicit ThreatSolver(std::size_t table_bytes = std::size_t{1} << 22);
  ~ThreatSolver();
  ThreatSolver(const ThreatSolver&) = delete;
  ThreatSolver& operator=(const ThreatSolver&) = delete;

  // Whether the attacker, who is to move, wins by fours, or by fours and threes.
  ThreatResult vcf(const Patterns& patterns, int attacker, const ThreatLimits& limits);
  ThreatResult vct(const Patterns& patterns, int attacker, const ThreatLimits& limits);
  // How many plies it takes, without the proof; 0: no win by fours within so many nodes.
  int plies_by_fours(const Patterns& patterns, int attacker, std::uint64_t nodes);
  // What the defender, who is to move, can do against the opponent's win by fours.
  Defence defend(const Patterns& patterns, int defender, const ThreatLimits& limits);

 private:
  std::unique_ptr<ThreatSearch> search_;
};

}  // namespace tesuji::gomoku
