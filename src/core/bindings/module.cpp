#include "bindings/bindings.hpp"

NB_MODULE(_core, module) {
  module.doc() = "Native core of Tesuji: rules of the built-in games, and searches.";
  // A traceback may keep a bot alive until the interpreter exits, which is not an error.
  nanobind::set_leak_warnings(false);
  tesuji::python::bind_game(module);
  tesuji::python::bind_features(module);
  tesuji::python::bind_linear(module);
  tesuji::python::bind_logistic(module);
  tesuji::python::bind_planes(module);
  tesuji::python::bind_python_planes(module);
  tesuji::python::bind_hex(module);
  tesuji::python::bind_hex_solver(module);
  tesuji::python::bind_gomoku(module);
  tesuji::python::bind_gomoku_knowledge(module);
  tesuji::python::bind_gomoku_patterns(module);
  tesuji::python::bind_gomoku_threats(module);
  tesuji::python::bind_onitama(module);
  tesuji::python::bind_onitama_tablebase(module);
  tesuji::python::bind_played_game(module);
  tesuji::python::bind_window(module);
  tesuji::python::bind_resnet(module);
  tesuji::python::bind_search(module);
  tesuji::python::bind_selfplay(module);
  tesuji::python::bind_zero_searcher(module);
  tesuji::python::bind_alphabeta(module);
}
