// Bindings of the features of positions and moves, and of the linear values and priors that are learned from them.
// Tables are numpy arrays, computed without the GIL.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <tuple>
#include <variant>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "bindings/garbage.hpp"
#include "game/linear.hpp"

namespace tesuji::python {

namespace {

using Moves = Input<std::uint32_t>;
using Counts = Input<std::int64_t>;
using Offsets = Array<std::int64_t>;
using Indices = std::variant<Array<std::uint16_t>, Array<std::uint32_t>>;
using Numbers = Array<std::int32_t>;

std::vector<double> read(const Features& features, const State& state, int player) {
  std::vector<double> values(features.names().size());
  features.extract(state, checked_player(state, player), values.data());
  return values;
}

std::vector<GameMoves> divided(const std::vector<const State*>& starts, const Moves& moves, const Counts& counts) {
  if (starts.size() != counts.shape(0)) fail("games need one start and one count each");
  std::vector<GameMoves> games;
  std::size_t used = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const auto count = static_cast<std::size_t>(counts(i));
    if (counts(i) < 0 || count > moves.shape(0) - used) fail("the counts do not match the moves");
    if (starts[i] == nullptr) fail("a start must be a state, not None");
    games.push_back({starts[i], moves.data() + used, count});
    used += count;
  }
  if (used != moves.shape(0)) fail("the counts do not match the moves");
  return games;
}

// In two bytes where the number of codes allows it.
Indices as_indices(CodeRows& codes, Code count) {
  if (CodeRows::fits_narrow(count)) return as_array(std::move(codes.narrow));
  return as_array(std::move(codes.wide));
}

std::tuple<Array<double, 2>, Offsets, Indices, Numbers, Numbers, Numbers> extract(
    const Features& features, const std::vector<const State*>& starts, const Moves& moves, const Counts& counts,
    int threads) {
  check_threads(threads);
  const std::vector<GameMoves> games = divided(starts, moves, counts);
  FeatureTable table;
  {
    const nb::gil_scoped_release released;
    table = extract_games(features, games, threads, check_signals);
  }
  return {as_array(std::move(table.features), {table.rows, features.names().size()}),
          as_array(std::move(table.codes.offsets)),
          as_indices(table.codes, features.codes()),
          as_array(std::move(table.game)),
          as_array(std::move(table.ply)),
          as_array(std::move(table.player))};
}

std::tuple<Offsets, Indices, Array<float>, Offsets, Numbers, Numbers> extract_moves_of(
    const MoveFeatures& features, const std::vector<const State*>& starts, const Moves& moves, const Counts& counts,
    const std::vector<std::int32_t>& first, double share, const MoveOrdering* reference, int threads) {
  check_threads(threads);
  const std::vector<GameMoves> games = divided(starts, moves, counts);
  if (first.size() != games.size()) fail("extract_moves needs the first ply of each game");
  MoveTable table;
  {
    const nb::gil_scoped_release released;
    table = extract_moves(features, games, first, share, reference, threads, check_signals);
  }
  return {as_array(std::move(table.codes.offsets)), as_indices(table.codes, features.codes()),
          as_array(std::move(table.reference)),     as_array(std::move(table.ends)),
          as_array(std::move(table.chosen)),        as_array(std::move(table.game))};
}

std::vector<Code> codes_of(const Features& features, const State& state, int player) {
  std::vector<Code> codes;
  features.extract_codes(state, checked_player(state, player), codes);
  return codes;
}

std::vector<std::vector<Code>> codes_of_moves(const MoveFeatures& features, const State& state, const MoveList& moves) {
  for (const Move move : moves) check_legal(state, move);
  std::vector<Code> codes;
  std::vector<std::uint32_t> ends;
  features.extract(state, moves, codes, ends);
  std::vector<std::vector<Code>> found;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : ends) {
    found.emplace_back(codes.begin() + begin, codes.begin() + end);
    begin = end;
  }
  return found;
}

// The words of a code, with a check of its range.
template <typename Source, std::string (Source::*words)(Code) const>
std::string words_of(const Source& source, Code code) {
  if (code >= source.codes()) {
    fail("code " + std::to_string(code) + " is not below " + std::to_string(source.codes()));
  }
  return (source.*words)(code);
}

