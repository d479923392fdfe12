// The tree: nodes of 32 bytes in one arena, addressed by 32-bit indices.
//
// A node that has been expanded owns a Family: its legal moves in the order in which they are to be tried, and a Table
// with the children's indices and what selection needs of them, one array per quantity, so that choosing among a
// hundred children runs over a few contiguous arrays with vector instructions. A child's node is made at its first
// visit. The truth about a child is in its node; the table is a cache of it, rewritten at every visit, so that a value
// lost between two threads is right again one visit later.
//
// The table starts with room for a few moves and is replaced by a larger one as more are tried, so that a position with
// 225 moves costs little at first. With RAVE every move needs its statistics from the start, and the table is whole at
// once.
//
// The memory budget bounds the arena. When it is used up, nothing more is allocated, and full() says so.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
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
  std::atomic<std::uint64_t> score_sum;  // for the player who chose the move to here; unused at the root
  std::atomic<std::uint32_t> visits;     // counted on the way down, so that threads see each other coming
  std::atomic<Index> family;             // 0 until expanded
  Move move;                             // that leads here
  float prior;
  std::atomic<std::uint8_t> outcome;  // 0, or what is proven: an entry of Outcomes
  std::atomic<std::uint8_t> busy;     // a thread is expanding it
  std::atomic<std::int8_t> player;    // who acts here; player_unknown until the first visit
  std::uint8_t unused;
  float estimate;  // for who acts here, where leaves are evaluated from outside

  double sum() const { return static_cast<double>(score_sum.load(std::memory_order_relaxed)) / score_scale; }
  double mean(std::uint32_t visit_count) const { return sum() / visit_count; }
};
static_assert(sizeof(Node) == 32);

inline constexpr std::int8_t player_unknown = -2;

struct Family {
  std::uint32_t total;               // legal moves
  std::atomic<std::uint32_t> limit;  // moves that may be tried: fewer than total while a threat is urgent
  std::atomic<std::uint32_t> tried;  // so many from the front have been tried, where they are tried in order
  std::atomic<std::uint32_t> busy;   // a thread is adding a child
  float exploration;                 // C at this position
  Index moves;                       // all moves in order
  Index priors;                      // beside them, where an ordering gave weights
  std::atomic<Index> table;
};
static_assert(sizeof(Family) == 32);

// The statistics of a family's moves; selection.hpp says what is made of them. Arrays that a search does not need are
// null.
struct Table {
  std::uint32_t capacity;
  std::atomic<Index>* child;  // 0 until the first visit
  // Together, so that a visit dirties one cache line for the other threads.
  struct Entry {
    float own;     // (1 − β)·Q, or the certain score
    float spread;  // (1 − β) / √n, what exploration is multiplied with
  };
  Entry* entry;
  float* attention;           // P / (1 + n)
  float* trust;               // β
  std::int32_t* amaf_sum;     // all moves as first: scores in 256ths,
  std::int32_t* amaf_visits;  // and how many
};

// Which arrays the tables of a tree have.
struct TableShape {
  bool attention = false;
  bool trust = false;
  bool amaf = false;
  bool available = false;  // see Tree::available
};

struct Unit {
  alignas(16) std::byte bytes[32];
};

class Tree {
 public:
  // `wide`: moves need 32 bits in the stored lists; 16 are enough for most games.
  Tree(std::size_t memory, TableShape shape, bool wide);

  // One per worker: allocation without locks inside a segment of its own, and a count that no other thread writes.
  struct Allocator {
    Index next = 0;
    Index end = 0;
    std::atomic<std::uint64_t> nodes{0};

    void reset() {
      next = end = 0;
      nodes.store(0, std::memory_order_relaxed);
    }
  };

  Node& node(Index index) { return *reinterpret_cast<Node*>(unit(index)); }
  const Node& node(Index index) const { return *reinterpret_cast<const Node*>(unit(index)); }
  Family& family(Index index) { return *reinterpret_cast<Family*>(unit(index)); }
  const Family& family(Index index) const { return *reinterpret_cast<const Family*>(unit(index)); }
  Table table(const Family& of) const;
  // How often each move was legal, where that depends on what is hidden; behind the table, out of everybody else's way.
  static std::uint32_t* available(const Table& of) {
    return reinterpret_cast<std::uint32_t*>(of.child + rounded(of.capacity));
  }

