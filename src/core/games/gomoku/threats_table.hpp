// Which positions have no win within so many attacker's moves: direct-mapped, the newest stays.
//
// An entry is one word: the upper bits of the position's hash, and in the lowest byte the moves. Failures do not depend
// on the way to a position, so that they are kept for ever. Two positions taken for one could only hide a win.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace tesuji::gomoku {

// So many entries of zeros. The system gives the pages as they are touched: a short search in a large table is cheap.
template <typename Entry>
class ZeroedTable {
 public:
  explicit ZeroedTable(std::size_t size)
      : size_(size), entries_(static_cast<Entry*>(std::calloc(size, sizeof(Entry)))) {
    static_assert(std::is_trivially_copyable_v<Entry>);
    if (entries_ == nullptr) throw std::bad_alloc();
  }
  std::size_t size() const { return size_; }
  Entry& operator[](std::size_t index) { return entries_.get()[index]; }
  const Entry& operator[](std::size_t index) const { return entries_.get()[index]; }
  void clear() { std::fill_n(entries_.get(), size_, Entry{}); }

 private:
  struct Free {
    void operator()(Entry* entries) const { std::free(entries); }
  };
  std::size_t size_;
  std::unique_ptr<Entry, Free> entries_;
};

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

  ZeroedTable<std::uint64_t> entries_;
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
  ZeroedTable<Entry> entries_;
};

}  // namespace tesuji::gomoku
