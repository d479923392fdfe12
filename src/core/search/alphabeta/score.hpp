// Alpha-beta's scores: integers for the side to move, so that null windows exist.
//
//   a value or a draw-like score v in [0, 1]       round((2v − 1) · 2²⁴)
//   a win n plies from the root                    2²⁵ − n
//   a loss n plies from the root                   −(2²⁵ − n)
//
// Wins and losses lie outside the range of values; faster wins and slower losses are better.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace tesuji {

using Score = std::int32_t;

inline constexpr Score value_scale = 1 << 24;
inline constexpr Score win_score = 1 << 25;
inline constexpr Score infinite_score = win_score + 1;
inline constexpr int max_plies = 1 << 16;  // longer than any line

inline bool wins(Score score) { return score > win_score - max_plies; }
inline bool loses(Score score) { return score < -(win_score - max_plies); }
// Every score between these two is neither a win nor a loss.
inline constexpr Score lowest_undecided = -(win_score - max_plies);
inline constexpr Score highest_undecided = -lowest_undecided;
inline bool decided(Score score) { return wins(score) || loses(score); }
// The distance from the root of a win or loss.
inline int plies_of(Score score) { return win_score - std::abs(score); }

inline Score score_of_value(double value) {
  const double score = (2.0 * value - 1.0) * value_scale;
  return static_cast<Score>(score + (score < 0 ? -0.5 : 0.5));  // faster than lround
}

// The score of a finished game, `ply` plies from the root.
inline Score score_of_result(double result, int ply) {
  if (result >= 1.0) return win_score - ply;
  if (result <= 0.0) return -(win_score - ply);
  return score_of_value(result);
}

inline double value_of_score(Score score) {
  if (decided(score)) return wins(score) ? 1.0 : 0.0;
  return (static_cast<double>(score) / value_scale + 1.0) / 2.0;
}

// The transposition table stores distances from the position, because it may be reached at another ply.
inline Score seen_from_position(Score score, int ply) {
  return wins(score) ? score + ply : loses(score) ? score - ply : score;
}
inline Score seen_from_root(Score score, int ply) {
  return wins(score) ? score - ply : loses(score) ? score + ply : score;
}

}  // namespace tesuji
