#include "game/features.hpp"

#include <stdexcept>

namespace tesuji {

namespace {

constexpr std::size_t games_between_polls = 64;

std::string place(std::size_t game, std::size_t move) {
  return "game " + std::to_string(game + 1) + ", move " + std::to_string(move + 1);
}

}  // namespace

FeatureTable extract_games(const Features& features, const std::vector<GameMoves>& games,
                           const std::function<void()>& poll) {
  const std::size_t width = features.names().size();
  std::size_t most = 0;
  for (const GameMoves& game : games) most += game.count + 1;
  FeatureTable table;
  table.features.reserve(most * width);
  for (auto* column : {&table.game, &table.ply, &table.player}) column->reserve(most);

  for (std::size_t number = 0; number < games.size(); ++number) {
    if (number % games_between_polls == 0) poll();
    const GameMoves& game = games[number];
    const std::unique_ptr<State> state = game.start->clone();
    for (std::size_t ply = 0; ply <= game.count; ++ply) {
      if (state->over()) {
        if (ply < game.count) throw std::invalid_argument(place(number, ply) + ": the game is over");
        break;
      }
      if (const int player = state->player(); player != chance_player) {
        const std::size_t end = table.features.size();
        table.features.resize(end + width);
        features.extract(*state, player, table.features.data() + end);
        table.game.push_back(static_cast<std::int32_t>(number));
        table.ply.push_back(static_cast<std::int32_t>(ply));
        table.player.push_back(player);
      }
      if (ply == game.count) break;
      const Move move = game.moves[ply];
      if (!state->legal(move)) {
        throw std::invalid_argument(place(number, ply) + ": illegal move " + std::to_string(move));
      }
      state->play(move);
    }
  }
  return table;
}

}  // namespace tesuji
