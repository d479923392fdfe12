// What a search has proven: exact results, and the rules by which they go up the tree.
//
// An outcome is a vector of scores; NaN stands for "not known for this player". A finished game is an outcome. A node
// is proven when its mover has a child that is certain to give the full score of 1, or when every legal move is
// accounted for; then the mover takes the best. With more than two players a certain 1 says nothing about how the
// others share the rest, and equally good moves may treat them differently: those entries stay unknown. Nothing is
// ever proven from a sample.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <mutex>

#include "game/state.hpp"

namespace tesuji {

using Outcome = std::uint8_t;
inline constexpr Outcome unproven = 0;

// The few different results that one search meets, so that a node can name one in a byte.
class Outcomes {
 public:
  explicit Outcomes(int players) : players_(players) {
    // Room for what matters most, however many other results a game may have: one wins all, or all share alike.
    for (int winner = 0; winner < players; ++winner) {
      Scores scores{};
      scores[winner] = 1.0;
      intern(scores);
    }
    Scores even{};
    std::fill_n(even.begin(), players, 1.0 / players);
    intern(even);
  }

  // The name of this result; `unproven` when there are too many different ones to keep.
  Outcome intern(const Scores& scores) {
    const Outcome known = find(scores, size_.load(std::memory_order_acquire));
    if (known != unproven) return known;
    const std::lock_guard<std::mutex> lock(mutex_);
    const int size = size_.load(std::memory_order_relaxed);
    const Outcome meanwhile = find(scores, size);
    if (meanwhile != unproven || size == static_cast<int>(table_.size())) return meanwhile;
    table_[size] = scores;
    size_.store(size + 1, std::memory_order_release);
    return static_cast<Outcome>(size);
  }

  const Scores& scores(Outcome outcome) const { return table_[outcome]; }
  double score(Outcome outcome, int player) const { return table_[outcome][player]; }
  bool known(Outcome outcome, int player) const { return outcome != unproven && !std::isnan(score(outcome, player)); }
  // Proven, and known for every player.
  bool complete(Outcome outcome) const {
    if (outcome == unproven) return false;
    const Scores& all = table_[outcome];
    return std::none_of(all.begin(), all.begin() + players_, [](double score) { return std::isnan(score); });
  }
  int players() const { return players_; }

  // The mover is certain of `scores`; what the others get is certain only between two.
  Scores after_choice(const Scores& scores, int mover) const {
    Scores result = scores;
    if (players_ > 2) {
      result.fill(std::nan(""));
      result[mover] = scores[mover];
    }
    return result;
  }

 private:
  Outcome find(const Scores& scores, int size) const {
    for (int i = 1; i < size; ++i) {
      bool same = true;
      for (int p = 0; p < players_; ++p) {
        const double a = table_[i][p];
        const double b = scores[p];
        same = same && (a == b || (std::isnan(a) && std::isnan(b)));
      }
      if (same) return static_cast<Outcome>(i);
    }
    return unproven;
  }

  int players_;
  std::array<Scores, 255> table_{};
  std::atomic<int> size_{1};
  std::mutex mutex_;
};

}  // namespace tesuji
