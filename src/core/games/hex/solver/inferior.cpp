#include "games/hex/solver/inferior.hpp"

namespace tesuji::hex {

template <int Words>
void ReducedGraph<Words>::build(const Geometry<Words>& geometry, const Stones<Words>& stones, int player) {
  const Set empty = stones.empty(geometry);
  near.assign(static_cast<std::size_t>(geometry.cells), Set{});
  empty.each([&](int cell) { near[cell] = geometry.near[cell] & empty; });
  for (int side = 0; side < 2; ++side) touching[side] = geometry.edges[player][side] & empty;
  geometry.each_chain(stones.of[player], [&](const Set& chain, Set around) {
    around &= empty;
    around.each([&](int cell) { near[cell] |= around.without(cell); });
    for (int side = 0; side < 2; ++side) {
      if (chain.meets(geometry.edges[player][side])) touching[side] |= around;
    }
  });
  // A minimal path leaves its side once, so that cells at the same side need no way through each other.
  for (int side = 0; side < 2; ++side) {
    touching[side].each([&](int cell) { near[cell] |= touching[side].without(cell); });
    reachable[side] = touching[side];
    for (Set fresh = touching[side]; !fresh.empty();) {
      Set around;
      fresh.each([&](int cell) { around |= near[cell]; });
      fresh = around - reachable[side];
      reachable[side] |= fresh;
    }
  }
}

template <int Words>
bool ReducedGraph<Words>::clique(int cell, const Set& cells) const {
  const bool first = touching[0].has(cell);
  const bool second = touching[1].has(cell);
  if (first && second) return false;
  if ((first && !cells.within(touching[0])) || (second && !cells.within(touching[1]))) return false;
  bool all = true;
  cells.each([&](int other) { all = all && cells.without(other).within(near[other]); });
  return all;
}

template <int Words>
InferiorCells<Words>::InferiorCells(const Geometry<Words>& geometry) : geometry_(geometry) {
  for (auto& killers : killers_) killers.resize(static_cast<std::size_t>(geometry.cells));
}

template <int Words>
bool InferiorCells<Words>::dead(int cell) const {
  for (const ReducedGraph<Words>& graph : graphs_) {
    if (!graph.reachable[0].has(cell) || !graph.reachable[1].has(cell)) return true;
    if (graph.clique(cell, graph.near[cell])) return true;
  }
  return false;
}

// Where a stone takes the cell's last pair of unconnected neighbours from the opponent.
template <int Words>
auto InferiorCells<Words>::killers_by_cutting(int player, int cell) const -> Set {
  const ReducedGraph<Words>& graph = graphs_[1 - player];
  const Set around = graph.near[cell];
  const bool first = graph.touching[0].has(cell);
  const bool second = graph.touching[1].has(cell);
  if (first && second) return {};
  Set candidates = around;
  const auto must_break = [&](const Set& bad, int self) {
    if (bad.empty()) return;
    // The killer is the cell itself, or the only one that it does not meet.
    Set allowed;
    if (self >= 0) allowed.add(self);
    if (bad.count() == 1) allowed |= bad;
    candidates &= allowed;
  };
  if (first) must_break(around - graph.touching[0], -1);
  if (second) must_break(around - graph.touching[1], -1);
  around.each([&](int other) { must_break(around.without(other) - graph.near[other], other); });
  return candidates;
}

// Where a stone, once contracted, makes the cell's neighbours in the player's own graph meet.
template <int Words>
auto InferiorCells<Words>::killers_by_joining(int player, int cell) const -> Set {
  const ReducedGraph<Words>& graph = graphs_[player];
  Set result;
  graph.near[cell].each([&](int killer) {
    bool ends[2];
    for (int side = 0; side < 2; ++side)
      ends[side] = graph.touching[side].has(cell) || graph.touching[side].has(killer);
    if (ends[0] && ends[1]) return;
    const Set around = (graph.near[cell] | graph.near[killer]).without(cell).without(killer);
    const Set others = (graph.near[cell] - graph.near[killer]).without(killer);
    for (int side = 0; side < 2; ++side) {
      // A side that the stone touches meets all its neighbours; else only what touched the side before.
      if (ends[side] && !(graph.touching[side].has(killer) ? others : around).within(graph.touching[side])) return;
    }
    bool all = true;
    others.each([&](int other) { all = all && around.without(other).within(graph.near[other]); });
    if (all) result.add(killer);
  });
  return result;
}

template <int Words>
void InferiorCells<Words>::find_killers(int player, const Set& empty) {
  empty.each(
      [&](int cell) { killers_[player][cell] = killers_by_cutting(player, cell) | killers_by_joining(player, cell); });
}

template <int Words>
bool InferiorCells<Words>::capture(Filled<Words>& filled, Set& empty) {
  bool any = false;
  for (int player = 0; player < 2; ++player) {
    find_killers(player, empty);
  }
  Set fresh;
  for (int player = 0; player < 2; ++player) {
    empty.each([&](int cell) {
      if (fresh.has(cell)) return;
      Set partners;
      (killers_[player][cell] - fresh).each([&](int other) {
        if (killers_[player][other].has(cell)) partners.add(other);
      });
      if (partners.empty()) return;
      for (const int captured : {cell, partners.first()}) {
        filled.captured[player].add(captured);
        filled.stones.of[player].add(captured);
        fresh.add(captured);
      }
      any = true;
    });
  }
  empty -= fresh;
  return any;
}

template <int Words>
Filled<Words> InferiorCells<Words>::fill(const Stones<Words>& stones) {
  Filled<Words> filled;
  filled.stones = stones;
  Set empty = stones.empty(geometry_);
  for (;;) {
    for (int player = 0; player < 2; ++player) graphs_[player].build(geometry_, filled.stones, player);
    Set fresh;
    empty.each([&](int cell) {
      if (dead(cell)) fresh.add(cell);
    });
    if (!fresh.empty()) {
      filled.dead |= fresh;
      filled.stones.of[0] |= fresh;
      empty -= fresh;
      continue;
    }
    if (!capture(filled, empty)) return filled;
  }
}

template <int Words>
Pruned<Words> InferiorCells<Words>::prune(int mover, const Set& candidates) {
  Pruned<Words> pruned;
  candidates.each([&](int cell) {
    const Set& killers = killers_[1 - mover][cell];
    if (killers.empty()) return;
    pruned.vulnerable.add(cell);
    pruned.killers.add(killers.first());
  });
  Set kept = candidates - pruned.vulnerable;
  (candidates - pruned.vulnerable).each([&](int cell) {
    if (!killers_[mover][cell].meets(kept)) return;
    pruned.dominated.add(cell);
    kept.remove(cell);
  });
  return pruned;
}

template struct ReducedGraph<1>;
template struct ReducedGraph<2>;
template struct ReducedGraph<6>;
template class InferiorCells<1>;
template class InferiorCells<2>;
template class InferiorCells<6>;

}  // namespace tesuji::hex
