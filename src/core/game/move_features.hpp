// Codes of moves, from which a prior is learned: what a move looks like to the side to move.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "game/codes.hpp"
#include "game/knowledge.hpp"
#include "game/replay.hpp"
#include "game/state.hpp"

namespace tesuji {

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

// The moves of recorded games: one row of codes for each legal move of each position.
struct MoveTable {
  CodeRows codes;
  std::vector<float> reference;      // of each row: the weight by another ordering, if one was given
  std::vector<std::int64_t> ends;    // of each position's rows
  std::vector<std::int32_t> chosen;  // the place of the move played among the position's moves
  std::vector<std::int32_t> game;
  std::vector<std::int32_t> ply;
  std::vector<std::int32_t> player;
};

// As extract_games, for the positions in which a move was made among several. `first` has the first ply to use of each
// game. Of those positions each is kept with probability `share`, by a hash of its game and ply. `reference` may be
// null; where it only orders moves, the weight of a move is the number of moves that are not before it.
MoveTable extract_moves(const MoveFeatures& features, const std::vector<GameMoves>& games,
                        const std::vector<std::int32_t>& first, double share, const MoveOrdering* reference,
                        int threads, const std::function<void()>& poll);

}  // namespace tesuji
