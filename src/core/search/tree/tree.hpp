// The search tree: 32-byte nodes in an arena, addressed by 32-bit indices.
//
// An expanded node has Edges: its legal moves in the order in which they are tried, and a ChildTable with the
// children's indices and selection statistics, one array per quantity, so that selection is vectorized. A child node is
// created at its first visit. The node holds the authoritative statistics; the table is a cache that is rewritten at
// every visit, so that an update lost between threads is repaired by the next one.
//
// A table starts small and grows as moves are tried, so that a position with 225 moves costs little at first. With RAVE
// every move needs its statistics from the start, and the table has full size at once.
//
// The memory budget bounds the arena: once full(), nothing more is allocated.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "base/atomics.hpp"
#include "base/move_list.hpp"

namespace tesuji {

using Index = std::uint32_t;
inline constexpr Index no_index = 0;

// Score sums are fixed-point numbers: the sum does not depend on the order of additions, and threads use fetch_add.
inline constexpr double score_scale = 1U << 30;
inline std::uint64_t to_fixed(double score) { return static_cast<std::uint64_t>(score * score_scale + 0.5); }

struct Node {
  std::atomic<std::uint64_t> score_sum;  // of the player who chose this move; unused at the root
  std::atomic<std::uint32_t> visits;     // counted during the descent (virtual loss)
  std::atomic<Index> edges;              // 0 until expanded
  Move move;                             // leading to this node
  float prior;
  std::atomic<std::uint8_t> outcome;  // 0, or the proven outcome: an index into Outcomes
  std::atomic<std::uint8_t> busy;     // a thread is expanding it
  std::atomic<std::int8_t> player;    // side to move; player_unknown until the first visit
  std::atomic<std::uint8_t> marks;    // set by proofs.cpp
  float estimate;                     // the network's value for the side to move

  double sum() const { return static_cast<double>(score_sum.load(relaxed)) / score_scale; }
  double mean(std::uint32_t visit_count) const { return sum() / visit_count; }
};
static_assert(sizeof(Node) == 32);

inline constexpr std::int8_t player_unknown = -2;

namespace mark {
inline constexpr std::uint8_t proof_searches = 7;  // bits that count how often the prover has searched here
inline constexpr std::uint8_t inferior = 8;        // no better than a sibling that is not: not searched
}  // namespace mark

struct Edges {
  std::uint32_t total;               // legal moves
  std::atomic<std::uint32_t> limit;  // moves that may be tried: fewer than total while some are set aside
  std::atomic<std::uint32_t> tried;  // number of moves tried, without RAVE
  std::atomic<std::uint32_t> busy;   // a thread is adding a child
  float exploration;                 // C at this position
  Index moves;                       // all moves in order
  Index priors;                      // in parallel; 0 if uniform
  std::atomic<Index> table;
};
static_assert(sizeof(Edges) == 32);

// The statistics of a node's moves, as used by selection.hpp. Arrays that a search does not need are null. Threads that
// share a tree read and write them by load() and store() of atomics.hpp; see also SelectionFormula::best().
struct ChildTable {
  std::uint32_t capacity;
  std::atomic<Index>* child;  // 0 until the first visit
  // Adjacent, so that a visit dirties one cache line.
  struct alignas(8) Entry {
    float value;   // (1 − β)·Q, or the proven score
    float spread;  // 1 / √n; 1 if untried, 0 if proven
  };
  Entry* entry;
  float* prior_term;          // P / (1 + n)
  float* beta;                // β
  std::int32_t* amaf_sum;     // all-moves-as-first: scores in 1/256,
  std::int32_t* amaf_visits;  // samples
};

// Which arrays the tables of a tree have.
struct ChildTableShape {
  bool prior_term = false;
  bool beta = false;
  bool amaf = false;
  bool available = false;  // see Tree::available
};

struct Unit {
  alignas(16) std::byte bytes[32];
};

class Tree {
 public:
  // `wide`: store moves in 32 bits; 16 are enough for most games.
  Tree(std::size_t memory, ChildTableShape shape, bool wide);

  // One per worker: lock-free allocation from its own segment, and its node count.
  struct Allocator {
    Index next = 0;
    Index end = 0;
    std::atomic<std::uint64_t> nodes{0};

    void reset() {
      next = end = 0;
      nodes.store(0, relaxed);
    }
  };

  Node& node(Index index) { return *reinterpret_cast<Node*>(unit(index)); }
  const Node& node(Index index) const { return *reinterpret_cast<const Node*>(unit(index)); }
  Edges& edges(Index index) { return *reinterpret_cast<Edges*>(unit(index)); }
  const Edges& edges(Index index) const { return *reinterpret_cast<const Edges*>(unit(index)); }
  ChildTable table(const Edges& of) const;
  // Information-set search: how often each move was available. Stored behind the table.
  static std::uint32_t* available(const ChildTable& of) {
    return reinterpret_cast<std::uint32_t*>(of.child + rounded(of.capacity));
  }

  Index new_node(Allocator& from, Move move, float prior);
  // Edges for these moves, with a table for `capacity` of them. Empty `priors`: uniform. Returns 0 if out of memory.
  Index new_edges(Allocator& from, const MoveList& moves, const std::vector<float>& priors, std::uint32_t limit,
                  float exploration, std::uint32_t capacity);
  // The child at a position, created if necessary; 0 if out of memory or another thread is creating it.
  Index ensure_child(Allocator& from, Edges& of, std::uint32_t position);
  // Creates the child of the next untried move and returns its position; no_position if there is none, or as above.
  std::uint32_t try_next(Allocator& from, Edges& of);
  static constexpr std::uint32_t no_position = 0xFFFFFFFFU;
  // Appends moves to edges whose table has full size; empty `priors`: uniform. Returns false if out of memory.
  // Single-threaded.
  bool add_moves(Allocator& from, Edges& of, const MoveList& moves, const std::vector<float>& priors);

