#include "games/gomoku/threats.hpp"

#include <limits>

#include "games/gomoku/threats_search.hpp"

namespace tesuji::gomoku {

namespace {

constexpr int max_threats = 60;  // depth of a proof
constexpr double check_interval = 0.005;

}  // namespace

ThreatSolver::ThreatSolver(std::size_t table_bytes) : search_(std::make_unique<ThreatSearch>(table_bytes)) {}
ThreatSolver::~ThreatSolver() = default;

ThreatResult ThreatSolver::vcf(const Patterns& patterns, int attacker, const ThreatLimits& limits) {
  return search_->solve(patterns, attacker, limits, std::nullopt);
}
ThreatResult ThreatSolver::vct(const Patterns& patterns, int attacker, const ThreatLimits& limits, VctMoves moves) {
  return search_->solve(patterns, attacker, limits, moves);
}
int ThreatSolver::plies_by_fours(const Patterns& patterns, int attacker, std::uint64_t nodes) {
  return search_->plies_by_fours(patterns, attacker, nodes);
}
Defence ThreatSolver::defend(const Patterns& patterns, int defender, const ThreatLimits& limits) {
  return search_->defend(patterns, defender, limits);
}

ThreatSearch::ThreatSearch(std::size_t table_bytes)
    : fours_failed_(table_bytes / 4), threats_failed_(table_bytes / 4), proven_(table_bytes / 2) {}

void ThreatSearch::begin(const Patterns& patterns, const ThreatLimits& limits) {
  board_.begin(patterns);
  proven_.begin();
  proof_ = {};
  limits_ = limits;
  if (limits_.nodes == 0) limits_.nodes = std::numeric_limits<std::uint64_t>::max();
  began_ = last_check_ = Clock::now();
  nodes_ = 0;
  stop_ = ThreatStop::finished;
}

bool ThreatSearch::check_limits() {
  if (stop_ != ThreatStop::finished) return false;
  if (nodes_ > limits_.nodes) {
    stop_ = ThreatStop::nodes;
    return false;
  }
  const auto now = Clock::now();
  if (limits_.seconds > 0 && std::chrono::duration<double>(now - began_).count() >= limits_.seconds) {
    stop_ = ThreatStop::seconds;
  } else if (limits_.monitor != nullptr && std::chrono::duration<double>(now - last_check_).count() >= check_interval) {
    last_check_ = now;
    if (!limits_.monitor->poll()) stop_ = ThreatStop::cancelled;
  }
  return stop_ == ThreatStop::finished;
}

int ThreatSearch::plies_by_fours(const Patterns& patterns, int attacker, std::uint64_t nodes) {
  begin(patterns, {nodes, 0, nullptr});
  if (win_by_fours(attacker, most_fours, line_) != AttackResult::won) return 0;
  // Each four and its reply, then the five.
  return line_.front().five == no_cell ? 1 : 2 * static_cast<int>(line_.size()) + 1;
}

AttackResult ThreatSearch::deepen(VctMoves moves, int& root) {
  moves_ = moves;
  AttackResult outcome = AttackResult::shallow;
  for (int depth = 1; depth <= max_threats && outcome == AttackResult::shallow; ++depth) outcome = attack(depth, root);
  return outcome;
}

ThreatResult ThreatSearch::solve(const Patterns& patterns, int attacker, const ThreatLimits& limits,
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
    outcome = deepen(VctMoves::threes, root);
    const bool failed = outcome == AttackResult::lost || outcome == AttackResult::shallow;
    if (failed && *moves == VctMoves::all) outcome = deepen(VctMoves::all, root);
  }
  if (outcome == AttackResult::won) {
    Verified known;
    if (verify(attacker, root, known)) {
      result.verdict = Verdict::won;
      result.line = main_line(attacker, root);
      result.proof = extract(root);
    }
  } else if (outcome == AttackResult::lost && moves != VctMoves::threes) {
    result.verdict = Verdict::none;
  }
  result.stopped = stop_;
  result.nodes = nodes_;
  result.seconds = seconds();
  return result;
}

}  // namespace tesuji::gomoku
