#include "games/gomoku/threats/threats.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "games/gomoku/threats/search.hpp"

namespace tesuji::gomoku {

namespace {

constexpr int max_threats = 60;              // depth of a proof
constexpr std::uint64_t first_turn = 4'096;  // nodes
constexpr double check_interval = 0.005;
// The graph of proof numbers may use so many times the memory of the tables; it grows as needed.
constexpr std::size_t graph_share = 4;

}  // namespace

ThreatSolver::ThreatSolver(std::size_t table_bytes, ThreatTables tables)
    : search_(std::make_unique<ThreatSearch>(table_bytes, tables)) {}
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
const FourLine& ThreatSolver::line_by_fours(const Patterns& patterns, int attacker, std::uint64_t nodes) {
  return search_->line_by_fours(patterns, attacker, nodes);
}
bool ThreatSolver::holding_moves(const Patterns& patterns, int defender, std::uint64_t nodes, std::vector<int>& moves) {
  return search_->holding_moves(patterns, defender, nodes, moves);
}
Defence ThreatSolver::defend(const Patterns& patterns, int defender, const ThreatLimits& limits) {
  return search_->defend(patterns, defender, limits);
}

ThreatSearch::ThreatSearch(std::size_t table_bytes, ThreatTables tables)
    : fours_failed_(table_bytes / 4),
      threats_failed_(table_bytes / 4),
      proven_(table_bytes / 2),
      graph_bytes_(table_bytes * graph_share),
      tables_(tables) {}

void ThreatSearch::begin(const Patterns& patterns, const ThreatLimits& limits) {
  board_.begin(patterns);
  // Other hashes instead of cleared tables.
  if (tables_ == ThreatTables::separate) board_.hide_from_other_searches(searches_++);
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

const FourLine& ThreatSearch::line_by_fours(const Patterns& patterns, int attacker, std::uint64_t nodes) {
  begin(patterns, {nodes, 0, nullptr});
  if (win_by_fours(attacker, most_fours, line_) != AttackResult::won) line_.clear();
  return line_;
}

// Searches by depth with each kind of moves up to the widest, and one by proof numbers, take turns with twice as many
// nodes each time: most wins need open threes only, but a few quiet moves win where open threes would be searched for
// ever, and a long narrow win is far beyond the depth that can be searched.
AttackResult ThreatSearch::win_by_threats(VctMoves widest, int& root) {
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
      while (turn.open() && stop_ == ThreatStop::finished) {
        turn.outcome = turn.by_numbers ? win_by_numbers(root) : attack(turn.depth, root);
        if (turn.outcome == AttackResult::won) return turn.outcome;
        if (turn.outcome == AttackResult::shallow) ++turn.depth;
      }
      limits_.nodes = limit;
      if (stop_ == ThreatStop::nodes && nodes_ < limit) stop_ = ThreatStop::finished;
      if (stop_ != ThreatStop::finished) return AttackResult::stopped;
    }
  }
  return turns.back().outcome;
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
  result.stopped = stop_;
  result.nodes = nodes_;
  result.seconds = seconds();
  return result;
}

}  // namespace tesuji::gomoku
