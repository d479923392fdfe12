// Bindings of features and linear values. Tables are numpy arrays, computed without the GIL.
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "bindings/errors.hpp"
#include "game/features.hpp"
#include "game/linear_value.hpp"
#include "games/hex/features.hpp"

namespace tesuji::python {

namespace nb = nanobind;

namespace {

using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Moves = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Counts = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::vector<double> read(const Features& features, const State& state, int player) {
  std::vector<double> values(features.names().size());
  features.extract(state, checked_player(state, player), values.data());
  return values;
}

std::vector<GameMoves> divided(const nb::list& starts, const Moves& moves, const Counts& counts) {
  if (nb::len(starts) != counts.shape(0)) fail("extract_games needs one start and one count per game");
  std::vector<GameMoves> games;
  std::size_t used = 0;
  for (std::size_t i = 0; i < counts.shape(0); ++i) {
    const std::int64_t count = counts(i);
    if (count < 0 || static_cast<std::size_t>(count) > moves.shape(0) - used) fail("the counts do not match the moves");
    games.push_back({nb::cast<const State*>(starts[i], false), moves.data() + used, static_cast<std::size_t>(count)});
    if (games.back().start == nullptr) fail("a start must be a state, not None");
    used += static_cast<std::size_t>(count);
  }
  if (used != moves.shape(0)) fail("the counts do not match the moves");
  return games;
}

nb::tuple extract(const Features& features, const nb::list& starts, const Moves& moves, const Counts& counts,
                  int threads) {
  if (threads < 1) fail("threads must be at least 1, not " + std::to_string(threads));
  const std::vector<GameMoves> games = divided(starts, moves, counts);
  FeatureTable table;
  {
    const nb::gil_scoped_release released;
    table = extract_games(features, games, threads, [] {
      const nb::gil_scoped_acquire gil;
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    });
  }
  double* const numbers = table.features.release();
  const nb::capsule owner(numbers, [](void* pointer) noexcept { delete[] static_cast<double*>(pointer); });
  return nb::make_tuple(nb::ndarray<nb::numpy, double>(numbers, {table.rows, features.names().size()}, owner),
                        as_array(std::move(table.game)), as_array(std::move(table.ply)),
                        as_array(std::move(table.player)));
}

nb::object logits(const LinearWeights& weights, const Table& table) {
  if (table.shape(1) != weights.size()) {
    fail("there are " + std::to_string(weights.size()) + " weights, but the table has " +
         std::to_string(table.shape(1)) + " columns");
  }
  std::vector<double> result(table.shape(0));
  {
    const nb::gil_scoped_release released;
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = weights.logit(table.data() + i * weights.size());
  }
  return as_array(std::move(result));
}

}  // namespace

void bind_features(nb::module_& module) {
  module.attr("MAX_FEATURES") = max_features;
  nb::class_<Features>(module, "Features", "Named numeric features of a native game.")
      .def_prop_ro("names", &Features::names)
      .def_prop_ro("version", &Features::version)
      .def("__call__", &read, nb::arg("state"), nb::arg("player"),
           "Return the features from a player's point of view.");
  nb::class_<hex::HexFeatures, Features>(module, "HexFeatures", "The eight objectives of Hex.").def(nb::init<>());
  module.def("extract_games", &extract, nb::arg("features"), nb::arg("starts"), nb::arg("moves"), nb::arg("counts"),
             nb::arg("threads") = 1,
             nb::sig("def extract_games(features: Features, starts: list, moves: object, counts: object, threads: int "
                     "= 1) -> tuple"),
             "Replay games and extract every position in which a player is to move.\n\n"
             "`moves` (uint32) concatenates the moves of all games; `counts` (int64) has the number of moves of each "
             "game. Returns the features (float64, one row per position, for the side to move), and for each row the "
             "game, the ply and the player (int32).");

  nb::class_<LinearWeights>(module, "LinearWeights", "Weights of a linear value.")
      .def(nb::init<std::vector<double>, double, std::vector<double>, std::vector<double>, double>(), nb::arg("theta"),
           nb::arg("bias"), nb::arg("mean"), nb::arg("deviation"), nb::arg("epsilon"))
      .def("logits", &logits, nb::arg("table"), nb::sig("def logits(self, table: object) -> object"),
           "Return the log-odds of each row of features.");
  module.def("win_probability", &win_probability, nb::arg("logit"), "Return 1/(1 + e^-logit).");
  nb::class_<LinearValue, Value>(module, "LinearValue", "Linear value of a native game's positions.")
      .def(nb::init<std::shared_ptr<Features>, LinearWeights>(), nb::arg("features"), nb::arg("weights"))
      .def("logit", &LinearValue::logit, nb::arg("state"), "Return the log-odds that the side to move wins.");
}

}  // namespace tesuji::python
