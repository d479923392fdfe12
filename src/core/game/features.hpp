// Features for learning: what describes a position from one player's point of view. Named numbers, and codes of a
// sparse table; a game may have either or both.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "game/codes.hpp"
#include "game/replay.hpp"
#include "game/state.hpp"

namespace tesuji {

// A limit, so that values are computed without allocating.
inline constexpr std::size_t max_features = 512;

class Features {
 public:
  explicit Features(std::vector<std::string> names = {}) : names_(std::move(names)) {}
  virtual ~Features() = default;
  // Increased whenever a feature or a code is added, removed or redefined; a model records the version it was trained
  // with.
  virtual int version() const = 0;

  // Named numbers. Like everything below, called from several threads at once.

  const std::vector<std::string>& names() const { return names_; }
  // Writes names().size() numbers.
  virtual void extract(const State&, int /*player*/, double* /*out*/) const {}

  // Codes.

  // Every code is smaller; 0: the game has none.
  virtual Code codes() const { return 0; }
  // A code in words, and the words under which an explanation adds up codes of one kind.
  virtual std::string code_name(Code code) const { return std::to_string(code); }
  virtual std::string code_group(Code code) const { return code_name(code); }
  // Fills the list with the position's codes, in any order; a code may occur several times.
  virtual void extract_codes(const State&, int /*player*/, std::vector<Code>& codes) const { codes.clear(); }
  // The sum of the weights of the position's codes, in units of CodeWeights. A game overrides it if its states update
  // the sum move by move; the result must be the same.
  virtual std::int64_t sum_codes(const State& state, int player,
                                 const std::shared_ptr<const CodeWeights>& weights) const;

 private:
  std::vector<std::string> names_;
};

// The positions of recorded games, one row each.
struct FeatureTable {
  std::size_t rows = 0;
  std::unique_ptr<double[]> features;  // row by row, from the point of view of the side to move
  CodeRows codes;
  std::vector<std::int32_t> game;
  std::vector<std::int32_t> ply;
  std::vector<std::int32_t> player;
};

// Replays the games and extracts every position in which a player is to move (no terminal or chance nodes). Throws
// std::invalid_argument on an illegal move. `poll` is called regularly by the calling thread and may throw. Rows are in
// the order of the games, whatever the number of threads.
FeatureTable extract_games(const Features& features, const std::vector<GameMoves>& games, int threads,
                           const std::function<void()>& poll);

}  // namespace tesuji
