#include "game/features.hpp"

#include <numeric>

namespace tesuji {

std::int64_t Features::sum_codes(const State& state, int player,
                                 const std::shared_ptr<const CodeWeights>& weights) const {
  thread_local std::vector<Code> found;  // reused buffer
  extract_codes(state, player, found);
  return weights->sum(found.data(), found.size());
}

// Two passes: the first counts each game's rows, the second writes them.
FeatureTable extract_games(const Features& features, const std::vector<GameMoves>& games, int threads,
                           const std::function<void()>& poll) {
  std::vector<std::size_t> begins(games.size() + 1, 0);
  for_each_game(games.size(), threads, poll, [&](std::size_t number) {
    replay(games[number], number, [&](const State&, std::size_t) { ++begins[number + 1]; });
  });
  std::partial_sum(begins.begin(), begins.end(), begins.begin());

  const std::size_t width = features.names().size();
  FeatureTable table;
  table.rows = begins.back();
  table.features.reset(new double[table.rows * width]);  // uninitialized: every element is written below
  for (auto* column : {&table.game, &table.ply, &table.player}) column->resize(table.rows);
  CodeCollector collector(features.codes(), games.size());
  for_each_game(games.size(), threads, poll, [&](std::size_t number) {
    std::size_t row = begins[number];
    std::vector<Code> codes;
    replay(games[number], number, [&](const State& state, std::size_t ply) {
      features.extract(state, state.player(), table.features.get() + row * width);
      if (features.codes() > 0) {
        features.extract_codes(state, state.player(), codes);
        collector.add_row(number, codes.data(), codes.size());
      }
      table.game[row] = static_cast<std::int32_t>(number);
      table.ply[row] = static_cast<std::int32_t>(ply);
      table.player[row] = state.player();
      ++row;
    });
  });
  table.codes = collector.join();
  return table;
}

}  // namespace tesuji