  Index new_node(Allocator& from, Move move, float prior);
  // A family for these moves, with room for `capacity` of them in its table. `priors` may be empty: all alike.
  // Returns 0 when the memory is full.
  Index new_family(Allocator& from, const MoveList& moves, const std::vector<float>& priors, std::uint32_t limit,
                   float exploration, std::uint32_t capacity);
  // The child at a position, made if it does not exist yet; 0 when the memory is full or another thread is at it.
  Index ensure_child(Allocator& from, Family& of, std::uint32_t position);
  // The next untried move's position, made ready; no_position when there is none, or as above.
  std::uint32_t try_next(Allocator& from, Family& of);
  static constexpr std::uint32_t no_position = 0xFFFFFFFFU;
  // More moves for a family whose table is whole, with the priors beside them, or none. False when the memory is full.
  // For one thread alone.
  bool add_moves(Allocator& from, Family& of, const MoveList& moves, const std::vector<float>& priors);

  Move move_at(const Family& of, std::uint32_t position) const;
  float prior_at(const Family& of, std::uint32_t position) const;
  // The sum of the first so many.
  float prior_sum(const Family& of, std::uint32_t count) const;
  // Other priors, beside the moves as they stand; then the untried moves that may be tried stand in their order. The
  // table must be whole.
  void set_priors(Allocator& from, Family& of, const std::vector<float>& priors);
  // 0 where it has not been made.
  Index child_at(const Family& of, std::uint32_t position) const;
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

  bool full() const { return full_.load(std::memory_order_relaxed); }
  // What it takes of the memory.
  std::size_t bytes() const { return used_segments_ * std::size_t{segment_units} * sizeof(Unit); }
  // Others have used up the memory: full, whatever room there is. For one thread alone.
  void close();

  // Copies what lies under `root` of another tree of the same shape. Returns the new root, whose table is whole.
  // Ends early when `enough()` says so: what is left out becomes a leaf again.
  Index copy_from(const Tree& other, Index root, Allocator& into, const std::function<bool()>& enough);

 private:
  static constexpr int segment_bits = 14;  // 512 KiB
  static constexpr Index segment_units = 1U << segment_bits;
  static constexpr Index segment_mask = segment_units - 1;

  std::byte* unit(Index index) { return segments_[index >> segment_bits][index & segment_mask].bytes; }
  const std::byte* unit(Index index) const { return segments_[index >> segment_bits][index & segment_mask].bytes; }
  Index allocate(Allocator& from, std::size_t bytes);
  Index store(Allocator& from, const void* data, std::size_t bytes);
  Index new_table(Allocator& from, std::uint32_t capacity);
  bool make_room(Allocator& from, Family& of, std::uint32_t position);
  Index make_child(Allocator& from, Family& of, std::uint32_t position);
  Table view(Index index) const;
  // A table's first 16 bytes say its capacity; the arrays follow, each a multiple of four entries of four bytes.
  static constexpr std::size_t table_header = 16;
  static std::uint32_t rounded(std::uint32_t capacity) { return (capacity + 3U) & ~3U; }
  static void copy_table(const Table& from, const Table& to);

  std::vector<std::unique_ptr<Unit[]>>
      segments_;  // sized once, filled as the tree grows: threads read it without locks
  std::uint32_t used_segments_ = 0;
  TableShape shape_;
  bool wide_;
  bool closed_ = false;
  std::atomic<bool> full_{false};
  std::mutex mutex_;
};

// Asked at every step of every simulation: the compiler shall see through them.

inline Table Tree::view(Index index) const {
  std::byte* at = const_cast<std::byte*>(unit(index));
  Table table{};
  std::memcpy(&table.capacity, at, sizeof table.capacity);
  at += table_header;
  const auto next = [&](bool wanted, std::size_t size = 4U) {
    std::byte* const here = at;
    if (wanted) at += rounded(table.capacity) * size;
    return wanted ? here : nullptr;
  };
  // In the order of use: what selection reads first lies on the same cache line as the capacity.
  table.entry = reinterpret_cast<Table::Entry*>(next(true, sizeof(Table::Entry)));
  table.attention = reinterpret_cast<float*>(next(shape_.attention));
  table.trust = reinterpret_cast<float*>(next(shape_.trust));
  table.amaf_sum = reinterpret_cast<std::int32_t*>(next(shape_.amaf));
  table.amaf_visits = reinterpret_cast<std::int32_t*>(next(shape_.amaf));
  table.child = reinterpret_cast<std::atomic<Index>*>(next(true));
  return table;
}

inline Table Tree::table(const Family& of) const { return view(of.table.load(std::memory_order_acquire)); }

inline Move Tree::move_at(const Family& of, std::uint32_t position) const {
  Move move = no_move;
  with_moves(of, [&](const auto* list) { move = list[position]; });
  return move;
}

inline float Tree::prior_at(const Family& of, std::uint32_t position) const {
  if (of.priors == no_index) return 1.0F / static_cast<float>(of.total);
  return reinterpret_cast<const float*>(unit(of.priors))[position];
}

inline Index Tree::child_at(const Family& of, std::uint32_t position) const {
  const Table at = table(of);
  return position < at.capacity ? at.child[position].load(std::memory_order_acquire) : no_index;
}

}  // namespace tesuji
