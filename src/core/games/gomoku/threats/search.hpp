// The implementation of ThreatSolver: board, proof under construction, and both kinds of attack.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "games/gomoku/threats/board.hpp"
#include "games/gomoku/threats/proof_graph.hpp"
#include "games/gomoku/threats/table.hpp"
#include "games/gomoku/threats/threats.hpp"

namespace tesuji::gomoku {

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

class ThreatSearch {
 public:
  ThreatSearch(std::size_t table_bytes, ThreatTables tables);

  // By fours, or by the threats of a VCT.
  ThreatResult solve(const Patterns& patterns, int attacker, const ThreatLimits& limits, std::optional<VctMoves> moves);
  int plies_by_fours(const Patterns& patterns, int attacker, std::uint64_t nodes);
  const FourLine& line_by_fours(const Patterns& patterns, int attacker, std::uint64_t nodes);
  bool holding_moves(const Patterns& patterns, int defender, std::uint64_t nodes, std::vector<int>& moves);
  Defence defend(const Patterns& patterns, int defender, const ThreatLimits& limits);

 private:
  using Clock = std::chrono::steady_clock;

  void begin(const Patterns& patterns, const ThreatLimits& limits);
  double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }
  // Returns false if a limit is reached.
  bool count_node() {
    ++nodes_;
    return (nodes_ & 255) == 0 || nodes_ > limits_.nodes ? check_limits() : stop_ == ThreatStop::finished;
  }
  bool check_limits();

  // vcf.cpp. The attacker is to move; fills the line if it wins.
  AttackResult win_by_fours(int attacker, int max_fours, FourLine& line);
  AttackResult fours_within(int attacker, int fours, FourLine& line);
  bool unstoppable(int defender, Four& four);

  AttackResult win_by_threats(VctMoves widest, int& root);

  // vct.cpp. attack(): OR node, attacker to move. search_replies(): AND node, defender to move.
  AttackResult attack(int depth, int& step);
  // Without those that leave a five of the defender.
  void attacking_moves(CellList& moves) const;
  AttackResult search_replies(int move, int depth, int& step);
  AttackResult search_replies_to_three(int move, int depth, int& step);

  // numbers.cpp. The same with open threes and quiet moves, by proof numbers; goes on where it was stopped.
  AttackResult win_by_numbers(int& root);
  bool settle_position(int index, ProofNumbers thresholds);
  bool settle_attack(int index, ProofNumbers thresholds);
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

  ThreatBoard board_;
  FailureTable fours_failed_;
  FailureTable threats_failed_;
  ProofTable proven_;
  ProofGraph graph_;
  std::size_t graph_bytes_;
  Proof proof_;
  FourLine line_;
  ThreatLimits limits_;
  Clock::time_point began_;
  Clock::time_point last_check_;
  std::uint64_t nodes_ = 0;
  ThreatTables tables_;
  std::uint64_t searches_ = 0;
  ThreatStop stop_ = ThreatStop::finished;
  int attacker_ = black;
  VctMoves moves_ = VctMoves::threes;
};

}  // namespace tesuji::gomoku
