#include "game/features.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <stdexcept>
#include <thread>

namespace tesuji {

namespace {

constexpr std::size_t games_between_polls = 64;

std::string place(std::size_t game, std::size_t move) {
  return "game " + std::to_string(game + 1) + ", move " + std::to_string(move + 1);
}

// What one thread plays again: the games from `begin` to before `end`. False where it was told to stop.
bool extract_range(const Features& features, const std::vector<GameMoves>& games, std::size_t begin, std::size_t end,
                   FeatureTable& table, const std::function<bool()>& go_on) {
  const std::size_t width = features.names().size();
  std::size_t most = 0;
  for (std::size_t number = begin; number < end; ++number) most += games[number].count + 1;
  table.features.reserve(most * width);
  for (auto* column : {&table.game, &table.ply, &table.player}) column->reserve(most);

  for (std::size_t number = begin; number < end; ++number) {
    if (number % games_between_polls == 0 && !go_on()) return false;
    const GameMoves& game = games[number];
    const std::unique_ptr<State> state = game.start->clone();
    for (std::size_t ply = 0; ply <= game.count; ++ply) {
      if (state->over()) {
        if (ply < game.count) throw std::invalid_argument(place(number, ply) + ": the game is over");
        break;
      }
      if (const int player = state->player(); player != chance_player) {
        const std::size_t size = table.features.size();
        table.features.resize(size + width);
        features.extract(*state, player, table.features.data() + size);
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
  return true;
}

void append(FeatureTable& whole, FeatureTable& part) {
  const auto add = [](auto& to, auto& from) {
    to.insert(to.end(), from.begin(), from.end());
    from = {};
  };
  add(whole.features, part.features);
  add(whole.game, part.game);
  add(whole.ply, part.ply);
  add(whole.player, part.player);
}

}  // namespace

FeatureTable extract_games(const Features& features, const std::vector<GameMoves>& games, int threads,
                           const std::function<void()>& poll) {
  const std::size_t count =
      std::clamp<std::size_t>(games.size() / games_between_polls, 1, static_cast<std::size_t>(threads));
  std::vector<FeatureTable> parts(count);
  std::vector<std::exception_ptr> errors(count);
  std::atomic<bool> stopped{false};
  const auto work = [&](std::size_t part, const std::function<bool()>& go_on) {
    try {
      extract_range(features, games, games.size() * part / count, games.size() * (part + 1) / count, parts[part],
                    go_on);
    } catch (...) {
      errors[part] = std::current_exception();
      stopped = true;
    }
  };
  std::vector<std::thread> others;
  for (std::size_t part = 1; part < count; ++part) {
    others.emplace_back([&, part] { work(part, [&] { return !stopped.load(std::memory_order_relaxed); }); });
  }
  work(0, [&] {
    poll();
    return !stopped.load(std::memory_order_relaxed);
  });
  for (std::thread& other : others) other.join();
  for (const std::exception_ptr& error : errors) {
    if (error != nullptr) std::rethrow_exception(error);  // of the first game that has one
  }
  for (std::size_t part = 1; part < count; ++part) append(parts[0], parts[part]);
  return std::move(parts[0]);
}

}  // namespace tesuji
