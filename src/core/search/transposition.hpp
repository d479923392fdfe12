// Alpha-beta's transposition table: a fixed-size hash table keyed by State::hash().
//
// A bucket is one cache line with three entries; the entry with the lowest depth and greatest age is replaced. The full
// 64-bit key is compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "base/hash.hpp"
#include "base/move_list.hpp"
#include "search/score.hpp"

namespace tesuji {

enum class Bound : std::uint8_t { none, lower, upper, exact };

// One position's data; distances in the score count from the position.
struct TableData {
  Score score = 0;
  Move move = no_move;  // the best move, or the one that caused a cutoff
  int depth = 0;
  Bound bound = Bound::none;
  bool certain = false;  // does not depend on heuristic values: valid at any depth
};

class TranspositionTable {
 public:
  // Uses the largest power of two of buckets that fits.
  explicit TranspositionTable(std::size_t bytes);

  bool find(std::uint64_t hash, TableData& found) const;
  void prefetch(std::uint64_t hash) const {
#ifdef __GNUC__
    __builtin_prefetch(&bucket(hash));
#endif
  }
  void store(std::uint64_t hash, const TableData& known);
  // Increases the age of all entries.
  void new_search() { ++age_; }
  std::size_t bytes() const { return (std::size_t{1} << bits_) * sizeof(Bucket); }

 private:
  struct Entry {
    std::uint32_t key_low;
    std::uint32_t key_high;
    Score score;
    Move move;
    std::uint16_t depth;
    std::uint8_t bound;  // and the certain flag
    std::uint8_t age;

    bool is(std::uint64_t hash) const {
      return key_low == static_cast<std::uint32_t>(hash) && key_high == static_cast<std::uint32_t>(hash >> 32);
    }
  };
  static_assert(sizeof(Entry) == 20);
  static constexpr int entries = 3;
  struct alignas(64) Bucket {
    Entry entry[entries];
  };
  static_assert(sizeof(Bucket) == 64);
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };

  Bucket& bucket(std::uint64_t hash) const {
    // Fibonacci hashing (Knuth, volume 3, section 6.4), in case hashes are not uniform.
    return buckets_[(hash * golden_ratio) >> (64 - bits_)];
  }
  int worth(const Entry& entry) const;

  int bits_ = 0;
  std::uint8_t age_ = 0;
  std::unique_ptr<void, Free> memory_;
  Bucket* buckets_ = nullptr;
};

}  // namespace tesuji
