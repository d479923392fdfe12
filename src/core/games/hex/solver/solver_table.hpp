// What the solver knows of positions: proof numbers, the moves that are left, and the carrier of a win.
//
// Buckets of four entries; the one with the least work behind it gives way.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/zeroed_array.hpp"
#include "games/hex/cell_set.hpp"

namespace tesuji::hex {

template <int Words>
struct SolverEntry {
  std::uint64_t key = 0;      // 0: none
  std::uint32_t phi = 1;      // 0: the player to move wins
  std::uint32_t delta = 1;    // 0: the player to move loses
  std::uint32_t work = 0;     // positions evaluated in the search below
  std::int32_t move = -1;     // of a win
  CellSet<Words> candidates;  // moves that may still win
  CellSet<Words> carrier;     // solved: the empty cells that the winner needs. Else: those that refute the other moves

  bool solved() const { return phi == 0 || delta == 0; }
};

template <int Words>
class SolverTable {
 public:
  using Entry = SolverEntry<Words>;
  static constexpr std::size_t ways = 4;

  explicit SolverTable(std::size_t bytes)
      : buckets_(std::bit_floor(std::max<std::size_t>(bytes / (ways * sizeof(Entry)), 16))),
        entries_(buckets_ * ways) {}

  const Entry* find(std::uint64_t key) const {
    const Entry* bucket = entries_.data() + (key & (buckets_ - 1)) * ways;
    for (std::size_t i = 0; i < ways; ++i) {
      if (bucket[i].key == key) return bucket + i;
    }
    return nullptr;
  }
  void store(const Entry& entry) {
    Entry* bucket = entries_.data() + (entry.key & (buckets_ - 1)) * ways;
    Entry* place = bucket;
    for (std::size_t i = 0; i < ways; ++i) {
      if (bucket[i].key == entry.key) {
        place = bucket + i;
        break;
      }
      if (bucket[i].work < place->work) place = bucket + i;
    }
    *place = entry;
  }

 private:
  std::size_t buckets_;
  ZeroedArray<Entry> entries_;
};

}  // namespace tesuji::hex
