#include "games/hex/proof_search.hpp"
#include <string>

#include <algorithm>
#include <cstdlib>
static int PARAM(int i, int def) {
  static int v[10]; static bool init[10];
  if (!init[i]) { init[i]=true; std::string n = "P" + std::to_string(i); const char* e=getenv(n.c_str()); v[i]= e? atoi(e):def; }
  return v[i];
}

namespace tesuji::hex {

template <int Words>
ProofSearch<Words>::ProofSearch(int size, std::size_t table_bytes)
    : geometry_(size), table_(table_bytes), inferior_(geometry_), connections_(geometry_) {}

template <int Words>
auto ProofSearch<Words>::key_of(const Stones<Words>& stones, int mover) const -> Key {
  const auto hash = [&](const Set& black, const Set& white) {
    return never_zero(white.mixed_into(black.mixed_into(static_cast<std::uint64_t>(mover))));
  };
  const std::uint64_t straight = hash(stones.of[0], stones.of[1]);
  const std::uint64_t turned = hash(geometry_.turned(stones.of[0]), geometry_.turned(stones.of[1]));
  return turned < straight ? Key{turned, true} : Key{straight, false};
}

template <int Words>
bool ProofSearch<Words>::load(const Key& key, Entry& entry) const {
  const Entry* found = table_.find(key.hash);
  if (found == nullptr) return false;
  entry = *found;
  if (key.turned) {
    entry.candidates = geometry_.turned(entry.candidates);
    entry.carrier = geometry_.turned(entry.carrier);
    if (entry.move >= 0) entry.move = geometry_.cells - 1 - entry.move;
  }
  return true;
}

template <int Words>
void ProofSearch<Words>::store(const Key& key, Entry entry) {
  entry.key = key.hash;
  if (key.turned) {
    entry.candidates = geometry_.turned(entry.candidates);
    entry.carrier = geometry_.turned(entry.carrier);
    if (entry.move >= 0) entry.move = geometry_.cells - 1 - entry.move;
  }
  table_.store(entry);
}

template <int Words>
auto ProofSearch<Words>::evaluate(const Stones<Words>& stones, int mover, Filled<Words>& filled) -> Entry {
  ++nodes_;
  if (!(*go_on_)()) stopped_ = true;
  Entry entry;
  entry.work = 1;
  filled = inferior_.fill(stones);
  connections_.build(filled.stones, 1 - mover, Connections<Words>::Wanted::full);
  if (connections_.connected()) {
    entry.phi = infinite;
    entry.delta = 0;
    entry.carrier = connections_.full_carrier() | filled.captured[1 - mover] | filled.dead;
    return entry;
  }
  entry.candidates = connections_.must_play();
  for (const Set& semi : connections_.semi_carriers()) entry.carrier |= semi;
  const Pruned<Words> pruned = inferior_.prune(mover, entry.candidates);
  entry.carrier |= pruned.vulnerable | pruned.killers;
  entry.candidates -= pruned.vulnerable | pruned.dominated;
  connections_.build(filled.stones, mover, Connections<Words>::Wanted::semi);
  if (connections_.connected() || !connections_.semi_carriers().empty()) {
    const bool already = connections_.connected();
    entry.phi = 0;
    entry.delta = infinite;
    entry.carrier = already ? connections_.full_carrier() : connections_.semi_carriers().front();
    entry.carrier |= filled.captured[mover] | filled.dead;
    // Where the sides are connected already, any move will do.
    entry.move = !already ? connections_.semi_move()
                          : (entry.carrier.empty() ? stones.empty(geometry_) : entry.carrier).first();
    entry.candidates = {};
    return entry;
  }
  if (entry.candidates.empty()) {
    entry.phi = infinite;
    entry.delta = 0;
    entry.carrier |= filled.captured[1 - mover] | filled.dead;
    return entry;
  }
  entry.phi = 1;
  entry.delta = static_cast<std::uint32_t>(entry.candidates.count());
  return entry;
}

template <int Words>
auto ProofSearch<Words>::search(const Stones<Words>& stones, int mover, const Key& key, std::uint32_t phi_limit,
                                std::uint32_t delta_limit) -> Entry {
  Entry entry;
  Filled<Words> filled;
  if (!load(key, entry)) {
    entry = evaluate(stones, mover, filled);
    store(key, entry);
    if (entry.solved() || entry.phi >= phi_limit || entry.delta >= delta_limit) return entry;
  } else {
    if (entry.solved()) return entry;
    filled = inferior_.fill(stones);
  }
  std::vector<Child> children;
  entry.candidates.each([&](int move) {
    Stones<Words> next = filled.stones;
    next.of[mover].add(move);
    const Key child = key_of(next, 1 - mover);
    if (std::any_of(children.begin(), children.end(), [&](const Child& c) { return c.key == child.hash; })) return;
    children.push_back({move, child.hash, child.turned, 1, 1, 0});
  });
  order_children(filled, children);
  for (;;) {
    std::uint32_t delta = 0;
    std::uint32_t best_delta = infinite;
    std::uint32_t second_delta = infinite;
    int best = -1;
    for (std::size_t i = 0; i < children.size(); ++i) {
      Child& child = children[i];
      if (!entry.candidates.has(child.move)) continue;
      Entry known;
      if (load({child.key, child.turned}, known)) {
        child.phi = known.phi;
        child.delta = known.delta;
        if (known.delta == 0) {
          entry.phi = 0;
          entry.delta = infinite;
          entry.move = child.move;
          entry.carrier = known.carrier.with(child.move) | filled.captured[mover] | filled.dead;
          store(key, entry);
          return entry;
        }
        if (known.phi == 0) {
          entry.candidates &= known.carrier;
          entry.carrier |= known.carrier;
          continue;
        }
      }
    }
    int wide = PARAM(5,1000) + entry.candidates.count() * PARAM(6,0) / 8;
    for (std::size_t i = 0; i < children.size(); ++i) {
      const Child& child = children[i];
      if (!entry.candidates.has(child.move)) continue;
      if (wide-- <= 0) break;
      delta = std::min(infinite - 1, delta + child.phi);
      if (child.delta < best_delta) {
        second_delta = best_delta;
        best_delta = child.delta;
        best = static_cast<int>(i);
      } else {
        second_delta = std::min(second_delta, child.delta);
      }
    }
    if (best < 0) {
      entry.phi = infinite;
      entry.delta = 0;
      entry.carrier |= filled.captured[1 - mover] | filled.dead;
      store(key, entry);
      return entry;
    }
    entry.phi = best_delta;
    entry.delta = delta;
    store(key, entry);
    if (stopped_ || entry.phi >= phi_limit || entry.delta >= delta_limit) return entry;
    const Child& child = children[best];
    Stones<Words> next = filled.stones;
    next.of[mover].add(child.move);
    const std::uint64_t before = nodes_;
    const std::uint32_t others = delta - child.phi;
    search(next, 1 - mover, {child.key, child.turned}, delta_limit - others,
           std::min(phi_limit, second_delta + second_delta * PARAM(7,2)/8 + 1));
    entry.work += static_cast<std::uint32_t>(nodes_ - before);
  }
}

template <int Words>
void ProofSearch<Words>::order_children(const Filled<Words>& filled, std::vector<Child>& children) {
  if (PARAM(0,1) == 0) return;
  std::vector<float> shares(static_cast<std::size_t>(geometry_.cells));
  for (int player = 0; player < 2; ++player) {
    circuit_.add_currents(inferior_.graph(player), filled.stones.empty(geometry_), shares);
  }
  for (Child& child : children) child.order = shares[child.move];
  std::sort(children.begin(), children.end(), [](const Child& a, const Child& b) { return a.order > b.order; });
  const int k = static_cast<int>(children.size());
  for (int i = 0; i < k; ++i) {
    children[i].delta = static_cast<std::uint32_t>(PARAM(1,1) + i * PARAM(2,0) / 8 + k * PARAM(3,0) / 8);
    children[i].phi = static_cast<std::uint32_t>(PARAM(4,1));
  }
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
