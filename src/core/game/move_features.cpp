#include "game/move_features.hpp"

#include <algorithm>
#include <cmath>

#include "base/hash.hpp"

namespace tesuji {

namespace {

struct Positions {
  std::vector<std::uint32_t> moves;
  std::vector<std::int32_t> chosen;
  std::vector<std::int32_t> ply;
  std::vector<std::int32_t> player;
  std::vector<float> reference;
};

// Appends the weights that an ordering gives to the moves, in their order.
void add_reference(const MoveOrdering& ordering, const State& state, const MoveList& moves, Random& random,
                   std::vector<float>& weights) {
  MoveList ordered = moves;
  std::vector<float> found;
  ordering.order(state, ordered, found, random);
  for (const Move move : moves) {
    const auto place = std::find(ordered.begin(), ordered.end(), move) - ordered.begin();
    weights.push_back(found.empty() ? static_cast<float>(ordered.size()) - static_cast<float>(place)
                                    : found[static_cast<std::size_t>(place)]);
  }
}

}  // namespace

void MoveFeatures::sum_codes(const State& state, const MoveList& moves,
                             const std::shared_ptr<const CodeWeights>& weights, std::vector<std::int32_t>& sums) const {
  thread_local std::vector<Code> codes;  // reused buffers
  thread_local std::vector<std::uint32_t> ends;
  extract(state, moves, codes, ends);
  sums.resize(moves.size());
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    sums[i] = static_cast<std::int32_t>(weights->sum(codes.data() + begin, ends[i] - begin));
    begin = ends[i];
  }
}

MoveTable extract_moves(const MoveFeatures& features, const std::vector<GameMoves>& games,
                        const std::vector<std::int32_t>& first, double share, const MoveOrdering* reference,
                        int threads, const std::function<void()>& poll) {
  CodeCollector collector(features.codes(), games.size());
  std::vector<Positions> found(games.size());
  const auto kept = [share](std::size_t game, std::size_t ply) {
    return share >= 1 || static_cast<double>(mix(game << 20 ^ ply) >> 11) * 0x1p-53 < share;
  };
  for_each_game(games.size(), threads, poll, [&](std::size_t number) {
    const GameMoves& game = games[number];
    Positions& own = found[number];
    MoveList moves;
    std::vector<Code> codes;
    std::vector<std::uint32_t> ends;
    Random random(number);
    replay(game, number, [&](const State& state, std::size_t ply) {
      const auto ply_number = static_cast<std::int32_t>(ply);
      if (ply == game.count || ply_number < first[number] || !kept(number, ply)) return;
      state.moves(moves);
      const auto chosen = std::find(moves.begin(), moves.end(), game.moves[ply]);
      if (moves.size() < 2 || chosen == moves.end()) return;
      features.extract(state, moves, codes, ends);
      std::uint32_t begin = 0;
      for (const std::uint32_t end : ends) {
        collector.add_row(number, codes.data() + begin, end - begin);
        begin = end;
      }
      if (reference != nullptr) add_reference(*reference, state, moves, random, own.reference);
      own.moves.push_back(static_cast<std::uint32_t>(moves.size()));
      own.chosen.push_back(static_cast<std::int32_t>(chosen - moves.begin()));
      own.ply.push_back(ply_number);
      own.player.push_back(state.player());
    });
  });
  MoveTable table;
  std::int64_t end = 0;
  for (std::size_t number = 0; number < games.size(); ++number) {
    const Positions& own = found[number];
    for (const std::uint32_t count : own.moves) table.ends.push_back(end += count);
    table.reference.insert(table.reference.end(), own.reference.begin(), own.reference.end());
    table.chosen.insert(table.chosen.end(), own.chosen.begin(), own.chosen.end());
    table.ply.insert(table.ply.end(), own.ply.begin(), own.ply.end());
    table.player.insert(table.player.end(), own.player.begin(), own.player.end());
    table.game.insert(table.game.end(), own.moves.size(), static_cast<std::int32_t>(number));
  }
  table.codes = collector.join();
  return table;
}

}  // namespace tesuji
