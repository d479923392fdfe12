#include "games/hex/solver/proof_search.hpp"

#include <algorithm>

namespace tesuji::hex {

template <int Words>
ProofSearch<Words>::ProofSearch(int size, std::size_t table_bytes)
    : geometry_(size), table_(table_bytes), inferior_(geometry_), connections_(geometry_) {}

template <int Words>
auto ProofSearch<Words>::key_of(const Stones<Words>& stones, int mover) const -> Key {
  const auto hash = [&](const Set& black, const Set& white) {
    return nonzero(white.mixed_into(black.mixed_into(static_cast<std::uint64_t>(mover))));
  };
  const std::uint64_t straight = hash(stones.of[0], stones.of[1]);
  const std::uint64_t turned = hash(geometry_.turned(stones.of[0]), geometry_.turned(stones.of[1]));
  return turned < straight ? Key{turned, true} : Key{straight, false};
}

template <int Words>
void ProofSearch<Words>::turn(Entry& entry) const {
  entry.candidates = geometry_.turned(entry.candidates);
  entry.carrier = geometry_.turned(entry.carrier);
  if (entry.move >= 0) entry.move = geometry_.cells - 1 - entry.move;
}

template <int Words>
bool ProofSearch<Words>::load(const Key& key, Entry& entry) const {
  const Entry* found = table_.find(key.hash);
  if (found == nullptr) return false;
  entry = *found;
  if (key.turned) turn(entry);
  return true;
}

template <int Words>
void ProofSearch<Words>::store(const Key& key, Entry entry) {
  entry.key = key.hash;
  if (key.turned) turn(entry);
  table_.store(entry);
}

template <int Words>
auto ProofSearch<Words>::lost(Entry entry) -> Entry {
  entry.phi = infinite;
  entry.delta = 0;
  entry.candidates = {};
  return entry;
}

template <int Words>
auto ProofSearch<Words>::won(Entry entry, int move, const Set& carrier) -> Entry {
  entry.phi = 0;
  entry.delta = infinite;
  entry.move = move;
  entry.candidates = {};
  entry.carrier = carrier;
  return entry;
}

template <int Words>
auto ProofSearch<Words>::evaluate(const Stones<Words>& stones, int mover) -> Entry {
  ++nodes_;
  Entry entry;
  entry.work = 1;
  connections_.build(stones, 1 - mover, Connections<Words>::Wanted::full);
  if (connections_.connected()) {
    entry.carrier = connections_.full_carrier();
    return lost(entry);
  }
  entry.candidates = must_play_ = connections_.must_play();
  for (const Set& semi : connections_.semi_carriers()) entry.carrier |= semi;
  connections_.build(stones, mover, Connections<Words>::Wanted::semi);
  if (connections_.connected()) return won(entry, -1, connections_.full_carrier());
  if (!connections_.semi_carriers().empty()) {
    return won(entry, connections_.semi_move(), connections_.semi_carriers().front());
  }
  const Pruned<Words> pruned = inferior_.prune(mover, entry.candidates);
  entry.carrier |= pruned.vulnerable | pruned.killers;
  entry.candidates -= pruned.vulnerable | pruned.dominated;
  if (entry.candidates.empty()) return lost(entry);
  entry.delta = static_cast<std::uint32_t>(entry.candidates.count());
  return entry;
}

template <int Words>
auto ProofSearch<Words>::search(const Stones<Words>& stones, int mover, const Key& key, std::uint32_t phi_limit,
                                std::uint32_t delta_limit) -> Entry {
  Entry entry;
  if (load(key, entry) && entry.solved()) return entry;
  const Filled<Words> filled = inferior_.fill(stones);
  const Key filled_key = filled.stones == stones ? key : key_of(filled.stones, mover);
  if (!load(filled_key, entry)) {
    entry = evaluate(filled.stones, mover);
    if (!(*go_on_)()) stopped_ = true;
  }
  if (!entry.solved() && entry.phi < phi_limit && entry.delta < delta_limit) {
    entry = expand(filled.stones, mover, entry, phi_limit, delta_limit);
  }
  store(filled_key, entry);
  if (filled_key.hash == key.hash) return entry;
  entry = with_filled(entry, filled, mover);
  store(key, entry);
  return entry;
}

// The winner also needs what was filled in for it.
template <int Words>
auto ProofSearch<Words>::with_filled(Entry entry, const Filled<Words>& filled, int mover) -> Entry {
  if (entry.solved()) entry.carrier |= filled.captured[entry.phi == 0 ? mover : 1 - mover] | filled.dead;
  return entry;
}

template <int Words>
auto ProofSearch<Words>::assess(const Stones<Words>& stones, int mover) -> Assessment {
  const Filled<Words> filled = inferior_.fill(stones);
  Assessment result{with_filled(evaluate(filled.stones, mover), filled, mover), {}, {}};
  if (result.entry.solved()) return result;
  result.lost = filled.stones.empty(geometry_) - must_play_;
  result.inferior = stones.empty(geometry_) - result.lost - result.entry.candidates;
  return result;
}

template <int Words>
auto ProofSearch<Words>::expand(const Stones<Words>& stones, int mover, Entry entry, std::uint32_t phi_limit,
                                std::uint32_t delta_limit) -> Entry {
  std::vector<Child> children = children_of(stones, mover, entry.candidates);
  for (;;) {
    for (Child& child : children) {
      Entry known;
      if (!entry.candidates.has(child.move) || !load(child.key, known)) continue;
      child.phi = known.phi;
      child.delta = known.delta;
      if (known.delta == 0) return won(entry, child.move, known.carrier.with(child.move));
      if (known.phi != 0) continue;
      // Whatever the opponent does not need for this refutation is refuted by it too.
      entry.candidates &= known.carrier;
      entry.carrier |= known.carrier;
    }
    std::erase_if(children, [&](const Child& child) { return !entry.candidates.has(child.move); });
    if (children.empty()) return lost(entry);
    std::uint32_t second_delta = infinite;
    const Child* best = nullptr;
    entry.delta = 0;
    const std::size_t wide = 2 + children.size() * 3 / 8;
    for (std::size_t i = 0; i < children.size() && i < wide; ++i) {
      const Child& child = children[i];
      entry.delta = std::min(infinite - 1, entry.delta + child.phi);
      if (best == nullptr || child.delta < best->delta) {
        if (best != nullptr) second_delta = best->delta;
        best = &child;
      } else {
        second_delta = std::min(second_delta, child.delta);
      }
    }
    entry.phi = best->delta;
    if (stopped_ || entry.phi >= phi_limit || entry.delta >= delta_limit) return entry;
    Stones<Words> next = stones;
    next.of[mover].add(best->move);
    const std::uint64_t before = nodes_;
    search(next, 1 - mover, best->key, delta_limit - (entry.delta - best->phi),
           std::min(phi_limit, second_delta + second_delta / 4 + 1));
    entry.work += static_cast<std::uint32_t>(nodes_ - before);
  }
}

template <int Words>
auto ProofSearch<Words>::children_of(const Stones<Words>& stones, int mover, const Set& candidates)
    -> std::vector<Child> {
  std::vector<float> shares(static_cast<std::size_t>(geometry_.cells));
  for (int player = 0; player < 2; ++player) {
    circuit_.add_currents(inferior_.graph(player), stones.empty(geometry_), shares);
  }
  std::vector<Child> children;
  candidates.each([&](int move) {
    Stones<Words> next = stones;
    next.of[mover].add(move);
    children.push_back({move, key_of(next, 1 - mover), 1, 1, shares[move]});
  });
  std::stable_sort(children.begin(), children.end(), [](const Child& a, const Child& b) { return a.share > b.share; });
  return children;
}

template <int Words>
auto ProofSearch<Words>::solve(const Stones<Words>& stones, int mover, const GoOn& go_on) -> Entry {
  go_on_ = &go_on;
  stopped_ = false;
  return search(stones, mover, key_of(stones, mover), infinite, infinite);
}

template class ProofSearch<1>;
template class ProofSearch<2>;
template class ProofSearch<6>;

}  // namespace tesuji::hex
