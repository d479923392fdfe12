#include "search/tree/tree.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <numeric>
#include <stdexcept>

namespace tesuji {

// Segments of trees that are gone, for all threads. The system clears memory before it hands it out: in self-play,
// where every move has a tree of its own, that took a quarter of the time. Never destroyed: a tree may outlive it.
class Tree::SpareSegments {
 public:
  static SpareSegments& shared() {
    static SpareSegments* const spare = new SpareSegments;
    return *spare;
  }

  Segment* take() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (count_ > 0) return spare_[--count_];
    }
    return new Segment;
  }
  void give(Segment* segment) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (count_ < spare_.size()) {
        spare_[count_++] = segment;
        return;
      }
    }
    delete segment;
  }

 private:
  std::mutex mutex_;
  std::size_t count_ = 0;
  std::array<Segment*, 16> spare_;  // 8 MiB
};

void Tree::Recycle::operator()(Segment* segment) const { SpareSegments::shared().give(segment); }

namespace {

// Copies an array that other threads may be writing; null: there is none.
template <typename T>
void copy(T* from, T* to, std::uint32_t count) {
  for (std::uint32_t i = 0; from != nullptr && i < count; ++i) to[i] = load(from[i]);
}

}  // namespace

Tree::Tree(std::size_t memory, ChildTableShape shape, bool wide) : shape_(shape), wide_(wide) {
  // Index 0 means "none", so 2^32 units are out of reach; the smallest tree has two segments.
  const std::size_t most = (std::size_t{1} << (32 - segment_bits)) - 1;
  segments_.resize(std::clamp<std::size_t>(memory / sizeof(Segment), 2, most));
}

void Tree::close() {
  closed_ = true;
  full_.store(true, relaxed);
}

Index Tree::allocate(Allocator& from, std::size_t bytes_wanted) {
  if (closed_) return no_index;
  const std::size_t units = (bytes_wanted + sizeof(Unit) - 1) / sizeof(Unit);
  if (from.end - from.next < units) {
    if (units > segment_units - 1) {
      throw std::length_error("a position has too many moves for the search tree");
    }
    if (full()) return no_index;  // without a lock that all threads would contend for
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::uint32_t used = used_segments_.load(relaxed);
    if (used == segments_.size()) {
      full_.store(true, relaxed);
      return no_index;
    }
    // Uninitialized: every allocation is written completely.
    segments_[used].reset(SpareSegments::shared().take());
    from.next = used * segment_units + (used == 0 ? 1 : 0);
    from.end = (used + 1) * segment_units;
    used_segments_.store(used + 1, relaxed);
  }
  const Index index = from.next;
  from.next += static_cast<Index>(units);
  return index;
}

Index Tree::store(Allocator& from, const void* data, std::size_t bytes_wanted) {
  const Index index = allocate(from, bytes_wanted);
  if (index != no_index) std::memcpy(unit(index), data, bytes_wanted);
  return index;
}

Index Tree::new_node(Allocator& from, Move move, float prior) {
  const Index index = allocate(from, sizeof(Node));
  if (index == no_index) return no_index;
  Node* fresh = new (unit(index)) Node{};
  fresh->move = move;
  fresh->prior = prior;
  fresh->player.store(player_unknown, relaxed);
  from.nodes.store(from.nodes.load(relaxed) + 1, relaxed);
  return index;
}

Index Tree::new_table(Allocator& from, std::uint32_t capacity) {
  const std::size_t arrays = 3U + shape_.prior_term + shape_.beta + 2U * shape_.amaf + shape_.available;
  const std::size_t bytes_wanted = table_header + arrays * rounded(capacity) * 4U;
  const Index index = allocate(from, bytes_wanted);
  if (index == no_index) return no_index;
  std::memset(unit(index), 0, bytes_wanted);
  std::memcpy(unit(index), &capacity, sizeof capacity);
  const ChildTable table = view(index);
  if (table.beta != nullptr) {
    std::fill_n(table.beta, capacity, 1.0F);  // untried: only RAVE counts
    std::fill_n(table.entry, capacity, ChildTable::Entry{0.0F, 1.0F});
  }
  return index;
}

Index Tree::new_edges(Allocator& from, const MoveList& moves, const std::vector<float>& priors, std::uint32_t limit,
                      float exploration, std::uint32_t capacity) {
  const auto total = static_cast<std::uint32_t>(moves.size());
  const Index index = allocate(from, sizeof(Edges));
  if (index == no_index) return no_index;
  Edges* made = new (unit(index)) Edges{};
  made->total = total;
  made->limit.store(limit, relaxed);
  made->exploration = exploration;
  if (wide_) {
    made->moves = store(from, moves.data(), total * sizeof(Move));
  } else {
    const std::vector<std::uint16_t> narrow(moves.begin(), moves.end());
    made->moves = store(from, narrow.data(), total * sizeof(std::uint16_t));
  }
  if (made->moves == no_index) return no_index;
  if (!priors.empty()) {
    made->priors = store(from, priors.data(), total * sizeof(float));
    if (made->priors == no_index) return no_index;
  }
  const Index table_index = new_table(from, std::min(capacity, total));
  made->table.store(table_index, relaxed);
  if (table_index == no_index) return no_index;
  const ChildTable fresh = view(table_index);
  if (fresh.prior_term != nullptr) {
    for (std::uint32_t i = 0; i < fresh.capacity; ++i) fresh.prior_term[i] = prior_at(*made, i);
  }
  return index;
}

