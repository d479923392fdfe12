// Scores of alpha-beta: whole numbers for the side to move, so that windows of width one exist.
//
//   a value or an unfinished score v in [0, 1]     round((2v − 1) · 2²⁴)
//   a won game, n plies from the root              2²⁵ − n
//   a lost game, n plies from the root             −(2²⁵ − n)
//
// Order is kept, wins and losses lie outside the range of all values, an early win is better than a late one and
// a late loss better than an early one. A negated score is the other side's.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace tesuji {

using Score = std::int32_t;

inline constexpr Score value_scale = 1 << 24;
inline constexpr Score win_score = 1 << 25;
inline constexpr Score infinite_score = win_score + 1;
inline constexpr int most_plies = 1 << 16;  // longer than any line

inline bool wins(Score score) { return score > win_score - most_plies; }
inline bool loses(Score score) { return score < -(win_score - most_plies); }
inline bool decided(Score score) { return wins(score) || loses(score); }
// From the root to the end of the game, where the score is a win or a loss.
inline int plies_of(Score score) { return win_score - std::abs(score); }

inline Score score_of_value(double value) {
  const double score = (2.0 * value - 1.0) * value_scale;
  return static_cast<Score>(score + (score < 0 ? -0.5 : 0.5));  // lround would be a call
}

// A finished game, `ply` moves after the root.
inline Score score_of_result(double result, int ply) {
  if (result >= 1.0) return win_score - ply;
  if (result <= 0.0) return -(win_score - ply);
  return score_of_value(result);
}

inline double value_of_score(Score score) {
  if (decided(score)) return wins(score) ? 1.0 : 0.0;
  return (static_cast<double>(score) / value_scale + 1.0) / 2.0;
}

// In the table, distances count from the position itself: it may be reached at another ply.
inline Score seen_from_position(Score score, int ply) {
  return wins(score) ? score + ply : loses(score) ? score - ply : score;
}
inline Score seen_from_root(Score score, int ply) {
  return wins(score) ? score - ply : loses(score) ? score + ply : score;
}

}  // namespace tesuji
