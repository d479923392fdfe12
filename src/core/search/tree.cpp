#include "search/tree.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

namespace tesuji {

namespace {

constexpr std::uint32_t first_block_size = 4;

std::uint32_t units_for(std::size_t bytes) {
  return static_cast<std::uint32_t>((bytes + sizeof(Unit) - 1) / sizeof(Unit));
}

}  // namespace

Tree::Tree(std::size_t memory, bool with_amaf, bool wide) : with_amaf_(with_amaf), wide_(wide), memory_(memory) {
  const std::size_t segment_bytes = segment_units * (sizeof(Unit) + (with_amaf ? sizeof(Amaf) : 0));
  // Index 0 means "none", so 2^32 units are out of reach; the smallest tree has two segments.
  const std::size_t most = (std::size_t{1} << (32 - segment_bits)) - 1;
  segments_.resize(std::clamp<std::size_t>(memory / segment_bytes, 2, most));
}

std::size_t Tree::bytes() const {
  return used_segments_ * std::size_t{segment_units} * (sizeof(Unit) + (with_amaf_ ? sizeof(Amaf) : 0)) +
         nodes() * extra_bytes_per_node_;
}

Index Tree::allocate(Allocator& from, std::uint32_t units) {
  if (from.end - from.next < units) {
    if (units > segment_units - 1) {
      throw std::length_error("a position with so many moves does not fit into the search tree");
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    const bool over_budget = extra_bytes_per_node_ > 0 && bytes() > memory_;
    if (used_segments_ == segments_.size() || over_budget) {
      full_.store(true, std::memory_order_relaxed);
      return no_index;
    }
    Segment& segment = segments_[used_segments_];
    // Value-initialised on purpose nowhere: a node is written whole when it is made.
    segment.units.reset(new Unit[segment_units]);
    if (with_amaf_) segment.amaf.reset(new Amaf[segment_units]);
    from.next = used_segments_ * segment_units + (used_segments_ == 0 ? 1 : 0);
    from.end = (used_segments_ + 1) * segment_units;
    ++used_segments_;
  }
  const Index index = from.next;
  from.next += units;
  return index;
}

void Tree::init_node(Index index, Move move, float prior) {
  Node* fresh = new (unit(index)) Node{};
  fresh->move = move;
  fresh->prior = prior;
  fresh->player.store(player_unknown, std::memory_order_relaxed);
  if (with_amaf_) new (&amaf(index)) Amaf{};
}

Index Tree::new_node(Allocator& from, Move move, float prior) {
  const Index index = allocate(from, 1);
  if (index != no_index) {
    init_node(index, move, prior);
    nodes_.fetch_add(1, std::memory_order_relaxed);
  }
  return index;
}

Index Tree::store_list(Allocator& from, const void* data, std::size_t bytes) {
  const Index index = allocate(from, units_for(bytes));
  if (index != no_index) std::memcpy(unit(index), data, bytes);
  return index;
}

Index Tree::new_family(Allocator& from, const MoveList& moves, const std::vector<float>& priors, std::uint32_t limit,
                       float exploration, bool all_at_once) {
  const auto total = static_cast<std::uint32_t>(moves.size());
  const Index index = allocate(from, units_for(sizeof(Family)));
  if (index == no_index) return no_index;
  Family* made = new (unit(index)) Family{};
  made->total = total;
  made->limit.store(limit, std::memory_order_relaxed);
  made->exploration = exploration;
  if (wide_) {
    made->moves = store_list(from, moves.data(), total * sizeof(Move));
  } else {
    const std::vector<std::uint16_t> narrow(moves.begin(), moves.end());
    made->moves = store_list(from, narrow.data(), total * sizeof(std::uint16_t));
  }
  if (made->moves == no_index) return no_index;
  const float alike = 1.0F / static_cast<float>(total);
  if (all_at_once) {
    made->first_block = total;
    made->block[0] = allocate(from, total);
    if (made->block[0] == no_index) return no_index;
    for (std::uint32_t i = 0; i < total; ++i)
      init_node(made->block[0] + i, moves[i], priors.empty() ? alike : priors[i]);
    made->created.store(total, std::memory_order_relaxed);
    nodes_.fetch_add(total, std::memory_order_relaxed);
    return index;
  }
  made->first_block = first_block_size;
  if (!priors.empty()) {
    made->priors = store_list(from, priors.data(), total * sizeof(float));
    if (made->priors == no_index) return no_index;
  }
  return index;
}

Move Tree::move_at(const Family& of, std::uint32_t position) const {
  const std::byte* list = unit(of.moves);
  if (wide_) return reinterpret_cast<const Move*>(list)[position];
  return reinterpret_cast<const std::uint16_t*>(list)[position];
}

float Tree::prior_at(const Family& of, std::uint32_t position) const {
  if (of.all_at_once()) return node(of.block[0] + position).prior;
  if (of.priors == no_index) return 1.0F / static_cast<float>(of.total);
  return reinterpret_cast<const float*>(unit(of.priors))[position];
}

Index Tree::child_at(const Family& of, std::uint32_t position) const {
  std::uint32_t size = of.first_block;
  int i = 0;
  for (; i < family_blocks - 1 && position >= size; ++i, size *= 2) position -= size;
  return of.block[i] + position;
}

Index Tree::add_child(Allocator& from, Family& of) {
  if (of.growing.exchange(1, std::memory_order_acquire) != 0) return no_index;
  Index made = no_index;
  const std::uint32_t position = of.created.load(std::memory_order_relaxed);
  if (position < of.limit.load(std::memory_order_relaxed)) {
    std::uint32_t size = of.first_block;
    std::uint32_t inside = position;
    int i = 0;
    for (; i < family_blocks - 1 && inside >= size; ++i, size *= 2) inside -= size;
    const std::uint32_t left = of.total - position;
    if (inside == 0) of.block[i] = allocate(from, i == family_blocks - 1 ? left : std::min(size, left));
    if (of.block[i] != no_index) {
      made = of.block[i] + inside;
      init_node(made, move_at(of, position), prior_at(of, position));
      nodes_.fetch_add(1, std::memory_order_relaxed);
      of.created.store(position + 1, std::memory_order_release);
    }
  }
  of.growing.store(0, std::memory_order_release);
  return made;
}

Index Tree::copy_from(const Tree& other, Index root, Allocator& into) {
  const auto copy_node = [&](Index from, Index to) {
    const Node& old = other.node(from);
    init_node(to, old.move, old.prior);
    Node& fresh = node(to);
    fresh.score_sum.store(old.score_sum.load());
    fresh.visits.store(old.visits.load());
    fresh.outcome.store(old.outcome.load());
    fresh.player.store(old.player.load());
    if (with_amaf_) amaf(to).packed.store(other.amaf(from).packed.load());
  };
  struct Pair {
    Index from;
    Index to;
  };
  const Index top = new_node(into, no_move, 1.0F);
  copy_node(root, top);
  std::vector<Pair> open{{root, top}};
  MoveList moves;
  std::vector<float> priors;
  while (!open.empty()) {
    const Pair pair = open.back();
    open.pop_back();
    const Index old_family = other.node(pair.from).family.load();
    if (old_family == no_index) continue;
    const Family& old = other.family(old_family);
    moves.clear();
    priors.clear();
    for (std::uint32_t i = 0; i < old.total; ++i) {
      moves.push_back(other.move_at(old, i));
      if (old.all_at_once() || old.priors != no_index) priors.push_back(other.prior_at(old, i));
    }
    const bool all_at_once = old.all_at_once() || pair.to == top;
    const Index made = new_family(into, moves, priors, old.limit.load(), old.exploration, all_at_once);
    if (made == no_index) continue;  // the copy is full: the node becomes a leaf again
    Family& fresh = family(made);
    const std::uint32_t children = old.created.load();
    for (std::uint32_t i = 0; i < children; ++i) {
      const Index to = all_at_once ? child_at(fresh, i) : add_child(into, fresh);
      if (to == no_index) break;
      const Index from = other.child_at(old, i);
      copy_node(from, to);
      open.push_back({from, to});
    }
    node(pair.to).family.store(made);
  }
  return top;
}

}  // namespace tesuji
