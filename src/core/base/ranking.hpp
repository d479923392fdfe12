// Descending argsort of non-negative weights by radix sort: several times as fast as a comparison sort for hundreds of
// weights.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/move_list.hpp"

namespace tesuji {

// Reuses its buffers.
class Ranking {
 public:
  // Indices of the weights, largest first; stable.
  const std::vector<std::uint32_t>& order(const std::vector<float>& weights) { return sort<4, 8, 0>(weights); }
  // Takes half the time, but weights within 1 % of each other, or below 2^-31 of the largest, may count as equal.
  const std::vector<std::uint32_t>& order_roughly(const std::vector<float>& weights) { return sort<2, 6, 16>(weights); }

 private:
  struct Entry {
    std::uint32_t key;
    std::uint32_t place;
  };

  // The bit pattern of a non-negative float increases with its value. The key is the largest pattern minus this one,
  // without the lowest `Dropped` bits, and is sorted in `Passes` passes of `Bits` bits each.
  template <int Passes, int Bits, int Dropped>
  const std::vector<std::uint32_t>& sort(const std::vector<float>& weights) {
    constexpr std::uint32_t max_key = Passes * Bits == 32 ? ~0U : (1U << (Passes * Bits % 32)) - 1;
    constexpr std::uint32_t buckets = 1U << Bits;
    const std::size_t count = weights.size();
    entries_.resize(count);
    other_.resize(count);
    std::uint32_t top = 0;
    for (const float weight : weights) top = std::max(top, std::bit_cast<std::uint32_t>(weight) >> Dropped);
    std::array<std::array<std::uint32_t, buckets + 1>, Passes> starts{};
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t key = std::min(top - (std::bit_cast<std::uint32_t>(weights[i]) >> Dropped), max_key);
      entries_[i] = {key, static_cast<std::uint32_t>(i)};
      for (int pass = 0; pass < Passes; ++pass) ++starts[pass][(key >> Bits * pass) % buckets + 1];
    }
    for (int pass = 0; pass < Passes; ++pass) {
      auto& start = starts[pass];
      for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
      for (const Entry& one : entries_) other_[start[(one.key >> Bits * pass) % buckets]++] = one;
      entries_.swap(other_);
    }
    order_.resize(count);
    for (std::size_t i = 0; i < count; ++i) order_[i] = entries_[i].place;
    return order_;
  }

  std::vector<Entry> entries_;
  std::vector<Entry> other_;
  std::vector<std::uint32_t> order_;
};

// Sorts moves and their weights, largest weight first; stable.
inline void sort_by_weight(MoveList& moves, std::vector<float>& weights) {
  thread_local Ranking ranking;  // reused buffers
  thread_local std::vector<float> unordered_weights;
  thread_local MoveList unordered;
  unordered = moves;
  unordered_weights.swap(weights);
  const std::vector<std::uint32_t>& ranked = ranking.order(unordered_weights);
  weights.resize(moves.size());
  for (std::size_t i = 0; i < moves.size(); ++i) {
    weights[i] = unordered_weights[ranked[i]];
    moves[i] = unordered[ranked[i]];
  }
}

}  // namespace tesuji
