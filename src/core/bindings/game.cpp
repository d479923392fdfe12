// Bindings of native states and hooks.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings/bindings.hpp"
#include "bindings/python/hooks.hpp"
#include "game/perft.hpp"

namespace tesuji::python {

namespace {

std::unique_ptr<State> play(const State& state, Move move) {
  check_legal(state, move);
  std::unique_ptr<State> next = state.clone();
  next->play(move);
  return next;
}

std::optional<nb::typed<nb::tuple, double, nb::ellipsis>> scores(const State& state) {
  if (!state.over()) return std::nullopt;
  const Scores result = state.scores();
  return nb::tuple(nb::cast(std::vector<double>(result.begin(), result.begin() + state.players())));
}

// Without the GIL, except for a check of signals every few milliseconds.
std::uint64_t count_leaves(const State& state, int depth) {
  if (depth < 0) fail("depth must be at least 0, not " + std::to_string(depth));
  const nb::gil_scoped_release released;
  return perft(state, depth, check_signals);
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

Random& usable(const BorrowedRandom& borrowed) {
  if (borrowed.random == nullptr) {
    fail("these random numbers may only be used while the search calls the policy");
  }
  return *borrowed.random;
}

}  // namespace

void bind_game(nb::module_& module) {
  module.attr("MAX_PLAYERS") = max_players;
  nb::class_<State>(module, "State", "Position of a native game; wrapped by the Python game classes.")
      .def_prop_ro("players", &State::players)
      .def_prop_ro("player", &State::player)
      .def("scores", &scores)
      .def("moves",
           [](const State& state) {
             MoveList list;
             state.moves(list);
             return list;
           })
      .def("legal", &State::legal, "move"_a)
      .def("play", &play, "move"_a, "Return the next position; ValueError if the move is illegal.")
      .def("same_position", &State::same_position, "other"_a)
      .def("hash", &State::hash, "Return a hash, equal for equal positions; 0 if the game has none.")
      .def(
          "noisy_moves",
          [](const State& state) -> std::optional<MoveList> {
            MoveList list;
            const AlphaBetaSupport* const support = state.alphabeta_support();
            if (support == nullptr || !support->noisy_moves(list)) return std::nullopt;
            return list;
          },
          "List wins, captures and the like; None if the game defines none.")
      .def("perft", &count_leaves, "depth"_a, "Count the move sequences of this length.")
      .def("playouts", &playouts, "count"_a, "seed"_a, "policy"_a.none() = nb::none(),
           nb::call_guard<nb::gil_scoped_release>(),
           "Run playouts, by a native policy if given; return the number of wins of player 0.");

  nb::class_<Value>(module, "Value", "Native value hook: the expected score of a player, in [0, 1].")
      .def(
          "__call__",
          [](const Value& hook, const State& state, int player) {
            return hook.value(state, checked_player(state, player));
          },
          "state"_a, "player"_a);
  nb::class_<ThreatResponse>(module, "ThreatResponse", "Native threat response.")
      .def(
          "__call__",
          [](const ThreatResponse& hook, const State& state) {
            ThreatReplies threat;
            hook.respond(state, threat);
            return std::pair(threat.moves, threat.urgent);
          },
          "state"_a);
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
          "state"_a, "seed"_a);
  nb::class_<MoveOrdering>(module, "MoveOrdering", "Native move ordering.")
      .def(
          "__call__",
          [](const MoveOrdering& hook, const State& state, MoveList moves) {
            for (const Move move : moves) {
              check_legal(state, move);
              if (std::count(moves.begin(), moves.end(), move) > 1) fail("illegal move " + std::to_string(move));
            }
            std::vector<float> weights;
            Random random;
            hook.order(state, moves, weights, random);
            nb::typed<nb::dict, Move, float> result;
            for (std::size_t i = 0; i < moves.size(); ++i) result[nb::int_(moves[i])] = weights[i];
            return result;
          },
          "state"_a, "moves"_a);
  nb::class_<Prover>(module, "Prover", "Native search for forced wins.");
  nb::class_<Proximity>(module, "Proximity", "Native proximity of moves.")
      .def(
          "__call__",
          [](const Proximity& hook, const State& state, const MoveList& moves, bool hard) {
            for (const Move move : moves) check_legal(state, move);
            std::vector<float> weights;
            hook.weigh(state, moves, hard, weights);
            return weights;
          },
          "state"_a, "moves"_a, "hard"_a);
  nb::class_<Exploration>(module, "Exploration", "Native exploration constant by position.")
      .def("__call__", &Exploration::exploration, "state"_a);

  nb::class_<BorrowedRandom>(module, "BorrowedRandom",
                             "The search's random numbers, for the duration of a playout policy's call.")
      .def("uniform", [](const BorrowedRandom& self) { return usable(self).uniform(); })
      .def("bits", [](const BorrowedRandom& self) { return usable(self).next(); });
}

}  // namespace tesuji::python
