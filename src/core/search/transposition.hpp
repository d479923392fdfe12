// What alpha-beta knows of positions it has met: a table of fixed size, keyed by State::hash().
//
// A bucket is one cache line with three entries. A new position takes the place of the one that is worth least:
// searched to a small depth, or long ago. The whole key is compared.
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

// One position's knowledge. The score counts from the position.
struct Knowing {
  Score score = 0;
  Move move = no_move;  // the best, or the one that was enough
  int depth = 0;
  Bound bound = Bound::none;
  bool certain = false;  // no value of an unfinished position is in it: true at any depth
};

class TranspositionTable {
 public:
  // The largest power of two of buckets that fits into so many bytes.
  explicit TranspositionTable(std::size_t bytes);

  bool find(std::uint64_t hash, Knowing& found) const;
  // Asks for the memory that find() will read.
  void fetch(std::uint64_t hash) const {
#ifdef __GNUC__
    __builtin_prefetch(&bucket(hash));
#endif
  }
  void store(std::uint64_t hash, const Knowing& known);
  // A new search begins: what earlier ones left behind gives way first.
  void grow_older() { ++age_; }
  std::size_t bytes() const { return (std::size_t{1} << bits_) * sizeof(Bucket); }

 private:
  struct Entry {
    std::uint32_t key_low;
    std::uint32_t key_high;
    Score score;
    Move move;
    std::uint16_t depth;
    std::uint8_t bound;  // and whether it is certain
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
    // Hashes need not be spread evenly: the golden ratio spreads them (Knuth, volume 3, section 6.4).
    return buckets_[(hash * golden_ratio) >> (64 - bits_)];
  }
  int worth(const Entry& entry) const;

  int bits_ = 0;
  std::uint8_t age_ = 0;
  std::unique_ptr<void, Free> memory_;
  Bucket* buckets_ = nullptr;
};

}  // namespace tesuji
