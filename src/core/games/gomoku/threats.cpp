#include "games/gomoku/threats.hpp"

#include <limits>

#include "games/gomoku/threats_search.hpp"

namespace tesuji::gomoku {

namespace {

constexpr int most_fours = 100;   // of a line: nobody has more stones to make fours of
constexpr int most_threats = 60;  // of a proof's longest line
constexpr double look_interval = 0.005;

}  // namespace

ThreatSolver::ThreatSolver(std::size_t table_bytes) : search_(std::make_unique<ThreatSearch>(table_bytes)) {}
ThreatSolver::~ThreatSolver() = default;

ThreatResult ThreatSolver::vcf(const Patterns& patterns, int attacker, const ThreatLimits& limits) {
  return search_->solve(patterns, attacker, limits, false);
}
ThreatResult ThreatSolver::vct(const Patterns& patterns, int attacker, const ThreatLimits& limits) {
  return search_->solve(patterns, attacker, limits, true);
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
  began_ = looked_ = Clock::now();
  nodes_ = 0;
  stop_ = ThreatStop::finished;
}

bool ThreatSearch::look_around() {
  if (stop_ != ThreatStop::finished) return false;
  if (nodes_ > limits_.nodes) {
    stop_ = ThreatStop::nodes;
    return false;
  }
  const auto now = Clock::now();
  if (limits_.seconds > 0 && std::chrono::duration<double>(now - began_).count() >= limits_.seconds) {
    stop_ = ThreatStop::seconds;
  } else if (limits_.host != nullptr && std::chrono::duration<double>(now - looked_).count() >= look_interval) {
    looked_ = now;
    if (!limits_.host->poll()) stop_ = ThreatStop::cancelled;
  }
  return stop_ == ThreatStop::finished;
}

int ThreatSearch::plies_by_fours(const Patterns& patterns, int attacker, std::uint64_t nodes) {
  begin(patterns, {nodes, 0, nullptr});
  if (win_by_fours(attacker, most_fours, line_) != Outcome::won) return 0;
  // Every four and its reply, and the five.
  return line_.front().five == no_cell ? 1 : 2 * static_cast<int>(line_.size()) + 1;
}

ThreatResult ThreatSearch::solve(const Patterns& patterns, int attacker, const ThreatLimits& limits, bool threes) {
  begin(patterns, limits);
  attacker_ = attacker;
  ThreatResult result;
  FourLine line;
  Outcome outcome = win_by_fours(attacker, most_fours, line);
  int root = no_step;
  if (outcome == Outcome::won) {
    root = add_line(line);
  } else if (threes && outcome != Outcome::stopped) {
    outcome = Outcome::shallow;
    for (int depth = 1; depth <= most_threats && outcome == Outcome::shallow; ++depth) outcome = attack(depth, root);
  }
  if (outcome == Outcome::won) {
    Confirmed known;
    if (confirmed(attacker, root, known)) {
      result.verdict = Verdict::won;
      result.line = main_line(attacker, root);
      result.proof = extract(root);
    }
  } else if (outcome == Outcome::lost) {
    result.verdict = Verdict::none;
  }
  result.stopped = stop_;
  result.nodes = nodes_;
  result.seconds = seconds();
  return result;
}

}  // namespace tesuji::gomoku
