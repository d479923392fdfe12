// Which positions have no win within so many attacker's moves: direct-mapped, the newest stays.
//
// An entry is one word: the upper bits of the position's hash, and in the lowest byte the moves. Failures do not depend
// on the way to a position, so that they are kept for ever. Two positions taken for one could only hide a win.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tesuji::gomoku {

class FailureTable {
 public:
  static constexpr int at_any_depth = 255;

  explicit FailureTable(std::size_t bytes) : entries_(std::bit_floor(std::max<std::size_t>(bytes, 1024) / 8)) {}

  // Whether no win within so many moves is known.
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

  std::vector<std::uint64_t> entries_;
};

// Proven positions of one search, by the step of its proof; they may be pushed out, and are confirmed at the end.
class ProofTable {
 public:
  explicit ProofTable(std::size_t bytes)
      : entries_(std::bit_floor(std::max<std::size_t>(bytes, 1024) / sizeof(Entry))) {}

  int find(std::uint64_t hash) const {
    const Entry& entry = entries_[index(hash)];
    return entry.hash == hash && entry.search == search_ ? entry.step : -1;
  }
  void store(std::uint64_t hash, int step) { entries_[index(hash)] = {hash, search_, step}; }
  // Forgets all.
  void begin() {
    if (++search_ == 0) {
      std::fill(entries_.begin(), entries_.end(), Entry{});
      search_ = 1;
    }
  }

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::uint32_t search = 0;
    int step = -1;
  };
  std::size_t index(std::uint64_t hash) const { return hash >> 8 & (entries_.size() - 1); }

  std::uint32_t search_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace tesuji::gomoku
