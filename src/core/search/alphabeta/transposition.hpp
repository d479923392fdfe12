// Alpha-beta's transposition table: a fixed-size hash table keyed by State::hash().
//
// A bucket is one cache line with three entries; the entry with the lowest depth and greatest age is replaced. The full
// 64-bit key is compared.
//
// Threads share the table without locks. Two threads that write an entry at once may leave a mixture of both, so half
// of the key is stored XORed with a checksum of the data: a mixture does not match any key (after Hyatt and Mann 2002).
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "base/hash.hpp"
#include "base/move_list.hpp"
#include "search/alphabeta/score.hpp"

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
  using Clock = std::chrono::steady_clock;

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
  void new_search() {
    ++age_;
    paging_ = {};
  }
  // Moves a part of the table to a huge page, which avoids a TLB miss for nearly every lookup. To be called now and
  // then, with the time of this search so far, of which it takes a small share.
  void use_huge_pages(Clock::duration searched);
  std::size_t bytes() const { return (std::size_t{1} << bits_) * sizeof(Bucket); }

 private:
  // The data of an entry, as it is stored.
  struct Packed {
    std::uint32_t score = 0;
    std::uint32_t move = 0;
    std::uint32_t rest = 0;  // depth, age, bound and the certain flag

    std::uint32_t checksum() const { return score * 0x9E3779B1U ^ move * 0x85EBCA6BU ^ rest * 0xC2B2AE35U; }
    int depth() const { return static_cast<int>(rest >> 16); }
    std::uint8_t age() const { return static_cast<std::uint8_t>(rest >> 8); }
    std::uint8_t bound() const { return static_cast<std::uint8_t>(rest); }  // 0: empty
  };
  class Entry {
   public:
    // Whether the entry is of this position; if so, its data.
    bool is(std::uint64_t hash, Packed& data) const;
    Packed load() const;
    void write(std::uint64_t hash, const Packed& data);

   private:
    std::atomic<std::uint32_t> key_low_;
    std::atomic<std::uint32_t> key_high_;  // XOR the checksum
    std::atomic<std::uint32_t> score_;
    std::atomic<std::uint32_t> move_;
    std::atomic<std::uint32_t> rest_;
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
  int worth(const Packed& data) const;

  int bits_ = 0;
  std::uint8_t age_ = 0;
  std::size_t huge_bytes_ = 0;  // from the beginning, on huge pages
  Clock::duration paging_{};    // time that this took in the current search
  std::unique_ptr<void, Free> memory_;
  Bucket* buckets_ = nullptr;
};

}  // namespace tesuji