float Tree::prior_sum(const Edges& of, std::uint32_t count) const {
  if (of.priors == no_index) return static_cast<float>(count) / static_cast<float>(of.total);
  const auto* const priors = reinterpret_cast<const float*>(unit(of.priors));
  return std::accumulate(priors, priors + count, 0.0F);
}

void Tree::set_priors(Allocator& from, Edges& of, const std::vector<float>& priors) {
  const std::uint32_t limit = of.limit.load(relaxed);
  const std::uint32_t tried = std::min(of.tried.load(relaxed), limit);
  std::vector<std::uint32_t> order(of.total);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin() + tried, order.begin() + limit,
                   [&](std::uint32_t a, std::uint32_t b) { return priors[a] > priors[b]; });
  const auto permute = [&](auto* list) {
    const std::vector old(list, list + of.total);
    for (std::uint32_t i = 0; i < of.total; ++i) list[i] = old[order[i]];
  };
  if (wide_) {
    permute(reinterpret_cast<Move*>(unit(of.moves)));
  } else {
    permute(reinterpret_cast<std::uint16_t*>(unit(of.moves)));
  }
  std::vector<float> sorted = priors;
  permute(sorted.data());
  if (of.priors != no_index) {
    std::memcpy(unit(of.priors), sorted.data(), of.total * sizeof(float));
  } else {
    of.priors = store(from, sorted.data(), of.total * sizeof(float));
  }
  const ChildTable at = table(of);
  permute(at.entry);
  std::vector<Index> children;
  children.reserve(of.total);
  for (std::uint32_t i = 0; i < of.total; ++i) children.push_back(at.child[order[i]].load());
  for (std::uint32_t i = 0; i < of.total; ++i) {
    at.child[i].store(children[i]);
    if (children[i] != no_index) node(children[i]).prior = sorted[i];
    if (at.prior_term != nullptr) at.prior_term[i] = sorted[i];
  }
}

void Tree::copy_table(const ChildTable& from, const ChildTable& to) {
  for (std::uint32_t i = 0; i < from.capacity; ++i) to.child[i].store(from.child[i].load(acquire), relaxed);
  copy(from.entry, to.entry, from.capacity);
  copy(from.prior_term, to.prior_term, from.capacity);
  copy(from.beta, to.beta, from.capacity);
  copy(from.amaf_sum, to.amaf_sum, from.capacity);
  copy(from.amaf_visits, to.amaf_visits, from.capacity);
}

// Replaces a table that is too small. Updates that other threads still write to the old one are repaired by the next
// visit.
bool Tree::make_room(Allocator& from, Edges& of, std::uint32_t position) {
  constexpr std::uint32_t growth = 4;
  const ChildTable old = table(of);
  if (position < old.capacity) return true;
  const Index larger = new_table(from, std::min(of.total, std::max(position + 1, growth * old.capacity)));
  if (larger == no_index) return false;
  const ChildTable fresh = view(larger);
  copy_table(old, fresh);
  if (fresh.prior_term != nullptr) {
    for (std::uint32_t i = old.capacity; i < fresh.capacity; ++i) fresh.prior_term[i] = prior_at(of, i);
  }
  of.table.store(larger, release);
  return true;
}

