// Features for learning. A position has named numbers, and codes of a sparse table, from one player's point of view; a
// game may have either or both. A move has codes: what it looks like to the side to move.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "game/codes.hpp"
#include "game/knowledge.hpp"

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

// Codes of moves, from which a prior is learned.
class MoveFeatures {
 public:
  virtual ~MoveFeatures() = default;
  // Increased whenever a code is added, removed or redefined.
  virtual int version() const = 0;
  // Every code is smaller.
  virtual Code codes() const = 0;
  // A code in words, and the words under which an explanation adds up codes of one kind.
  virtual std::string code_name(Code code) const { return std::to_string(code); }
  virtual std::string code_group(Code code) const { return code_name(code); }
  // Fills both lists: the codes of moves[i] end before ends[i], where those of moves[i + 1] begin. Called from several
  // threads at once.
  virtual void extract(const State& state, const MoveList& moves, std::vector<Code>& codes,
                       std::vector<std::uint32_t>& ends) const = 0;
  // For every move, the sum of the weights of its codes, in units of CodeWeights. A game overrides it if it can do so
  // without listing the codes; the result must be the same.
  virtual void sum_codes(const State& state, const MoveList& moves, const std::shared_ptr<const CodeWeights>& weights,
                         std::vector<std::int32_t>& sums) const;
};

// Extraction and sums for games that describe their moves one by one: describer.describe(move, visit) calls visit(code)
// for each code.
template <typename Describer>
void extract_described(const Describer& describer, const MoveList& moves, std::vector<Code>& codes,
                       std::vector<std::uint32_t>& ends) {
  codes.clear();
  ends.clear();
  for (const Move move : moves) {
    describer.describe(move, [&](Code code) { codes.push_back(code); });
    ends.push_back(static_cast<std::uint32_t>(codes.size()));
  }
}
template <typename Describer>
void sum_described(const Describer& describer, const MoveList& moves, const CodeWeights& weights,
                   std::vector<std::int32_t>& sums) {
  const std::int32_t* const units = weights.data();
  sums.resize(moves.size());
  for (std::size_t i = 0; i < moves.size(); ++i) {
    std::int32_t sum = 0;
    describer.describe(moves[i], [&](Code code) { sum += units[code]; });
    sums[i] = sum;
  }
}

// A recorded game.
struct GameMoves {
  const State* start;
  const Move* moves;
  std::size_t count;
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

// The moves of recorded games: one row of codes for each legal move of each position.
struct MoveTable {
  CodeRows codes;
  std::vector<float> reference;      // of each row: the weight by another ordering, if one was given
  std::vector<std::int64_t> ends;    // of each position's rows
  std::vector<std::int32_t> chosen;  // the place of the move played among the position's moves
  std::vector<std::int32_t> game;
};

// As extract_games, for the positions in which a move was made among several. `first` has the first ply to use of each
// game. Of those positions each is kept with probability `share`, by a hash of its game and ply. `reference` may be
// null; where it only orders moves, the weight of a move is the number of moves that are not before it.
MoveTable extract_moves(const MoveFeatures& features, const std::vector<GameMoves>& games,
                        const std::vector<std::int32_t>& first, double share, const MoveOrdering* reference,
                        int threads, const std::function<void()>& poll);

}  // namespace tesuji
