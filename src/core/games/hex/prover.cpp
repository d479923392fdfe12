#include "games/hex/prover.hpp"

#include <algorithm>

#include "games/hex/knowledge.hpp"
#include "games/hex/solver/solver.hpp"

namespace tesuji::hex {

namespace {

constexpr std::size_t table_bytes = std::size_t{1} << 22;
constexpr std::uint64_t max_nodes = 500;  // of df-pn: half a second on 11×11, in which no simulation runs
// A position takes about cells² · 0.08 µs: 0.2 ms on 7×7, 1.2 ms on 11×11; a playout 2 to 3 µs.
constexpr std::uint64_t node_cost = 32;  // cells² / node_cost playouts
constexpr std::uint64_t search_cost = 14;

std::uint64_t squared_cells(const HexState& state) {
  const auto size = static_cast<std::uint64_t>(state.size());
  return size * size * size * size;
}

class ConnectionSession final : public Prover::Session {
 public:
  std::optional<ExactResult> probe(const State&) override { return std::nullopt; }

  std::optional<Prover::Win> prove(const State& position, Prover::Purpose purpose, const ProverBudget& budget,
                                   const std::function<bool()>& go_on) override {
    const HexState& state = as_hex(position);
    if (purpose != Prover::Purpose::root || may_be_swapped(state)) return std::nullopt;
    CallbackMonitor monitor(go_on);
    SolverLimits limits{budget.playouts * node_cost / squared_cells(state), budget.seconds, &monitor};
    if (budget.playouts > 0 && limits.nodes < 2) return std::nullopt;  // search() sees as much
    if (budget.playouts == 0 || limits.nodes > max_nodes) limits.nodes = max_nodes;
    return win_of(state, solver(state).solve(state, limits));
  }

  void search(const State& position, double evaluations, Prover::Findings& result) override {
    const HexState& state = as_hex(position);
    result = {};
    if (evaluations == 0 || may_be_swapped(state)) return;
    const Assessed found = solver(state).assess(state);
    result.win = win_of(state, found.solved);
    result.lost = found.solved.winner == 1 - state.player();
    result.losing.assign(found.lost.begin(), found.lost.end());
    result.inferior.assign(found.inferior.begin(), found.inferior.end());
  }

 private:
  // Then the stones say less than who wins.
  static bool may_be_swapped(const HexState& state) { return state.swap() && state.ply() < 2; }

  static std::optional<Prover::Win> win_of(const HexState& state, const Solved& solved) {
    if (solved.winner != state.player()) return std::nullopt;
    if (const ShortestPaths paths = shortest_paths(state, state.player()); paths.distance == 1) {
      return Prover::Win{1, {paths.cells.front()}};
    }
    return Prover::Win{std::nullopt, {solved.move}};
  }

  Solver& solver(const HexState& state) {
    if (solver_ == nullptr || solver_->size() != state.size()) {
      solver_ = Solver::make(state.size(), table_bytes);
    }
    return *solver_;
  }

  std::unique_ptr<Solver> solver_;
};

}  // namespace

// With a network, searches at the nodes of the tree cost more than they gain.
Prover::Schedule ConnectionProver::schedule(const State& root, bool network) const {
  if (network) return {root_only};
  return {static_cast<std::uint32_t>(std::max<std::uint64_t>(squared_cells(as_hex(root)) / search_cost, 1))};
}

std::unique_ptr<Prover::Session> ConnectionProver::open(bool /*quick*/) const {
  return std::make_unique<ConnectionSession>();
}

}  // namespace tesuji::hex
