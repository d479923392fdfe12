// Features: what a game offers to learn from, as named numbers of a position seen from one player's side.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "game/state.hpp"

namespace tesuji {

// So that a value can be computed without allocating.
inline constexpr std::size_t max_features = 512;

class Features {
 public:
  virtual ~Features() = default;
  virtual const std::vector<std::string>& names() const = 0;
  // Grows whenever a feature comes, goes, or changes its meaning: a model knows which version it was trained with.
  virtual int version() const = 0;
  // Writes names().size() numbers. Called from several threads at once.
  virtual void extract(const State& state, int player, double* out) const = 0;
};

// The positions of recorded games as a table, one row each.
struct FeatureTable {
  std::size_t rows = 0;
  std::unique_ptr<double[]> features;  // row by row, from the side of the player to move
  std::vector<std::int32_t> game;
  std::vector<std::int32_t> ply;
  std::vector<std::int32_t> player;
};

// One game: where it starts and its moves.
struct GameMoves {
  const State* start;
  const Move* moves;
  std::size_t count;
};

// Plays the games again and extracts every position in which a player is to move: not the terminal ones, nor those in
// which nature moves. std::invalid_argument where a move is not legal. `poll` is called now and then, by the calling
// thread, and may throw. Rows are in the order of the games, whatever the number of threads.
FeatureTable extract_games(const Features& features, const std::vector<GameMoves>& games, int threads,
                           const std::function<void()>& poll);

}  // namespace tesuji
