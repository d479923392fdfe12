#include "games/gomoku/threats/threats.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

namespace tesuji::gomoku {

namespace {

constexpr int max_threats = 60;              // depth of a proof
constexpr std::uint64_t first_turn = 4'096;  // nodes
// The graph of proof numbers may use so many times the memory of the tables; it grows as needed.
constexpr std::size_t graph_share = 4;

}  // namespace

ThreatSolver::ThreatSolver(std::size_t table_bytes, ThreatTables tables)
    : fours_failed_(table_bytes / 4),
      threats_failed_(table_bytes / 4),
      proven_(table_bytes / 2),
      graph_bytes_(table_bytes * graph_share),
      tables_(tables) {}

void ThreatSolver::begin(const Patterns& patterns, const SolverLimits& limits) {
  board_.begin(patterns);
  // Other hashes instead of cleared tables.
  if (tables_ == ThreatTables::separate) board_.hide_from_other_searches(searches_++);
  proven_.begin();
  proof_ = {};
  limits_ = limits;
  if (limits_.nodes == 0) limits_.nodes = std::numeric_limits<std::uint64_t>::max();
  clock_ = {};
  nodes_ = 0;
  stop_ = SolverStop::finished;
}

bool ThreatSolver::check_limits() {
  if (stop_ == SolverStop::finished) stop_ = nodes_ > limits_.nodes ? SolverStop::nodes : clock_.check(limits_);
  return stop_ == SolverStop::finished;
}

void ThreatSolver::finish(ThreatResult& result) const {
  result.stopped = stop_;
  result.nodes = nodes_;
  result.seconds = clock_.seconds();
}

const FourLine& ThreatSolver::line_by_fours(const Patterns& patterns, int attacker, std::uint64_t nodes) {
  begin(patterns, {nodes, 0, nullptr});
  if (win_by_fours(attacker, most_fours, line_) != AttackResult::won) line_.clear();
  return line_;
}

// Searches by depth with each kind of moves up to the widest, and one by proof numbers, take turns with twice as many
// nodes each time: most wins need open threes only, but a few quiet moves win where open threes would be searched for
// ever, and a long narrow win is far beyond the depth that can be searched.
AttackResult ThreatSolver::win_by_threats(VctMoves widest, int& root) {
  struct Turn {
    VctMoves moves;
    bool by_numbers = false;
    int depth = 1;
    AttackResult outcome = AttackResult::shallow;
    bool open() const { return outcome != AttackResult::lost && depth <= max_threats; }
  };
  std::array<Turn, 4> all = {{{VctMoves::threes}, {VctMoves::quiet, true}, {VctMoves::quiet}, {VctMoves::all}}};
  const std::span<Turn> turns(all.data(), widest == VctMoves::threes ? 1 : widest == VctMoves::quiet ? 3 : 4);
  graph_.clear();  // here and not in begin(): probes by fours are short and frequent
  const std::uint64_t limit = limits_.nodes;
  for (std::uint64_t quota = turns.size() > 1 ? first_turn : limit; turns.back().open(); quota *= 2) {
    for (Turn& turn : turns) {
      moves_ = turn.moves;
      limits_.nodes = nodes_ + std::min(turn.by_numbers ? 2 * quota : quota, limit - nodes_);
      while (turn.open() && stop_ == SolverStop::finished) {
        turn.outcome = turn.by_numbers ? win_by_numbers(root) : attack(turn.depth, root);
        if (turn.outcome == AttackResult::won) return turn.outcome;
        if (turn.outcome == AttackResult::shallow) ++turn.depth;
      }
      limits_.nodes = limit;
      if (stop_ == SolverStop::nodes && nodes_ < limit) stop_ = SolverStop::finished;
      if (stop_ != SolverStop::finished) return AttackResult::stopped;
    }
  }
  return turns.back().outcome;
}

ThreatResult ThreatSolver::solve(const Patterns& patterns, int attacker, const SolverLimits& limits,
                                 std::optional<VctMoves> moves) {
  begin(patterns, limits);
  attacker_ = attacker;
  ThreatResult result;
  FourLine line;
  AttackResult outcome = win_by_fours(attacker, most_fours, line);
  int root = no_step;
  if (outcome == AttackResult::won) {
    root = add_line(line);
  } else if (moves && outcome != AttackResult::stopped) {
    outcome = win_by_threats(*moves, root);
  }
  if (outcome == AttackResult::won) {
    Verified known;
    if (verify(attacker, root, known)) {
      result.verdict = Verdict::won;
      result.line = main_line(attacker, root);
      result.proof = extract(root);
    }
  } else if (outcome == AttackResult::lost && (!moves || *moves == VctMoves::all)) {
    result.verdict = Verdict::none;
  }
  finish(result);
  return result;
}

}  // namespace tesuji::gomoku
