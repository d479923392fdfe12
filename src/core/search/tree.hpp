// The tree: nodes of 32 bytes in one arena, addressed by 32-bit indices.
//
// A node that has been expanded owns a Family: its legal moves in the order in which they are to be tried, and its
// children in blocks that double in size (4, 8, 16, …), so that a position with 225 moves costs four nodes at first,
// and nothing ever moves while other threads look at it. With RAVE every move needs its statistics from the start, and
// all children are made at once, in one block.
//
// The memory budget bounds the arena. When it is used up, allocate() returns 0 from then on, and full() says so.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/move_list.hpp"

namespace tesuji {

using Index = std::uint32_t;
inline constexpr Index no_index = 0;

// Scores are summed in fixed point: additions commute, so the sum does not depend on their order, and one atomic
// addition is enough for threads.
inline constexpr double score_scale = 1U << 30;
inline std::uint64_t to_fixed(double score) { return static_cast<std::uint64_t>(score * score_scale + 0.5); }

struct Node {
  std::atomic<std::uint64_t> score_sum;  // for the player who chose the move to here (at the root: who acts there)
  std::atomic<std::uint32_t> visits;     // counted on the way down, so that threads see each other coming
  std::atomic<Index> family;             // 0 until expanded
  Move move;                             // that leads here
  float prior;
  std::atomic<std::uint8_t> outcome;  // 0, or what is proven: an entry of Outcomes
  std::atomic<std::uint8_t> busy;     // a thread is expanding it
  std::atomic<std::int8_t> player;    // who acts here; player_unknown until the first visit
  std::uint8_t unused[5];

  // Through a signed number: that conversion is one instruction, and sums stay far below 2^63.
  float score_sum_float() const {
    return static_cast<float>(static_cast<std::int64_t>(score_sum.load(std::memory_order_relaxed))) *
           static_cast<float>(1.0 / score_scale);
  }
  double mean(std::uint32_t visit_count) const {
    return static_cast<double>(score_sum.load(std::memory_order_relaxed)) / score_scale / visit_count;
  }
};
static_assert(sizeof(Node) == 32);

inline constexpr std::int8_t player_unknown = -2;

// All-moves-as-first statistics of a node's move, for the player who chooses it: visits in the upper half, the sum of
// scores in 256ths in the lower one. So learning is one addition, the same for moves that were played and, with zero,
// for those that were not; every simulation makes it for every child on its path.
struct Amaf {
  static constexpr double scale = 256;
  // Beyond this a node has so many visits that β has made RAVE irrelevant, and the lower half would overflow.
  static constexpr std::uint32_t most_visits = 1U << 23;

  std::atomic<std::uint64_t> packed;

  static std::uint64_t sample(double score) {
    return (std::uint64_t{1} << 32) + static_cast<std::uint64_t>(score * scale + 0.5);
  }
  // Threads may overwrite each other's additions: a lost sample among thousands is harmless, an atomic addition is not
  // cheap.
  void add(std::uint64_t delta) {
    packed.store(packed.load(std::memory_order_relaxed) + delta, std::memory_order_relaxed);
  }
  std::uint32_t visits() const { return static_cast<std::uint32_t>(packed.load(std::memory_order_relaxed) >> 32); }
  float mean() const {
    const std::uint64_t both = packed.load(std::memory_order_relaxed);
    // Through signed numbers: that conversion is one instruction.
    const auto sum = static_cast<float>(static_cast<std::int64_t>(both & 0xFFFFFFFFU));
    return sum / (static_cast<float>(scale) * static_cast<float>(static_cast<std::int64_t>(both >> 32)));
  }
};
static_assert(sizeof(Amaf) == 8);

inline constexpr int family_blocks = 8;

struct Family {
  std::uint32_t total;                 // legal moves
  std::atomic<std::uint32_t> limit;    // moves that may be tried: fewer than total while a threat is urgent
  std::atomic<std::uint32_t> created;  // children that exist
  std::atomic<std::uint32_t> growing;  // a thread is adding a child
  float exploration;                   // C at this position
  std::uint32_t first_block;           // size of the first block
  Index moves;                         // all moves in order
  Index priors;                        // beside them, where children are made one by one and have weights
  Index block[family_blocks];          // each twice as large as the one before, the last takes all that remain

