// An order of many weights, the largest first: a radix sort, several times as fast as comparing where there are
// hundreds.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace tesuji {

// Keeps its buffers.
class Ranking {
 public:
  // The places of the weights, none of them negative; equal ones stay in order. A positive number's bits
  // grow with it. `Bytes`, from the upper end, are looked at: four make the order exact; weights that agree in the
  // upper two differ by less than one part in a hundred, and count as equal.
  template <int Bytes>
  const std::vector<std::uint32_t>& order(const std::vector<float>& weights) {
    static_assert(Bytes == 2 || Bytes == 4);
    const std::size_t count = weights.size();
    entries_.resize(count);
    other_.resize(count);
    std::array<std::array<std::uint32_t, 257>, Bytes> starts{};
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t key = ~std::bit_cast<std::uint32_t>(weights[i]) >> (32 - 8 * Bytes);
      entries_[i] = {key, static_cast<std::uint32_t>(i)};
      for (int byte = 0; byte < Bytes; ++byte) ++starts[byte][((key >> (8 * byte)) & 0xFFU) + 1];
    }
    for (int byte = 0; byte < Bytes; ++byte) {
      std::array<std::uint32_t, 257>& start = starts[byte];
      for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
      for (const Entry& one : entries_) other_[start[(one.key >> (8 * byte)) & 0xFFU]++] = one;
      entries_.swap(other_);
    }
    order_.resize(count);
    for (std::size_t i = 0; i < count; ++i) order_[i] = entries_[i].place;
    return order_;
  }

 private:
  struct Entry {
    std::uint32_t key;
    std::uint32_t place;
  };
  std::vector<Entry> entries_;
  std::vector<Entry> other_;
  std::vector<std::uint32_t> order_;
};

}  // namespace tesuji
