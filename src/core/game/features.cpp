#include "game/features.hpp"

#include <algorithm>
#include <exception>
#include <numeric>
#include <stdexcept>

#include "base/parallel.hpp"

namespace tesuji {

namespace {

std::string place(std::size_t game, std::size_t move) {
  return "game " + std::to_string(game + 1) + ", move " + std::to_string(move + 1);
}

// Replays a game and visits every position in which a player is to move.
template <typename Visit>
void replay(const GameMoves& game, std::size_t number, Visit&& visit) {
  const std::unique_ptr<State> state = game.start->clone();
  for (std::size_t ply = 0; ply <= game.count; ++ply) {
    if (state->over()) {
      if (ply < game.count) throw std::invalid_argument(place(number, ply) + ": the game is over");
      return;
    }
    if (state->player() != chance_player) visit(*state, ply);
    if (ply == game.count) return;
    const Move move = game.moves[ply];
    if (!state->legal(move)) {
      throw std::invalid_argument(place(number, ply) + ": illegal move " + std::to_string(move));
    }
    state->play(move);
  }
}

}  // namespace

// Two passes: the first counts each game's rows, the second writes them.
FeatureTable extract_games(const Features& features, const std::vector<GameMoves>& games, int threads,
                           const std::function<void()>& poll) {
  const int count = static_cast<int>(games.size());
  std::vector<std::size_t> begins(games.size() + 1, 0);
  std::vector<std::exception_ptr> errors(games.size());
  const auto each_game = [&](auto&& work) {
    const auto guarded = [&](int number) {
      try {
        work(static_cast<std::size_t>(number));
      } catch (...) {
        errors[static_cast<std::size_t>(number)] = std::current_exception();
      }
    };
    parallel_for(count, threads, guarded, poll);
    for (const std::exception_ptr& error : errors) {
      if (error != nullptr) std::rethrow_exception(error);
    }
  };
  each_game([&](std::size_t number) {
    replay(games[number], number, [&](const State&, std::size_t) { ++begins[number + 1]; });
  });
  std::partial_sum(begins.begin(), begins.end(), begins.begin());

  const std::size_t width = features.names().size();
  FeatureTable table;
  table.rows = begins.back();
  table.features.reset(new double[table.rows * width]);  // uninitialized: every element is written below
  for (auto* column : {&table.game, &table.ply, &table.player}) column->resize(table.rows);
  each_game([&](std::size_t number) {
    std::size_t row = begins[number];
    replay(games[number], number, [&](const State& state, std::size_t ply) {
      features.extract(state, state.player(), table.features.get() + row * width);
      table.game[row] = static_cast<std::int32_t>(number);
      table.ply[row] = static_cast<std::int32_t>(ply);
      table.player[row] = state.player();
      ++row;
    });
  });
  return table;
}

}  // namespace tesuji
