#include "games/hex/solver/connections.hpp"

#include <algorithm>

namespace tesuji::hex {

template <int Words>
Connections<Words>::Connections(const Geometry<Words>& geometry)
    : geometry_(geometry),
      stone_(static_cast<std::size_t>(geometry.cells) + 2),
      pairs_by_ends_(stone_.size() * stone_.size()),
      pairs_at_(stone_.size()),
      queue_(static_cast<std::size_t>(geometry.cells) + 1) {}

template <int Words>
int Connections<Words>::pair_of(int a, int b) {
  const int low = std::min(a, b);
  const int high = std::max(a, b);
  int& index = pairs_by_ends_[static_cast<std::size_t>(low) * stone_.size() + static_cast<std::size_t>(high)];
  if (index < 0) {
    index = pairs_used_++;
    if (index == static_cast<int>(pairs_.size())) pairs_.emplace_back();
    Pair& pair = pairs_[index];
    pair.ends[0] = low;
    pair.ends[1] = high;
    pair.local = stone_[low] == 0 && stone_[high] == 0;
    pair.full = pair.semi = pair.processed = 0;
  }
  return index;
}

template <int Words>
void Connections<Words>::reset(const Stones<Words>& stones, int player) {
  const int cells = geometry_.cells;
  std::fill(pairs_by_ends_.begin(), pairs_by_ends_.end(), -1);
  std::fill(stone_.begin(), stone_.end(), std::uint8_t{0});
  for (auto& pairs : pairs_at_) pairs.clear();
  for (auto& bucket : queue_) bucket.clear();
  pairs_used_ = 0;
  semi_carriers_.clear();
  must_play_ = stones.empty(geometry_);
  connected_ = done_ = false;
  stone_[cells] = stone_[cells + 1] = 1;
  sides_ = pair_of(cells, cells + 1);

  const Set empty = must_play_;
  const auto link = [&](int end, const Set& around) {
    around.each([&](int cell) { add_full(pair_of(end, cell), Set{}); });
  };
  std::array<Set, 2> at_side;
  for (int side = 0; side < 2; ++side) at_side[side] = geometry_.edges[player][side] & empty;
  geometry_.each_chain(stones.of[player], [&](const Set& chain, Set around) {
    around &= empty;
    int end = chain.first();
    int touched = 0;
    for (int side = 0; side < 2; ++side) {
      if (!chain.meets(geometry_.edges[player][side])) continue;
      at_side[side] |= around;
      end = cells + side;
      ++touched;
    }
    if (touched == 2) add_full(sides_, Set{});
    if (touched > 0) return;
    stone_[end] = 1;
    link(end, around);
  });
  for (int side = 0; side < 2; ++side) link(cells + side, at_side[side]);
  empty.each([&](int cell) {
    (geometry_.near[cell] & empty).each([&](int other) {
      if (cell < other) add_full(pair_of(cell, other), Set{});
    });
  });
}

template <int Words>
void Connections<Words>::build(const Stones<Words>& stones, int player, Wanted wanted) {
  wanted_ = wanted;
  reset(stones, player);
  for (std::size_t size = 0; size < queue_.size() && !done_; ++size) {
    for (std::size_t i = 0; i < queue_[size].size() && !done_; ++i) {
      const Queued next = queue_[size][i];
      process(next.pair, next.carrier);
    }
  }
}

template <int Words>
void Connections<Words>::process(int index, const Set& carrier) {
  Pair& pair = pairs_[index];
  // Only those that no smaller one has replaced.
  int at = pair.processed;
  while (at < pair.full && !(pair.full_carriers[at] == carrier)) ++at;
  if (at == pair.full) return;
  std::swap(pair.full_carriers[at], pair.full_carriers[pair.processed]);
  const int ends[2] = {pair.ends[0], pair.ends[1]};
  if (pair.processed++ == 0) {
    for (const int end : ends) pairs_at_[end].push_back(index);
  }
  for (int i = 0; i < 2; ++i) {
    if (!is_side(ends[i])) join(ends[1 - i], ends[i], carrier);
  }
}

// AND: the new connection from–middle with all others at the middle.
template <int Words>
void Connections<Words>::join(int from, int middle, const Set& carrier) {
  const std::size_t known = pairs_at_[middle].size();
  for (std::size_t i = 0; i < known && !done_; ++i) {
    const int other_index = pairs_at_[middle][i];
    const int to = pairs_[other_index].ends[0] == middle ? pairs_[other_index].ends[1] : pairs_[other_index].ends[0];
    if (to == from || (!is_side(to) && carrier.has(to))) continue;
    const bool local = stone_[from] == 0 && stone_[to] == 0;
    int target = -1;
    for (int k = 0; k < pairs_[other_index].processed && !done_; ++k) {
      const Set other = pairs_[other_index].full_carriers[k];
      if (other.meets(carrier) || (!is_side(from) && other.has(from))) continue;
      Set both = carrier | other;
      if (stone_[middle] == 0) both.add(middle);
      if (local && both.count() > max_local_carrier) continue;
      if (target < 0) target = pair_of(from, to);
      if (stone_[middle] != 0) {
        add_full(target, both);
      } else if (target == sides_) {
        add_between_sides(both, middle);
      } else {
        add_semi(target, both);
      }
    }
  }
}

template <int Words>
void Connections<Words>::add_full(int index, const Set& carrier) {
  Pair& pair = pairs_[index];
  if (index == sides_) {
    connected_ = done_ = true;
    full_carrier_ = carrier;
    return;
  }
  if (pair.local && carrier.count() > max_local_carrier) return;
  for (int i = 0; i < pair.full; ++i) {
    if (pair.full_carriers[i].within(carrier)) return;
  }
  // Larger ones that wait give way.
  int kept = pair.processed;
  for (int i = pair.processed; i < pair.full; ++i) {
    if (!carrier.within(pair.full_carriers[i])) pair.full_carriers[kept++] = pair.full_carriers[i];
  }
  pair.full = kept;
  if (pair.full == max_full) return;
  pair.full_carriers[pair.full++] = carrier;
  queue_[static_cast<std::size_t>(carrier.count())].push_back({index, carrier});
}

template <int Words>
void Connections<Words>::add_semi(int index, const Set& carrier) {
  Pair& pair = pairs_[index];
  for (int i = 0; i < pair.full; ++i) {
    if (pair.full_carriers[i].within(carrier)) return;
  }
  for (int i = 0; i < pair.semi; ++i) {
    if (pair.semi_carriers[i].within(carrier)) return;
  }
  int kept = 0;
  for (int i = 0; i < pair.semi; ++i) {
    if (!carrier.within(pair.semi_carriers[i])) pair.semi_carriers[kept++] = pair.semi_carriers[i];
  }
  pair.semi = kept;
  if (pair.semi == max_semi) return;
  combine(index, carrier, carrier, 0, 1);
  pair.semi_carriers[pair.semi++] = carrier;
}

// Between the sides all are kept: the intersection of their carriers is what matters.
template <int Words>
void Connections<Words>::add_between_sides(const Set& carrier, int move) {
  if (wanted_ == Wanted::semi) {
    semi_carriers_.assign(1, carrier);
    semi_move_ = move;
    done_ = true;
    return;
  }
  if (must_play_.within(carrier)) return;
  must_play_ &= carrier;
  semi_carriers_.push_back(carrier);
  if (!must_play_.empty()) return;
  connected_ = done_ = true;
  full_carrier_ = {};
  for (const Set& semi : semi_carriers_) full_carrier_ |= semi;
}

// OR: a new semi connection with those known.
template <int Words>
void Connections<Words>::combine(int index, const Set& common, const Set& all, int from, int depth) {
  for (int i = from; i < pairs_[index].semi; ++i) {
    const Set& semi = pairs_[index].semi_carriers[i];
    const Set rest = common & semi;
    if (rest == common) continue;
    const Set together = all | semi;
    bool covered = false;
    for (int k = 0; k < pairs_[index].full; ++k) covered = covered || pairs_[index].full_carriers[k].within(together);
    if (covered) continue;
    if (rest.empty()) {
      add_full(index, together);
    } else if (depth + 1 < max_or) {
      combine(index, rest, together, i + 1, depth + 1);
    }
  }
}

template <int Words>
auto Connections<Words>::list() const -> std::vector<Connection> {
  std::vector<Connection> result;
  for (int i = 0; i < pairs_used_; ++i) {
    const Pair& pair = pairs_[i];
    for (int k = 0; k < pair.full; ++k) result.push_back({{pair.ends[0], pair.ends[1]}, true, pair.full_carriers[k]});
    for (int k = 0; k < pair.semi; ++k) result.push_back({{pair.ends[0], pair.ends[1]}, false, pair.semi_carriers[k]});
  }
  const int first = geometry_.cells;
  for (const Set& semi : semi_carriers_) result.push_back({{first, first + 1}, false, semi});
  if (connected_) result.push_back({{first, first + 1}, true, full_carrier_});
  return result;
}

template class Connections<1>;
template class Connections<2>;
template class Connections<6>;

}  // namespace tesuji::hex