// Properties that features of positions and of moves share.
template <typename Source>
void bind_codes(nb::class_<Source>& features) {
  features.def_prop_ro("version", &Source::version)
      .def_prop_ro("code_count", &Source::codes, "The number of codes; every code is smaller.")
      .def("code_name", &words_of<Source, &Source::code_name>, "code"_a, "Return a code in words.")
      .def("code_group", &words_of<Source, &Source::code_group>, "code"_a, "Return the kind of a code in words.");
}

Array<double> logits(const LinearWeights& weights, const Input<double, 2>& table) {
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

static void references(LinearValue& value, References& found) { found.shared(value.features()); }
static void references(LinearPrior& prior, References& found) { found.shared(prior.features()); }
static void references(PriorPolicy& policy, References& found) { found.shared(policy.prior()); }

static void bind_linear(nb::module_& module) {
  nb::class_<LinearWeights>(module, "LinearWeights", "Weights of a linear value.")
      .def(nb::init<std::vector<double>, double, std::vector<double>, std::vector<double>, double,
                    const std::vector<double>&>(),
           "theta"_a, "bias"_a, "mean"_a, "deviation"_a, "epsilon"_a, "codes"_a = std::vector<double>())
      .def("logits", &logits, "table"_a, "Return the log-odds of each row of features, without codes.");
  module.def("win_probability", &win_probability, "logit"_a, "Return 1/(1 + e^-logit).");
  nb::class_<LinearValue, Value>(module, "LinearValue", "Linear value of a native game's positions.",
                                 garbage_collected<LinearValue>())
      .def(nb::init<std::shared_ptr<Features>, LinearWeights>(), "features"_a, "weights"_a)
      .def("logit", &LinearValue::logit, "state"_a, "Return the log-odds that the side to move wins.");
  nb::class_<LinearPrior, MoveOrdering>(module, "LinearPrior", "Learned weights of a native game's moves.",
                                        garbage_collected<LinearPrior>())
      .def(nb::init<std::shared_ptr<MoveFeatures>, const std::vector<double>&>(), "features"_a, "weights"_a);
  nb::class_<PriorPolicy, PlayoutPolicy>(module, "PriorPolicy", "Playouts whose moves are drawn from a prior.",
                                         garbage_collected<PriorPolicy>())
      .def(nb::init<std::shared_ptr<LinearPrior>>(), "prior"_a);
}

void bind_features(nb::module_& module) {
  module.attr("MAX_FEATURES") = max_features;
  module.attr("MAX_CODES") = max_codes;
  nb::class_<Features> features(module, "Features", "Features of a native game: named numbers, and codes.");
  features.def_prop_ro("names", &Features::names)
      .def("__call__", &read, "state"_a, "player"_a, "Return the named numbers from a player's point of view.")
      .def("codes", &codes_of, "state"_a, "player"_a, "Return the codes from a player's point of view.");
  bind_codes(features);
  nb::class_<MoveFeatures> move_features(module, "MoveFeatures", "Codes of a native game's moves.");
  move_features.def("codes", &codes_of_moves, "state"_a, "moves"_a, "Return the codes of each move.");
  bind_codes(move_features);
  module.def("extract_games", &extract, "features"_a, "starts"_a, "moves"_a, "counts"_a, "threads"_a = 1,
             "Replay games and extract every position in which a player is to move.\n\n"
             "`moves` (uint32) concatenates the moves of all games; `counts` (int64) has the number of moves of each "
             "game. Returns the features (float64, one row per position, for the side to move), the codes (offsets of "
             "the rows and indices), and for each row the game, the ply and the player (int32).");
  module.def("extract_moves", &extract_moves_of, "features"_a, "starts"_a, "moves"_a, "counts"_a, "first"_a, "share"_a,
             "reference"_a.none(), "threads"_a,
             "Replay games and extract the codes of every legal move of the positions in which a move was made.\n\n"
             "`first` has the first ply to use of each game; of those positions a random share is kept. Returns the "
             "codes (offsets of the rows and indices; a row for each move), the weights by the reference ordering, and "
             "for each position the end of its rows, the place of the move played and the game.");
  bind_linear(module);
}

}  // namespace tesuji::python
