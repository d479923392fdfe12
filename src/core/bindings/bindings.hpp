// The binding functions called by module.cpp.
#pragma once

#include <nanobind/nanobind.h>

namespace tesuji {
class State;
}

namespace tesuji::python {

// Returns the player, or raises ValueError if the game does not have it.
int checked_player(const State& state, int player);

void bind_game(nanobind::module_& module);
void bind_features(nanobind::module_& module);
void bind_linear(nanobind::module_& module);
void bind_logistic(nanobind::module_& module);
void bind_planes(nanobind::module_& module);
void bind_python_planes(nanobind::module_& module);
void bind_hex(nanobind::module_& module);
void bind_hex_solver(nanobind::module_& module);
void bind_gomoku(nanobind::module_& module);
void bind_gomoku_knowledge(nanobind::module_& module);
void bind_gomoku_patterns(nanobind::module_& module);
void bind_gomoku_threats(nanobind::module_& module);
void bind_onitama(nanobind::module_& module);
void bind_onitama_tablebase(nanobind::module_& module);
void bind_played_game(nanobind::module_& module);
void bind_window(nanobind::module_& module);
void bind_resnet(nanobind::module_& module);
void bind_search(nanobind::module_& module);
void bind_selfplay(nanobind::module_& module);
void bind_zero_searcher(nanobind::module_& module);
void bind_alphabeta(nanobind::module_& module);

}  // namespace tesuji::python
