// Bindings of native states and hooks.
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <nanobind/stl/shared_ptr.h>

#include <algorithm>
#include <string>

#include "bindings/bindings.hpp"
#include "bindings/errors.hpp"
#include "bindings/python/hooks.hpp"
#include "game/knowledge.hpp"
#include "game/perft.hpp"
#include "game/state.hpp"

namespace tesuji::python {

namespace {

std::unique_ptr<State> play(const State& state, Move move) {
  if (!state.legal(move)) fail("illegal move " + std::to_string(move));
  std::unique_ptr<State> next = state.clone();
  next->play(move);
  return next;
}

nb::object scores(const State& state) {
  if (!state.over()) return nb::none();
  const Scores result = state.scores();
  nb::list list;
  for (int i = 0; i < state.players(); ++i) list.append(result[i]);
  return nb::tuple(list);
}

// Without the GIL, except for a check of signals every few milliseconds.
std::uint64_t count_leaves(const State& state, int depth) {
  if (depth < 0) fail("depth must be at least 0, not " + std::to_string(depth));
  const nb::gil_scoped_release released;
  return perft(state, depth, [] {
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    return true;
  });
}

std::uint64_t playouts(const State& state, std::uint64_t count, std::uint64_t seed, const PlayoutPolicy* policy) {
  const std::unique_ptr<State> copy = state.clone();
  Random random(seed);
  std::uint64_t won = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    copy->assign(state);
    if (policy == nullptr || !policy->play_out(*copy, random, {})) copy->playout(random, {});
    if (copy->scores()[0] == 1.0) ++won;
  }
  return won;
}

}  // namespace

int checked_player(const State& state, int player) {
  if (player >= 0 && player < state.players()) return player;
  const std::string last = std::to_string(state.players() - 1);
  fail("player must be from 0 to " + last + ", not " + std::to_string(player));
}

void bind_game(nb::module_& module) {
  module.attr("MAX_PLAYERS") = max_players;
  nb::class_<State>(module, "State", "Position of a native game; wrapped by the Python game classes.")
      .def_prop_ro("players", &State::players)
      .def_prop_ro("player", &State::player)
      .def("scores", &scores, nb::sig("def scores(self) -> tuple[float, ...] | None"))
      .def("moves",
           [](const State& state) {
             MoveList list;
             state.moves(list);
             return list;
           })
      .def("legal", &State::legal, nb::arg("move"))
      .def("play", &play, nb::arg("move"), "Return the next position; ValueError if the move is illegal.")
      .def("same_position", &State::same_position, nb::arg("other"))
      .def("hash", &State::hash, "Return a hash, equal for equal positions; 0 if the game has none.")
      .def(
          "noisy_moves",
          [](const State& state) {
            MoveList list;
            const AlphaBetaSupport* const support = state.alphabeta_support();
            const bool named = support != nullptr && support->noisy_moves(list);
            return named ? nb::cast(list) : nb::none();
          },
          nb::sig("def noisy_moves(self) -> list[int] | None"),
          "List wins, captures and the like; None if the game defines none.")
      .def("perft", &count_leaves, nb::arg("depth"), "Count the move sequences of this length.")
      .def("playouts", &playouts, nb::arg("count"), nb::arg("seed"), nb::arg("policy").none() = nb::none(),
           nb::call_guard<nb::gil_scoped_release>(),
           "Run playouts, by a native policy if given; return the number of wins of player 0.");

  nb::class_<Value>(module, "Value", "Native value hook: the expected score of a player, in [0, 1].")
      .def(
          "__call__",
          [](const Value& hook, const State& state, int player) {
            return hook.value(state, checked_player(state, player));
          },
          nb::arg("state"), nb::arg("player"));
  nb::class_<ThreatResponse>(module, "ThreatResponse", "Native threat response.")
      .def(
          "__call__",
          [](const ThreatResponse& hook, const State& state) {
            ThreatReplies threat;
            hook.respond(state, threat);
            return nb::make_tuple(threat.moves, threat.urgent);
          },
          nb::arg("state"), nb::sig("def __call__(self, state: State) -> tuple[list[int], bool]"));
  nb::class_<PlayoutPolicy>(module, "PlayoutPolicy", "Native playout policy.")
      .def(
          "__call__",
          [](const PlayoutPolicy& hook, const State& state, std::uint64_t seed) {
            MoveList moves;
            state.moves(moves);
            if (moves.empty()) fail("the game is over: there is no move to choose");
            Random random(seed);
            return hook.choose(state, moves, random);
          },
          nb::arg("state"), nb::arg("seed"));
  nb::class_<MoveOrdering>(module, "MoveOrdering", "Native move ordering.")
      .def(
          "__call__",
          [](const MoveOrdering& hook, const State& state, MoveList moves) {
            for (const Move move : moves) {
              const bool twice = std::count(moves.begin(), moves.end(), move) > 1;
              if (twice || !state.legal(move)) fail("illegal move " + std::to_string(move));
            }
            std::vector<float> weights;
            Random random;
            hook.order(state, moves, weights, random);
            nb::dict result;
            for (std::size_t i = 0; i < moves.size(); ++i) result[nb::int_(moves[i])] = weights[i];
            return result;
          },
          nb::arg("state"), nb::arg("moves"),
          nb::sig("def __call__(self, state: State, moves: list[int]) -> dict[int, float]"));
  nb::class_<Prover>(module, "Prover", "Native search for forced wins.");
  nb::class_<Proximity>(module, "Proximity", "Native proximity of moves.")
      .def(
          "__call__",
          [](const Proximity& hook, const State& state, const MoveList& moves, bool hard) {
            for (const Move move : moves) {
              if (!state.legal(move)) fail("illegal move " + std::to_string(move));
            }
            std::vector<float> weights;
            hook.weigh(state, moves, hard, weights);
            return weights;
          },
          nb::arg("state"), nb::arg("moves"), nb::arg("hard"));
  nb::class_<Exploration>(module, "Exploration", "Native exploration constant by position.")
      .def("__call__", &Exploration::exploration, nb::arg("state"));

  nb::class_<BorrowedRandom>(module, "BorrowedRandom",
                             "The search's random numbers, for the duration of a playout policy's call.")
      .def("uniform",
           [](const BorrowedRandom& self) {
             if (self.random == nullptr)
               fail("these random numbers may only be used while the search calls the policy");
             return self.random->uniform();
           })
      .def("bits", [](const BorrowedRandom& self) {
        if (self.random == nullptr) fail("these random numbers may only be used while the search calls the policy");
        return self.random->next();
      });
}

}  // namespace tesuji::python
