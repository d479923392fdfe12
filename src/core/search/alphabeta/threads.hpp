// Several threads in one alpha-beta search.
//
// Each thread runs the whole iterative deepening by itself. They share the transposition table, so that what one thread
// has searched is a cutoff for the others (lazy SMP). A move that another thread is searching in the same position and
// at the same depth is postponed, which keeps the threads apart (ABDADA, Weill 1996, in Kerrigan's simplified form).
// Only the main thread's result is reported.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/atomics.hpp"
#include "base/hash.hpp"
#include "base/move_list.hpp"

namespace tesuji {

// The moves that are being searched, as a lossy hash set: after a collision two threads may search the same move.
class MovesInProgress {
 public:
  bool contains(std::uint64_t key) const { return slots_[key >> (64 - bits)].load(relaxed) == key; }
  void insert(std::uint64_t key) { slots_[key >> (64 - bits)].store(key, relaxed); }
  void erase(std::uint64_t key) {
    if (contains(key)) slots_[key >> (64 - bits)].store(0, relaxed);
  }

 private:
  static constexpr int bits = 12;
  std::array<std::atomic<std::uint64_t>, std::size_t{1} << bits> slots_{};
};

// The search of a move by this thread.
class MoveInProgress {
 public:
  // Without a set, nothing is shared.
  MoveInProgress(MovesInProgress* set, std::uint64_t hash, Move move, int depth) : set_(set) {
    if (set_ != nullptr) key_ = mix(hash + golden_ratio * (std::uint64_t{move} << 16 | static_cast<unsigned>(depth)));
  }
  ~MoveInProgress() {
    if (began_) set_->erase(key_);
  }
  MoveInProgress(const MoveInProgress&) = delete;
  MoveInProgress& operator=(const MoveInProgress&) = delete;

  // Whether another thread is searching the move.
  bool taken() const { return set_ != nullptr && set_->contains(key_); }
  void begin() {
    if (set_ == nullptr) return;
    set_->insert(key_);
    began_ = true;
  }

 private:
  MovesInProgress* set_;
  std::uint64_t key_ = 0;
  bool began_ = false;
};

// What the threads of a search share, besides the table.
struct AlphaBetaTeam {
  MovesInProgress moves;
  std::atomic<bool> stopped{false};
  std::atomic<std::uint64_t> helper_nodes{0};  // of all threads but the main one
};

}  // namespace tesuji
