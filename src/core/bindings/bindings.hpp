// The binding functions called by module.cpp, and checks of arguments about positions.
#pragma once

#include <optional>

#include "bindings/errors.hpp"
#include "game/state.hpp"

namespace tesuji::python {

inline int checked_player(const State& state, int player) {
  return checked_range("player", player, 0, state.players() - 1);
}

inline void check_legal(const State& state, Move move) {
  if (!state.legal(move)) fail("illegal move " + std::to_string(move));
}

inline std::optional<Move> optional_move(Move move) { return move == no_move ? std::nullopt : std::optional(move); }

void bind_game(nb::module_& module);
void bind_features(nb::module_& module);
void bind_logistic(nb::module_& module);
void bind_network(nb::module_& module);
void bind_hex(nb::module_& module);
void bind_gomoku(nb::module_& module);
void bind_gomoku_patterns(nb::module_& module);
void bind_onitama(nb::module_& module);
void bind_window(nb::module_& module);
void bind_search(nb::module_& module);
void bind_selfplay(nb::module_& module);
void bind_zero_searcher(nb::module_& module);
void bind_alphabeta(nb::module_& module);

}  // namespace tesuji::python
