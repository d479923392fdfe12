#include "game/features.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "base/hash.hpp"
#include "base/threads.hpp"

namespace tesuji {

namespace {

// Replays a game and calls visit(state, ply) for every position in which a player is to move: no terminal or chance
// nodes. Throws std::invalid_argument on an illegal move.
template <typename Visit>
void replay(const GameMoves& game, std::size_t number, Visit&& visit) {
  const auto place = [&](std::size_t move) {
    return "game " + std::to_string(number + 1) + ", move " + std::to_string(move + 1);
  };
  const std::unique_ptr<State> state = game.start->clone();
  for (std::size_t ply = 0; ply <= game.count; ++ply) {
    if (state->over()) {
      if (ply < game.count) throw std::invalid_argument(place(ply) + ": the game is over");
      return;
    }
    if (state->player() != chance_player) visit(*state, ply);
    if (ply == game.count) return;
    const Move move = game.moves[ply];
    if (!state->legal(move)) throw std::invalid_argument(place(ply) + ": illegal move " + std::to_string(move));
    state->play(move);
  }
}

// Calls work(number) for every game, in threads; the error of the first game that failed is thrown. `poll` is called
// regularly by the calling thread and may throw.
template <typename Work>
void for_each_game(std::size_t games, int threads, const std::function<void()>& poll, Work&& work) {
  parallel_for(static_cast<int>(games), threads, [&](int number) { work(static_cast<std::size_t>(number)); }, poll);
}

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

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

std::int64_t Features::sum_codes(const State& state, int player,
                                 const std::shared_ptr<const CodeWeights>& weights) const {
  thread_local std::vector<Code> found;  // reused buffer
  extract_codes(state, player, found);
  return weights->sum(found.data(), found.size());
}

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

MoveTable extract_moves(const MoveFeatures& features, const std::vector<GameMoves>& games,
                        const std::vector<std::int32_t>& first, double share, const MoveOrdering* reference,
                        int threads, const std::function<void()>& poll) {
  CodeCollector collector(features.codes(), games.size());
  std::vector<MoveTable> found(games.size());  // `ends` are counted from the first row of the game
  const auto kept = [share](std::size_t game, std::size_t ply) {
    return share >= 1 || static_cast<double>(mix(game << 20 ^ ply) >> 11) * 0x1p-53 < share;
  };
  for_each_game(games.size(), threads, poll, [&](std::size_t number) {
    const GameMoves& game = games[number];
    MoveTable& own = found[number];
    std::int64_t rows = 0;
    MoveList moves;
    std::vector<Code> codes;
    std::vector<std::uint32_t> ends;
    Random random(number);
    replay(game, number, [&](const State& state, std::size_t ply) {
      if (ply == game.count || static_cast<std::int32_t>(ply) < first[number] || !kept(number, ply)) return;
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
      own.ends.push_back(rows += static_cast<std::int64_t>(moves.size()));
      own.chosen.push_back(static_cast<std::int32_t>(chosen - moves.begin()));
      own.game.push_back(static_cast<std::int32_t>(number));
    });
  });
  MoveTable table;
  for (const MoveTable& own : found) {
    const std::int64_t before = table.ends.empty() ? 0 : table.ends.back();
    for (const std::int64_t end : own.ends) table.ends.push_back(before + end);
    append(table.reference, own.reference);
    append(table.chosen, own.chosen);
    append(table.game, own.game);
  }
  table.codes = collector.join();
  return table;
}

}  // namespace tesuji
