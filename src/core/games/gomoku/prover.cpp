#include "games/gomoku/prover.hpp"

#include "games/gomoku/knowledge.hpp"
#include "games/gomoku/threats.hpp"

namespace tesuji::gomoku {

namespace {

constexpr std::size_t table_bytes = std::size_t{1} << 20;
constexpr std::uint64_t root_nodes = 2'000;  // attacking moves
constexpr std::uint64_t probe_nodes = 64;

class ThreatSession final : public Prover::Session {
 public:
  std::optional<Prover::Win> prove(const State& root, const ProverBudget& budget,
                                   const std::function<bool()>& go_on) override {
    const GomokuState& state = as_gomoku(root);
    if (state.stage() != Stage::settled) return std::nullopt;
    CallbackMonitor monitor(go_on);
    const ThreatResult found = solver_.vct(state.patterns(), state.colour(), {root_nodes, budget.seconds, &monitor});
    if (found.verdict != Verdict::won) return std::nullopt;
    Prover::Win win{static_cast<int>(found.line.size()), {}};
    for (const int cell : found.line) win.line.push_back(static_cast<Move>(cell));
    return win;
  }

  std::optional<ExactResult> probe(const State& position) override {
    const GomokuState& state = as_gomoku(position);
    if (state.stage() != Stage::settled) return std::nullopt;
    const Patterns& patterns = state.patterns();
    const int own = state.colour();
    if (patterns.count(Threat::five, own) > 0) return ExactResult{1.0, 1};
    // Two fives cannot both be stopped.
    if (patterns.count(Threat::five, 1 - own) > 1) return ExactResult{0.0, 2};
    const bool any = patterns.count(Threat::four, own) > 0 || patterns.count(Threat::four_three, own) > 0 ||
                     patterns.count(Threat::open_four, own) > 0;
    const int plies = any ? solver_.plies_by_fours(patterns, own, probe_nodes) : 0;
    return plies > 0 ? std::optional<ExactResult>({1.0, plies}) : std::nullopt;
  }

 private:
  ThreatSolver solver_{table_bytes};
};

}  // namespace

std::unique_ptr<Prover::Session> ThreatProver::open() const { return std::make_unique<ThreatSession>(); }

}  // namespace tesuji::gomoku
