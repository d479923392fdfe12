// An order of many weights, the largest first: a radix sort, several times as fast as comparing where there are
// hundreds.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace tesuji {

// Keeps its buffers.
class Ranking {
 public:
  // The places of the weights, none of them negative; equal ones stay in order.
  const std::vector<std::uint32_t>& order(const std::vector<float>& weights) { return sort<4, 8, 0>(weights); }
  // The same in half of the time; but weights that differ by less than one part in a hundred may count as equal, and
  // so may all below the 2^-31st part of the largest.
  const std::vector<std::uint32_t>& order_roughly(const std::vector<float>& weights) { return sort<2, 6, 16>(weights); }

 private:
  struct Entry {
    std::uint32_t key;
    std::uint32_t place;
  };

  // A positive number's bits grow with it: the key is how far they are below those of the largest, without the lowest
  // `Dropped`. So many passes look at so many bits of it each, the lowest first.
  template <int Passes, int Bits, int Dropped>
  const std::vector<std::uint32_t>& sort(const std::vector<float>& weights) {
    constexpr std::uint32_t most = Passes * Bits == 32 ? ~0U : (1U << (Passes * Bits % 32)) - 1;
    constexpr std::uint32_t drawers = 1U << Bits;
    const std::size_t count = weights.size();
    entries_.resize(count);
    other_.resize(count);
    std::uint32_t top = 0;
    for (const float weight : weights) top = std::max(top, std::bit_cast<std::uint32_t>(weight) >> Dropped);
    std::array<std::array<std::uint32_t, drawers + 1>, Passes> starts{};
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t key = std::min(top - (std::bit_cast<std::uint32_t>(weights[i]) >> Dropped), most);
      entries_[i] = {key, static_cast<std::uint32_t>(i)};
      for (int pass = 0; pass < Passes; ++pass) ++starts[pass][(key >> Bits * pass) % drawers + 1];
    }
    for (int pass = 0; pass < Passes; ++pass) {
      auto& start = starts[pass];
      for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
      for (const Entry& one : entries_) other_[start[(one.key >> Bits * pass) % drawers]++] = one;
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

}  // namespace tesuji
