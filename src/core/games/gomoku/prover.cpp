#include "games/gomoku/prover.hpp"

#include <algorithm>
#include <memory>

#include "games/gomoku/knowledge.hpp"
#include "games/gomoku/threats/threats.hpp"

namespace tesuji::gomoku {

namespace {

constexpr std::size_t table_bytes = std::size_t{1} << 20;
constexpr std::size_t shared_table_bytes = std::size_t{1} << 17;  // of a thread's quick sessions
constexpr std::uint64_t probe_nodes = 64;
constexpr std::uint64_t quick_probe_nodes = 12;
// For the opponent's win by fours and all defences together, at the root in self-play.
constexpr std::uint64_t defence_nodes = 300;
// A search costs about 1 µs per attacking move, an evaluation on one core more than 1,000. Most end long before
// the limit.
constexpr double nodes_per_evaluation = 500;
constexpr double max_search_nodes = 100'000;
constexpr std::uint32_t busy_evaluations = 8;
constexpr int max_searches = 5;
// At the root, without a simulation.
constexpr std::uint64_t min_root_nodes = 2'000;
constexpr std::uint64_t max_root_nodes = 20'000;
constexpr std::uint64_t max_timed_root_nodes = 200'000;
constexpr std::uint64_t nodes_per_playout = 8;
// After the move to be played: some 3 million nodes take a second.
constexpr std::uint64_t nodes_per_playout_of_choice = 32;
constexpr std::size_t choice_table_bytes = std::size_t{1} << 21;

class ThreatSession final : public Prover::Session {
 public:
  explicit ThreatSession(bool quick) : probe_nodes_(quick ? quick_probe_nodes : probe_nodes) {
    if (!quick) own_solver_.emplace(table_bytes);
  }

  std::optional<ExactResult> probe(const State& position) override {
    const GomokuState& state = as_gomoku(position);
    if (state.stage() != Stage::settled) return std::nullopt;
    const Patterns& patterns = state.patterns();
    const int own = state.colour();
    if (patterns.count(Threat::five, own) > 0) return ExactResult{1.0, 1};
    // Two fives cannot both be stopped.
    if (patterns.count(Threat::five, 1 - own) > 1) return ExactResult{0.0, 2};
    if (!may_make_fours(patterns, own)) return std::nullopt;
    const FourLine& line = solver().line_by_fours(patterns, own, probe_nodes_);
    if (line.empty()) return std::nullopt;
    // Each four and its reply, then the five.
    return ExactResult{1.0, line.front().five == no_cell ? 1 : 2 * static_cast<int>(line.size()) + 1};
  }

  std::optional<Prover::Win> prove(const State& position, Prover::Purpose purpose, const ProverBudget& budget,
                                   const std::function<bool()>& go_on) override {
    CallbackMonitor monitor(go_on);
    SolverLimits limits{0, budget.seconds, go_on ? &monitor : nullptr};
    if (purpose != Prover::Purpose::root) {
      limits.nodes = budget.playouts * nodes_per_playout_of_choice;
    } else if (budget.playouts == 0) {
      limits.nodes = budget.seconds > 0 ? max_timed_root_nodes : max_root_nodes;
    } else {
      limits.nodes = std::clamp(budget.playouts * nodes_per_playout, min_root_nodes, max_root_nodes);
    }
    if (purpose != Prover::Purpose::choice) return win_by_threats(solver(), as_gomoku(position), limits);
    if (!choice_solver_) choice_solver_ = std::make_unique<ThreatSolver>(choice_table_bytes);
    return win_by_threats(*choice_solver_, as_gomoku(position), limits);
  }

  // A win by fours and threes, or else the moves that lose to the opponent's fours.
  void search(const State& position, double evaluations, Prover::Findings& result) override {
    const GomokuState& state = as_gomoku(position);
    result = {};
    if (state.stage() != Stage::settled) return;
    SolverLimits limits{defence_nodes, 0, nullptr};
    if (evaluations > 0) {
      limits.nodes = static_cast<std::uint64_t>(std::clamp(nodes_per_evaluation * evaluations, 1.0, max_search_nodes));
      result.win = win_by_threats(solver(), state, limits);
      if (result.win) return;
    } else if (!may_make_fours(state.patterns(), 1 - state.colour())) {
      return;
    }
    const Defence defence = solver().defend(state.patterns(), state.colour(), limits);
    if (defence.threat.verdict != Verdict::won) return;
    result.lost = defence.moves.empty();
    state.moves(result.losing);
    std::erase_if(result.losing, [&](Move move) {
      return std::find(defence.moves.begin(), defence.moves.end(), static_cast<int>(move)) != defence.moves.end();
    });
  }

 private:
  // Of the side to move, with quiet moves too.
  static std::optional<Prover::Win> win_by_threats(ThreatSolver& solver, const GomokuState& state,
                                                   const SolverLimits& limits) {
    if (state.stage() != Stage::settled) return std::nullopt;
    const ThreatResult found = solver.vct(state.patterns(), state.colour(), limits, VctMoves::quiet);
    if (found.verdict != Verdict::won) return std::nullopt;
    Prover::Win win{static_cast<int>(found.line.size()), {}};
    for (const int cell : found.line) win.line.push_back(static_cast<Move>(cell));
    return win;
  }

  // Thousands of games of self-play with tables of their own would find them in no cache.
  ThreatSolver& solver() {
    thread_local ThreatSolver shared(shared_table_bytes, ThreatTables::separate);
    return own_solver_ ? *own_solver_ : shared;
  }

  std::uint64_t probe_nodes_;
  std::optional<ThreatSolver> own_solver_;       // none in a quick session
  std::unique_ptr<ThreatSolver> choice_solver_;  // with a larger table
};

}  // namespace

Prover::Schedule ThreatProver::schedule(const State&, bool network) const {
  return {busy_evaluations * (network ? 1 : playouts_per_evaluation), max_searches};
}

std::unique_ptr<Prover::Session> ThreatProver::open(bool quick) const { return std::make_unique<ThreatSession>(quick); }

}  // namespace tesuji::gomoku
