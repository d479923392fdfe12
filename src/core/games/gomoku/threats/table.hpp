// Hash tables of the threat search, direct-mapped with replacement.
//
// A FailureTable stores the depth up to which a position has no win: one word per entry, the upper bits of the hash and
// the depth in the lowest byte. Failures are path-independent, so they are kept between searches. A hash collision
// could only hide a win.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/zeroed_array.hpp"

namespace tesuji::gomoku {

class FailureTable {
 public:
  static constexpr int at_any_depth = 255;

  explicit FailureTable(std::size_t bytes) : entries_(std::bit_floor(std::max<std::size_t>(bytes, 1024) / 8)) {}

  // Whether the position is known to have no win within `depth` moves.
  bool failed(std::uint64_t hash, int depth) const {
    const std::uint64_t entry = entries_[index(hash)];
    return (entry & ~depths) == (hash & ~depths) && static_cast<int>(entry & depths) >= depth;
  }
  void store(std::uint64_t hash, int depth) {
    std::uint64_t& entry = entries_[index(hash)];
    if (failed(hash, depth)) return;
    entry = (hash & ~depths) | static_cast<std::uint64_t>(std::min(depth, at_any_depth));
  }

 private:
  static constexpr std::uint64_t depths = 0xFF;
  std::size_t index(std::uint64_t hash) const { return hash >> 8 & (entries_.size() - 1); }

  ZeroedArray<std::uint64_t> entries_;
};

// Proven positions of one search and their proof steps. Entries may be replaced; proofs are verified at the end.
class ProofTable {
 public:
  explicit ProofTable(std::size_t bytes)
      : entries_(std::bit_floor(std::max<std::size_t>(bytes, 1024) / sizeof(Entry))) {}

  int find(std::uint64_t hash) const {
    const Entry& entry = entries_[index(hash)];
    return entry.hash == hash && entry.search == search_ ? entry.step : -1;
  }
  void store(std::uint64_t hash, int step) { entries_[index(hash)] = {hash, search_, step}; }
  // Invalidates all entries.
  void begin() {
    if (++search_ == 0) {
      entries_.clear();
      search_ = 1;
    }
  }

 private:
  struct Entry {
    std::uint64_t hash;
    std::uint32_t search;  // 0: none
    int step;
  };
  std::size_t index(std::uint64_t hash) const { return hash >> 8 & (entries_.size() - 1); }

  std::uint32_t search_ = 0;
  ZeroedArray<Entry> entries_;
};

}  // namespace tesuji::gomoku
