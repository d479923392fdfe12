// Replaying recorded games, in threads.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/threads.hpp"
#include "game/state.hpp"

namespace tesuji {

struct GameMoves {
  const State* start;
  const Move* moves;
  std::size_t count;
};

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
  std::vector<std::exception_ptr> errors(games);
  const auto guarded = [&](int number) {
    try {
      work(static_cast<std::size_t>(number));
    } catch (...) {
      errors[static_cast<std::size_t>(number)] = std::current_exception();
    }
  };
  parallel_for(static_cast<int>(games), threads, guarded, poll);
  for (const std::exception_ptr& error : errors) {
    if (error != nullptr) std::rethrow_exception(error);
  }
}

}  // namespace tesuji