// The lists have the capacity of the table and are reallocated together with it. Only used by information-set search.
bool Tree::add_moves(Allocator& from, Edges& of, const MoveList& moves, const std::vector<float>& priors) {
  const ChildTable old = table(of);
  const std::uint32_t total = of.total + static_cast<std::uint32_t>(moves.size());
  const bool larger = total > old.capacity;
  const std::uint32_t capacity = larger ? std::max(total, old.capacity + old.capacity / 2 + 8) : old.capacity;
  Index to_moves = of.moves;
  Index to_priors = of.priors;
  Index to_table = of.table.load(relaxed);
  const std::size_t move_size = wide_ ? sizeof(Move) : sizeof(std::uint16_t);
  if (larger) to_moves = allocate(from, capacity * move_size);
  if ((larger && of.priors != no_index) || (of.priors == no_index && !priors.empty())) {
    to_priors = allocate(from, capacity * sizeof(float));
    if (to_priors == no_index) return false;
    auto* const list = reinterpret_cast<float*>(unit(to_priors));
    for (std::uint32_t i = 0; i < of.total; ++i) list[i] = prior_at(of, i);
  }
  if (larger) to_table = new_table(from, capacity);
  if (to_moves == no_index || to_table == no_index) return false;
  const ChildTable fresh = view(to_table);
  if (larger) {
    std::memcpy(unit(to_moves), unit(of.moves), of.total * move_size);
    copy_table(old, fresh);
    std::copy_n(available(old), of.total, available(fresh));
  }
  for (std::uint32_t i = 0; i < moves.size(); ++i) {
    const std::uint32_t at = of.total + i;
    if (wide_) {
      reinterpret_cast<Move*>(unit(to_moves))[at] = moves[i];
    } else {
      reinterpret_cast<std::uint16_t*>(unit(to_moves))[at] = static_cast<std::uint16_t>(moves[i]);
    }
    const float prior = priors.empty() ? 1.0F / static_cast<float>(total) : priors[i];
    if (to_priors != no_index) reinterpret_cast<float*>(unit(to_priors))[at] = prior;
    if (fresh.prior_term != nullptr) fresh.prior_term[at] = prior;
  }
  of.moves = to_moves;
  of.priors = to_priors;
  of.table.store(to_table, relaxed);
  of.total = total;
  of.limit.store(total, relaxed);
  return true;
}

Index Tree::make_child(Allocator& from, Edges& of, std::uint32_t position) {
  if (!make_room(from, of, position)) return no_index;
  const ChildTable at = table(of);
  const Index known = at.child[position].load(acquire);
  if (known != no_index) return known;
  const Index made = new_node(from, move_at(of, position), prior_at(of, position));
  at.child[position].store(made, release);
  return made;
}

Index Tree::ensure_child(Allocator& from, Edges& of, std::uint32_t position) {
  const Index known = child_at(of, position);
  if (known != no_index || exhausted(from) || of.busy.exchange(1, acquire) != 0) return known;
  const Index made = make_child(from, of, position);
  of.busy.store(0, release);
  return made;
}

std::uint32_t Tree::try_next(Allocator& from, Edges& of) {
  if (exhausted(from) && child_at(of, of.tried.load(relaxed)) == no_index) return no_position;
  if (of.busy.exchange(1, acquire) != 0) return no_position;
  const std::uint32_t position = of.tried.load(relaxed);
  const bool made = position < of.limit.load(relaxed) && make_child(from, of, position) != no_index;
  if (made) of.tried.store(position + 1, release);
  of.busy.store(0, release);
  return made ? position : no_position;
}

Index Tree::copy_from(const Tree& other, Index root, Allocator& into, const std::function<bool()>& enough) {
  const auto copy_node = [&](Index from) {
    const Node& old = other.node(from);
    const Index to = new_node(into, old.move, old.prior);
    if (to == no_index) return no_index;
    Node& fresh = node(to);
    fresh.score_sum.store(old.score_sum.load());
    fresh.visits.store(old.visits.load());
    fresh.outcome.store(old.outcome.load());
    fresh.player.store(old.player.load());
    fresh.marks.store(old.marks.load());
    fresh.estimate = old.estimate;
    return to;
  };
  struct Pair {
    Index from;
    Index to;
  };
  const Index top = copy_node(root);
  std::vector<Pair> open{{root, top}};
  MoveList moves;
  std::vector<float> priors;
  for (std::uint32_t copied = 0; !open.empty(); ++copied) {
    if (copied % 1024 == 1023 && enough()) break;
    const Pair pair = open.back();
    open.pop_back();
    const Index old_edges = other.node(pair.from).edges.load();
    if (old_edges == no_index) continue;
    const Edges& old = other.edges(old_edges);
    const ChildTable old_table = other.table(old);
    moves.clear();
    priors.clear();
    for (std::uint32_t i = 0; i < old.total; ++i) {
      moves.push_back(other.move_at(old, i));
      if (old.priors != no_index) priors.push_back(other.prior_at(old, i));
    }
    const std::uint32_t capacity = pair.to == top ? old.total : old_table.capacity;
    const Index made = new_edges(into, moves, priors, old.limit.load(), old.exploration, capacity);
    if (made == no_index) continue;  // out of memory: the node becomes a leaf again
    Edges& fresh = edges(made);
    fresh.tried.store(old.tried.load());
    const ChildTable fresh_table = table(fresh);
    copy_table(old_table, fresh_table);
    for (std::uint32_t i = 0; i < old_table.capacity; ++i) {
      const Index from = old_table.child[i].load();
      const Index to = from == no_index ? no_index : copy_node(from);
      fresh_table.child[i].store(to);
      if (to != no_index) open.push_back({from, to});
    }
    node(pair.to).edges.store(made);
  }
  return top;
}

}  // namespace tesuji
