// Proven outcomes, and the rules by which they are backed up.
//
// An outcome is a vector of scores, NaN where a player's score is unknown. A node is proven if a child is proven to
// give its side to move the full score of 1, or if all legal moves are proven; the side to move takes the best. With
// more than two players, a score of 1 does not determine the other scores, and equally good moves may differ in them:
// those entries stay unknown. Samples never prove anything.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <mutex>

#include "base/atomics.hpp"
#include "game/state.hpp"

namespace tesuji {

// In a game of two players.
inline Scores scores_of_two(int player, double score) {
  Scores scores{};
  scores[player] = score;
  scores[1 - player] = 1.0 - score;
  return scores;
}

using Outcome = std::uint8_t;
inline constexpr Outcome unproven = 0;

// Interns the distinct outcomes of a search, so that a node refers to one by a byte.
class Outcomes {
 public:
  explicit Outcomes(int players) : players_(players) {
    // Reserve the most important outcomes, however many others a game has: a single winner, and a draw.
    for (int winner = 0; winner < players; ++winner) {
      Scores scores{};
      scores[winner] = 1.0;
      intern(scores);
    }
    Scores even{};
    std::fill_n(even.begin(), players, 1.0 / players);
    intern(even);
  }

  // The index of this outcome; `unproven` if the table is full.
  Outcome intern(const Scores& scores) {
    const Outcome known = find(scores, size_.load(acquire));
    if (known != unproven) return known;
    const std::lock_guard<std::mutex> lock(mutex_);
    const int size = size_.load(relaxed);
    const Outcome meanwhile = find(scores, size);
    if (meanwhile != unproven || size == static_cast<int>(table_.size())) return meanwhile;
    table_[size] = scores;
    size_.store(size + 1, release);
    return static_cast<Outcome>(size);
  }

  const Scores& scores(Outcome outcome) const { return table_[outcome]; }
  double score(Outcome outcome, int player) const { return table_[outcome][player]; }
  bool known(Outcome outcome, int player) const { return outcome != unproven && !std::isnan(score(outcome, player)); }
  // Whether every player's score is known.
  bool complete(Outcome outcome) const {
    if (outcome == unproven) return false;
    const Scores& all = table_[outcome];
    return std::none_of(all.begin(), all.begin() + players_, [](double score) { return std::isnan(score); });
  }
  int players() const { return players_; }

  // `scores` of a move that the side to move chooses; with more than two players the others' scores are unknown.
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
