#include "games/hex/solver/solver.hpp"

#include <stdexcept>
#include <string>

#include "games/hex/solver/proof_search.hpp"

namespace tesuji::hex {

namespace {

template <int Words>
Stones<Words> stones_of(const HexState& state) {
  Stones<Words> stones;
  for (int player = 0; player < 2; ++player) {
    for_each_cell(state.size(), state.stones(player),
                  [&](int row, int column) { stones.of[player].add(row * state.size() + column); });
  }
  return stones;
}

template <int Words>
std::vector<int> cells_of(const CellSet<Words>& set) {
  std::vector<int> cells;
  set.each([&](int cell) { cells.push_back(cell); });
  return cells;
}

// Calls use(std::integral_constant<int, words>) with the words that the board needs.
template <typename Use>
auto by_words(int size, Use&& use) {
  if (size <= 8) return use(std::integral_constant<int, 1>{});
  if (size <= 11) return use(std::integral_constant<int, 2>{});
  return use(std::integral_constant<int, 6>{});
}

template <int Words>
class WordsSolver final : public Solver {
 public:
  WordsSolver(int size, std::size_t table_bytes) : search_(size, table_bytes) {}

  int size() const override { return search_.geometry().size; }
  std::uint64_t nodes() const override { return search_.nodes(); }

  Solved solve(const HexState& state, const SolverLimits& limits) override {
    SolverClock clock;
    const std::uint64_t before = search_.nodes();
    Solved result;
    const auto go_on = [&] {
      const bool reached = limits.nodes > 0 && search_.nodes() - before >= limits.nodes;
      if (result.stopped == SolverStop::finished) result.stopped = reached ? SolverStop::nodes : clock.check(limits);
      return result.stopped == SolverStop::finished;
    };
    const Stones<Words> stones = stones_of<Words>(state);
    const SolverEntry<Words> entry = search_.solve(stones, state.player(), go_on);
    if (entry.solved()) {
      result.stopped = SolverStop::finished;
      describe(entry, stones, state.player(), result);
    }
    result.nodes = search_.nodes() - before;
    result.seconds = clock.seconds();
    return result;
  }

  Assessed assess(const HexState& state) override {
    const Stones<Words> stones = stones_of<Words>(state);
    const auto found = search_.assess(stones, state.player());
    Assessed result;
    if (found.entry.solved()) describe(found.entry, stones, state.player(), result.solved);
    result.lost = cells_of(found.lost);
    result.inferior = cells_of(found.inferior);
    return result;
  }

 private:
  void describe(const SolverEntry<Words>& entry, const Stones<Words>& stones, int mover, Solved& result) const {
    result.winner = entry.phi == 0 ? mover : 1 - mover;
    result.carrier = cells_of(entry.carrier);
    if (entry.phi == 0) result.move = static_cast<Move>(move_of(entry, stones));
  }
  // Where the sides are connected already, any move will do: one that the connection uses ends the game soonest.
  int move_of(const SolverEntry<Words>& entry, const Stones<Words>& stones) const {
    if (entry.move >= 0) return entry.move;
    return (entry.carrier.empty() ? stones.empty(search_.geometry()) : entry.carrier).first();
  }

  ProofSearch<Words> search_;
};

}  // namespace

std::unique_ptr<Solver> Solver::make(int size, std::size_t table_bytes) {
  if (size < 2 || size > max_size) {
    throw std::invalid_argument("size must be from 2 to 19, not " + std::to_string(size));
  }
  return by_words(size, [&](auto words) -> std::unique_ptr<Solver> {
    return std::make_unique<WordsSolver<words()>>(size, table_bytes);
  });
}

FilledCells inferior_cells(const HexState& state) {
  return by_words(state.size(), [&](auto words) {
    const Geometry<words()> geometry(state.size());
    InferiorCells<words()> inferior(geometry);
    const Filled<words()> filled = inferior.fill(stones_of<words()>(state));
    const Pruned<words()> pruned = inferior.prune(state.player(), filled.stones.empty(geometry));
    FilledCells result;
    result.dead = cells_of(filled.dead);
    for (int player = 0; player < 2; ++player) result.captured[player] = cells_of(filled.captured[player]);
    result.vulnerable = cells_of(pruned.vulnerable);
    result.dominated = cells_of(pruned.dominated);
    return result;
  });
}

std::vector<FoundConnection> virtual_connections(const HexState& state, int player) {
  return by_words(state.size(), [&](auto words) {
    using Found = Connections<words()>;
    const Geometry<words()> geometry(state.size());
    Found connections(geometry);
    connections.build(stones_of<words()>(state), player, Found::Wanted::full);
    std::vector<FoundConnection> result;
    for (const auto& found : connections.list()) {
      result.push_back({{found.ends[0], found.ends[1]}, found.full, cells_of(found.carrier)});
    }
    return result;
  });
}

}  // namespace tesuji::hex
