// The search behind ThreatSolver: a board to play on, the proof as it grows, and what the two kinds of attack share.
#pragma once

#include <chrono>
#include <span>
#include <unordered_map>
#include <vector>

#include "games/gomoku/threats.hpp"
#include "games/gomoku/threats_board.hpp"
#include "games/gomoku/threats_table.hpp"

namespace tesuji::gomoku {

// A four of a line of fours, and the cells on which it becomes five. Before the last of a line there is one such cell,
// and it is the reply. The last has two, or one on which the defender may not play; a five has none.
struct Four {
  int move;
  int five = no_cell;
  int other = no_cell;
};
using FourLine = std::vector<Four>;

enum class Outcome : std::uint8_t {
  won,
  shallow,  // not within so many moves
  lost,     // not at all
  stopped,
};

class ThreatSearch {
 public:
  explicit ThreatSearch(std::size_t table_bytes);

  ThreatResult solve(const Patterns& patterns, int attacker, const ThreatLimits& limits, bool threes);
  int plies_by_fours(const Patterns& patterns, int attacker, std::uint64_t nodes);
  Defence defend(const Patterns& patterns, int defender, const ThreatLimits& limits);

 private:
  using Clock = std::chrono::steady_clock;

  void begin(const Patterns& patterns, const ThreatLimits& limits);
  double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }
  // Counts a node; false when a limit is reached.
  bool go_on() {
    ++nodes_;
    return (nodes_ & 255) == 0 || nodes_ > limits_.nodes ? look_around() : stop_ == ThreatStop::finished;
  }
  bool look_around();

  // threats_vcf.cpp. The attacker is to move; the line is filled where it wins.
  Outcome win_by_fours(int attacker, int most_fours, FourLine& line);
  Outcome fours_within(int attacker, int fours, FourLine& line);
  bool cannot_be_stopped(int defender, Four& four);

  // threats_vct.cpp. The attacker is to move; the defender is to move after a threat.
  Outcome attack(int depth, int& step);
  Outcome hold(int move, int depth, int& step);
  Outcome hold_three(int move, int depth, int& step);

  // threats_proof.cpp.
  // The defender's moves that could make a difference to a line of fours, which the attacker threatens to play.
  void disturbances(int attacker, const FourLine& line, CellList& found);
  int add_step(int move, int otherwise, const std::vector<ProofReply>& replies);
  int add_line(const FourLine& line);
  FourLine line_at(int step) const;
  using Confirmed = std::unordered_map<int, std::uint64_t>;
  bool confirmed(int attacker, int step, Confirmed& known);
  Proof extract(int root) const;
  std::vector<int> main_line(int attacker, int step);
  std::span<const ProofReply> replies_of(const ProofStep& step) const {
    return {proof_.replies.data() + step.first_reply, static_cast<std::size_t>(step.replies)};
  }

  // threats_defence.cpp. The defender is to move, and the opponent threatens the line.
  bool survives(int defender, const FourLine& threat, int fours, std::vector<int>* moves);
  bool survives_after(int defender, int fours);

  ThreatBoard board_;
  FailureTable fours_failed_;
  FailureTable threats_failed_;
  ProofTable proven_;
  Proof proof_;
  FourLine line_;
  ThreatLimits limits_;
  Clock::time_point began_;
  Clock::time_point looked_;
  std::uint64_t nodes_ = 0;
  ThreatStop stop_ = ThreatStop::finished;
  int attacker_ = black;
};

}  // namespace tesuji::gomoku
