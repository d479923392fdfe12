// Features for learning: named numbers that describe a position from one player's point of view.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "game/state.hpp"

namespace tesuji {

// A limit, so that values are computed without allocating.
inline constexpr std::size_t max_features = 512;

class Features {
 public:
  virtual ~Features() = default;
  virtual const std::vector<std::string>& names() const = 0;
  // Increased whenever a feature is added, removed or redefined; a model records the version it was trained with.
  virtual int version() const = 0;
  // Writes names().size() numbers. Called from several threads at once.
  virtual void extract(const State& state, int player, double* out) const = 0;
};

// The positions of recorded games, one row each.
struct FeatureTable {
  std::size_t rows = 0;
  std::unique_ptr<double[]> features;  // row by row, from the point of view of the side to move
  std::vector<std::int32_t> game;
  std::vector<std::int32_t> ply;
  std::vector<std::int32_t> player;
};

struct GameMoves {
  const State* start;
  const Move* moves;
  std::size_t count;
};

// Replays the games and extracts every position in which a player is to move (no terminal or chance nodes). Throws
// std::invalid_argument on an illegal move. `poll` is called regularly by the calling thread and may throw. Rows are in
// the order of the games, whatever the number of threads.
FeatureTable extract_games(const Features& features, const std::vector<GameMoves>& games, int threads,
                           const std::function<void()>& poll);

}  // namespace tesuji