  bool all_at_once() const { return first_block == total; }
};
static_assert(sizeof(Family) == 64);

struct Unit {
  alignas(8) std::byte bytes[32];
};

class Tree {
 public:
  // `wide`: moves need 32 bits in the stored lists; 16 are enough for most games.
  Tree(std::size_t memory, bool with_amaf, bool wide);

  // One per worker: allocation without locks inside a segment of its own.
  struct Allocator {
    Index next = 0;
    Index end = 0;
  };

  Node& node(Index index) { return *reinterpret_cast<Node*>(unit(index)); }
  const Node& node(Index index) const { return *reinterpret_cast<const Node*>(unit(index)); }
  Family& family(Index index) { return *reinterpret_cast<Family*>(unit(index)); }
  const Family& family(Index index) const { return *reinterpret_cast<const Family*>(unit(index)); }
  Amaf& amaf(Index index) { return segments_[index >> segment_bits].amaf[index & segment_mask]; }
  const Amaf& amaf(Index index) const { return segments_[index >> segment_bits].amaf[index & segment_mask]; }

  Index new_node(Allocator& from, Move move, float prior);
  // A family for these moves. `all_at_once` makes every child now. `priors` may be empty: all alike.
  // Returns 0 when the memory is full. `kept_bytes` is charged per child beside the tree's own memory.
  Index new_family(Allocator& from, const MoveList& moves, const std::vector<float>& priors, std::uint32_t limit,
                   float exploration, bool all_at_once);
  // Makes the next child of a family that has untried moves; 0 when the memory is full or another thread did.
  Index add_child(Allocator& from, Family& of);

  Move move_at(const Family& of, std::uint32_t position) const;
  // Calls use(list) with the family's moves as an array, of 16 or 32 bits each.
  template <typename Use>
  void with_moves(const Family& of, Use&& use) const {
    const std::byte* list = unit(of.moves);
    if (wide_) {
      use(reinterpret_cast<const Move*>(list));
    } else {
      use(reinterpret_cast<const std::uint16_t*>(list));
    }
  }
  float prior_at(const Family& of, std::uint32_t position) const;
  Index child_at(const Family& of, std::uint32_t position) const;

  // Calls visit(first index, count) for each run of children that lie side by side.
  template <typename Visit>
  void for_each_block(const Family& of, std::uint32_t children, Visit&& visit) const {
    std::uint32_t size = of.first_block;
    for (int i = 0; children > 0; ++i, size *= 2) {
      const std::uint32_t here = i == family_blocks - 1 || children < size ? children : size;
      visit(of.block[i], here);
      children -= here;
    }
  }

  bool full() const { return full_.load(std::memory_order_relaxed); }
  bool with_amaf() const { return with_amaf_; }
  std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
  std::size_t bytes() const;
  // Memory beside the arena that each further node costs (the states that a Python game keeps).
  void charge_per_node(std::size_t bytes) { extra_bytes_per_node_ = bytes; }

  // Copies what lies under `root` of another tree of the same shape. Returns the new root.
  Index copy_from(const Tree& other, Index root, Allocator& into);

 private:
  static constexpr int segment_bits = 14;  // 512 KiB of nodes
  static constexpr Index segment_units = 1U << segment_bits;
  static constexpr Index segment_mask = segment_units - 1;

  struct Segment {
    std::unique_ptr<Unit[]> units;
    std::unique_ptr<Amaf[]> amaf;
  };

  std::byte* unit(Index index) { return segments_[index >> segment_bits].units[index & segment_mask].bytes; }
  const std::byte* unit(Index index) const {
    return segments_[index >> segment_bits].units[index & segment_mask].bytes;
  }
  Index allocate(Allocator& from, std::uint32_t units);
  void init_node(Index index, Move move, float prior);
  Index store_list(Allocator& from, const void* data, std::size_t bytes);

  std::vector<Segment> segments_;  // sized once, filled as the tree grows: threads read it without locks
  std::uint32_t used_segments_ = 0;
  std::uint32_t max_units_per_request_ = segment_units;
  bool with_amaf_;
  bool wide_;
  std::size_t memory_;
  std::size_t extra_bytes_per_node_ = 0;
  std::atomic<std::uint64_t> nodes_{0};
  std::atomic<bool> full_{false};
  std::mutex mutex_;
};

}  // namespace tesuji
