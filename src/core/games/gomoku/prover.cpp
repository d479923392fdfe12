#include "games/gomoku/prover.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "games/gomoku/knowledge.hpp"
#include "games/gomoku/threats/threats.hpp"

namespace tesuji::gomoku {

namespace {

constexpr std::size_t table_bytes = std::size_t{1} << 20;
constexpr std::size_t shared_table_bytes = std::size_t{1} << 17;  // of a thread's quick sessions
constexpr std::uint64_t probe_nodes = 64;
constexpr std::uint64_t quick_probe_nodes = 12;
// For the opponent's win by fours and all defences together.
constexpr std::uint64_t defence_nodes = 300;
// A study costs about 1 µs per attacking move, an evaluation on one core more than 1,000. Most studies end long before
// the limit.
constexpr double nodes_per_evaluation = 500;
constexpr double max_study_nodes = 100'000;
constexpr std::uint32_t busy_evaluations = 8;
constexpr int max_studies = 5;
// At the root, without a simulation.
constexpr std::uint64_t min_root_nodes = 2'000;
constexpr std::uint64_t max_root_nodes = 20'000;
constexpr std::uint64_t max_timed_root_nodes = 200'000;
constexpr std::uint64_t nodes_per_playout = 8;
// After the move to be played: some 3 million nodes take a second.
constexpr std::uint64_t refutation_nodes_per_playout = 32;
constexpr std::size_t refutation_table_bytes = std::size_t{1} << 21;

class ThreatSession final : public Prover::Session {
 public:
  explicit ThreatSession(bool quick) : probe_nodes_(quick ? quick_probe_nodes : probe_nodes) {
    if (!quick) own_solver_.emplace(table_bytes);
  }

  std::optional<Prover::Win> prove(const State& root, const ProverBudget& budget,
                                   const std::function<bool()>& go_on) override {
    const GomokuState& state = as_gomoku(root);
    if (state.stage() != Stage::settled) return std::nullopt;
    CallbackMonitor monitor(go_on);
    const std::uint64_t nodes = budget.playouts == 0
                                    ? (budget.seconds > 0 ? max_timed_root_nodes : max_root_nodes)
                                    : std::clamp(budget.playouts * nodes_per_playout, min_root_nodes, max_root_nodes);
    const ThreatLimits limits{nodes, budget.seconds, &monitor};
    return win_by_threats(solver(), state, limits);
  }

  std::optional<Prover::Win> refute(const State& after, const ProverBudget& budget,
                                    const std::function<bool()>& go_on) override {
    const GomokuState& state = as_gomoku(after);
    if (state.stage() != Stage::settled) return std::nullopt;
    CallbackMonitor monitor(go_on);
    const ThreatLimits limits{budget.playouts * refutation_nodes_per_playout, budget.seconds, &monitor};
    if (!refuter_) refuter_ = std::make_unique<ThreatSolver>(refutation_table_bytes);
    return win_by_threats(*refuter_, state, limits);
  }

  std::optional<Prover::Win> prove_shortly(const State& position, std::uint64_t playouts) override {
    const GomokuState& state = as_gomoku(position);
    if (state.stage() != Stage::settled) return std::nullopt;
    return win_by_threats(solver(), state, {playouts * refutation_nodes_per_playout, 0, nullptr});
  }

  std::optional<ExactResult> probe(const State& position) override {
    const GomokuState& state = as_gomoku(position);
    if (state.stage() != Stage::settled) return std::nullopt;
    const Patterns& patterns = state.patterns();
    const int own = state.colour();
    if (patterns.count(Threat::five, own) > 0) return ExactResult{1.0, 1};
    // Two fives cannot both be stopped.
    if (patterns.count(Threat::five, 1 - own) > 1) return ExactResult{0.0, 2};
    const int plies = may_make_fours(patterns, own) ? solver().plies_by_fours(patterns, own, probe_nodes_) : 0;
    return plies > 0 ? std::optional<ExactResult>({1.0, plies}) : std::nullopt;
  }

  bool holding_moves(const State& position, MoveList& moves) override {
    const GomokuState& state = as_gomoku(position);
    if (state.stage() != Stage::settled) return false;
    if (!may_make_fours(state.patterns(), 1 - state.colour())) return false;
    moves.clear();
    if (!solver().holding_moves(state.patterns(), state.colour(), defence_nodes, cells_)) return false;
    for (const int cell : cells_) moves.push_back(static_cast<Move>(cell));
    return true;
  }

  std::uint32_t study_after(const State&, bool network) const override {
    return busy_evaluations * (network ? 1 : playouts_per_evaluation);
  }

  int studies() const override { return max_studies; }

  // A win by fours and threes, or else the moves that lose to the opponent's fours.
  void study(const State& position, double evaluations, Prover::Study& result) override {
    const GomokuState& state = as_gomoku(position);
    result = {};
    if (state.stage() != Stage::settled) return;
    const double nodes = std::clamp(nodes_per_evaluation * evaluations, 1.0, max_study_nodes);
    const ThreatLimits limits{static_cast<std::uint64_t>(nodes), 0, nullptr};
    result.win = win_by_threats(solver(), state, limits);
    if (result.win) return;
    const Defence defence = solver().defend(state.patterns(), state.colour(), limits);
    if (defence.threat != Verdict::won) return;
    result.lost = defence.moves.empty();
    state.moves(result.losing);
    std::erase_if(result.losing, [&](Move move) {
      return std::find(defence.moves.begin(), defence.moves.end(), static_cast<int>(move)) != defence.moves.end();
    });
  }

 private:
  // Of the side to move, with quiet moves too.
  static std::optional<Prover::Win> win_by_threats(ThreatSolver& solver, const GomokuState& state,
                                                   const ThreatLimits& limits) {
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
  std::vector<int> cells_;
  std::optional<ThreatSolver> own_solver_;  // none in a quick session
  std::unique_ptr<ThreatSolver> refuter_;   // with a larger table
};

}  // namespace

std::unique_ptr<Prover::Session> ThreatProver::open(bool quick) const { return std::make_unique<ThreatSession>(quick); }

}  // namespace tesuji::gomoku
