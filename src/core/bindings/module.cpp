#include "bindings/bindings.hpp"

NB_MODULE(_core, module) {
  module.doc() = "Native core of Tesuji: rules of the built-in games, and searches.";
  // A traceback may keep a bot alive until the interpreter exits, which is not an error.
  nanobind::set_leak_warnings(false);
  using namespace tesuji::python;
  for (const auto bind :
       {bind_game, bind_features, bind_logistic, bind_network, bind_window, bind_hex, bind_gomoku, bind_gomoku_patterns,
        bind_onitama, bind_search, bind_selfplay, bind_zero_searcher, bind_alphabeta}) {
    bind(module);
  }
}