  Move move_at(const Edges& of, std::uint32_t position) const;
  float prior_at(const Edges& of, std::uint32_t position) const;
  float prior_sum(const Edges& of, std::uint32_t count) const;
  // Replaces the priors and sorts the untried moves by them. The table must have full size.
  void set_priors(Allocator& from, Edges& of, const std::vector<float>& priors);
  // 0 if it has not been created.
  Index child_at(const Edges& of, std::uint32_t position) const;
  // Calls use(list) with the moves as an array of 16-bit or 32-bit numbers.
  template <typename Use>
  void with_moves(const Edges& of, Use&& use) const {
    const std::byte* list = unit(of.moves);
    if (wide_) {
      use(reinterpret_cast<const Move*>(list));
    } else {
      use(reinterpret_cast<const std::uint16_t*>(list));
    }
  }

  bool full() const { return full_.load(relaxed); }
  std::size_t bytes() const { return used_segments_.load(relaxed) * sizeof(Segment); }
  // Makes the tree full(), because the game's caches have used up the memory. Single-threaded.
  void close();

  // Copies a subtree of another tree of the same shape. Returns the new root, whose table has full size. Stops early if
  // `enough()` returns true; nodes that are not copied become leaves again.
  Index copy_from(const Tree& other, Index root, Allocator& into, const std::function<bool()>& enough);

 private:
  static constexpr int segment_bits = 14;  // 512 KiB
  static constexpr Index segment_units = 1U << segment_bits;
  static constexpr Index segment_mask = segment_units - 1;

  // Aligned to cache lines, so that a node touches only one.
  struct alignas(64) Segment {
    Unit units[segment_units];
  };

  std::byte* unit(Index index) { return segments_[index >> segment_bits]->units[index & segment_mask].bytes; }
  const std::byte* unit(Index index) const {
    return segments_[index >> segment_bits]->units[index & segment_mask].bytes;
  }
  // Whether not even a node can be allocated any more.
  bool exhausted(const Allocator& from) const { return closed_ || (full() && from.next == from.end); }
  Index allocate(Allocator& from, std::size_t bytes);
  Index store(Allocator& from, const void* data, std::size_t bytes);
  Index new_table(Allocator& from, std::uint32_t capacity);
  bool make_room(Allocator& from, Edges& of, std::uint32_t position);
  Index make_child(Allocator& from, Edges& of, std::uint32_t position);
  ChildTable view(Index index) const;
  // A table begins with a 16-byte header (its capacity); the arrays follow, each padded to a multiple of 16 bytes.
  static constexpr std::size_t table_header = 16;
  static std::uint32_t rounded(std::uint32_t capacity) { return (capacity + 3U) & ~3U; }
  static void copy_table(const ChildTable& from, const ChildTable& to);

  // A segment that is no longer used is kept for another tree; see tree.cpp.
  class SpareSegments;
  struct Recycle {
    void operator()(Segment* segment) const;
  };
  using SegmentPointer = std::unique_ptr<Segment, Recycle>;
  std::vector<SegmentPointer> segments_;  // never resized: read without locks
  ChildTableShape shape_;
  bool wide_;
  bool closed_ = false;
  std::atomic<bool> full_{false};
  // On a cache line of its own: written whenever a worker needs another segment.
  alignas(64) std::mutex mutex_;
  std::atomic<std::uint32_t> used_segments_{0};
};

// Inline for speed: called at every step of every simulation.

inline ChildTable Tree::view(Index index) const {
  std::byte* at = const_cast<std::byte*>(unit(index));
  ChildTable table{};
  std::memcpy(&table.capacity, at, sizeof table.capacity);
  at += table_header;
  const auto next = [&](bool wanted, std::size_t size = 4U) {
    std::byte* const here = at;
    if (wanted) at += rounded(table.capacity) * size;
    return wanted ? here : nullptr;
  };
  // In order of use: what selection reads first shares a cache line with the capacity.
  table.entry = reinterpret_cast<ChildTable::Entry*>(next(true, sizeof(ChildTable::Entry)));
  table.prior_term = reinterpret_cast<float*>(next(shape_.prior_term));
  table.beta = reinterpret_cast<float*>(next(shape_.beta));
  table.amaf_sum = reinterpret_cast<std::int32_t*>(next(shape_.amaf));
  table.amaf_visits = reinterpret_cast<std::int32_t*>(next(shape_.amaf));
  table.child = reinterpret_cast<std::atomic<Index>*>(next(true));
  return table;
}

inline ChildTable Tree::table(const Edges& of) const { return view(of.table.load(acquire)); }

inline Move Tree::move_at(const Edges& of, std::uint32_t position) const {
  Move move = no_move;
  with_moves(of, [&](const auto* list) { move = list[position]; });
  return move;
}

inline float Tree::prior_at(const Edges& of, std::uint32_t position) const {
  if (of.priors == no_index) return 1.0F / static_cast<float>(of.total);
  return reinterpret_cast<const float*>(unit(of.priors))[position];
}

inline Index Tree::child_at(const Edges& of, std::uint32_t position) const {
  const ChildTable at = table(of);
  return position < at.capacity ? at.child[position].load(acquire) : no_index;
}

}  // namespace tesuji
