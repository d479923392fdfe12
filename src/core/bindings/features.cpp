// Bindings of the features of positions and moves. Tables are numpy arrays, computed without the GIL.
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "bindings/errors.hpp"
#include "game/features.hpp"
#include "game/move_features.hpp"
#include "games/hex/knowledge.hpp"
#include "games/hex/move_codes.hpp"

namespace tesuji::python {

namespace nb = nanobind;

namespace {

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

// The offsets and the indices, in two bytes where the number of codes allows it.
nb::tuple as_arrays(CodeRows&& codes, Code count) {
  return nb::make_tuple(as_array(std::move(codes.offsets)), CodeRows::fits_narrow(count)
                                                                ? as_array(std::move(codes.narrow))
                                                                : as_array(std::move(codes.wide)));
}

void poll_signals() {
  const nb::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

nb::tuple extract(const Features& features, const nb::list& starts, const Moves& moves, const Counts& counts,
                  int threads) {
  if (threads < 1) fail("threads must be at least 1, not " + std::to_string(threads));
  const std::vector<GameMoves> games = divided(starts, moves, counts);
  FeatureTable table;
  {
    const nb::gil_scoped_release released;
    table = extract_games(features, games, threads, poll_signals);
  }
  const nb::tuple codes = as_arrays(std::move(table.codes), features.codes());
  return nb::make_tuple(as_array(std::move(table.features), {table.rows, features.names().size()}), codes[0], codes[1],
                        as_array(std::move(table.game)), as_array(std::move(table.ply)),
                        as_array(std::move(table.player)));
}

nb::tuple extract_moves_of(const MoveFeatures& features, const nb::list& starts, const Moves& moves,
                           const Counts& counts, std::vector<std::int32_t> first, double share,
                           const MoveOrdering* reference, int threads) {
  if (threads < 1) fail("threads must be at least 1, not " + std::to_string(threads));
  const std::vector<GameMoves> games = divided(starts, moves, counts);
  if (first.size() != games.size()) fail("extract_moves needs the first ply of each game");
  MoveTable table;
  {
    const nb::gil_scoped_release released;
    table = extract_moves(features, games, first, share, reference, threads, poll_signals);
  }
  const nb::tuple codes = as_arrays(std::move(table.codes), features.codes());
  return nb::make_tuple(codes[0], codes[1], as_array(std::move(table.reference)), as_array(std::move(table.ends)),
                        as_array(std::move(table.chosen)), as_array(std::move(table.game)),
                        as_array(std::move(table.ply)), as_array(std::move(table.player)));
}

std::vector<Code> codes_of(const Features& features, const State& state, int player) {
  std::vector<Code> codes;
  features.extract_codes(state, checked_player(state, player), codes);
  return codes;
}

std::vector<std::vector<Code>> codes_of_moves(const MoveFeatures& features, const State& state, const MoveList& moves) {
  for (const Move move : moves) {
    if (!state.legal(move)) fail("illegal move " + std::to_string(move));
  }
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
template <typename Source>
std::string words(const Source& source, Code code, std::string (Source::*text)(Code) const) {
  if (code >= source.codes()) {
    fail("code " + std::to_string(code) + " is not below " + std::to_string(source.codes()));
  }
  return (source.*text)(code);
}

// Properties that features of positions and of moves share.
template <typename Source>
void bind_codes(nb::class_<Source>& features) {
  features.def_prop_ro("version", &Source::version)
      .def_prop_ro("code_count", &Source::codes, "The number of codes; every code is smaller.")
      .def(
          "code_name", [](const Source& source, Code code) { return words(source, code, &Source::code_name); },
          nb::arg("code"), "Return a code in words.")
      .def(
          "code_group", [](const Source& source, Code code) { return words(source, code, &Source::code_group); },
          nb::arg("code"), "Return the kind of a code in words.");
}

}  // namespace

void bind_features(nb::module_& module) {
  module.attr("MAX_FEATURES") = max_features;
  module.attr("MAX_CODES") = max_codes;
  nb::class_<Features> features(module, "Features", "Features of a native game: named numbers, and codes.");
  features.def_prop_ro("names", &Features::names)
      .def("__call__", &read, nb::arg("state"), nb::arg("player"),
           "Return the named numbers from a player's point of view.")
      .def("codes", &codes_of, nb::arg("state"), nb::arg("player"), "Return the codes from a player's point of view.");
  bind_codes(features);
  nb::class_<MoveFeatures> move_features(module, "MoveFeatures", "Codes of a native game's moves.");
  move_features.def("codes", &codes_of_moves, nb::arg("state"), nb::arg("moves"), "Return the codes of each move.");
  bind_codes(move_features);
  nb::class_<hex::HexFeatures, Features>(module, "HexFeatures", "The eight objectives of Hex.").def(nb::init<>());
  nb::class_<hex::HexMoveCodes, MoveFeatures>(module, "HexMoveCodes", "Codes of Hex moves: shapes, places, replies.")
      .def(nb::init<>());
  module.def("extract_games", &extract, nb::arg("features"), nb::arg("starts"), nb::arg("moves"), nb::arg("counts"),
             nb::arg("threads") = 1,
             nb::sig("def extract_games(features: Features, starts: list, moves: object, counts: object, threads: int "
                     "= 1) -> tuple"),
             "Replay games and extract every position in which a player is to move.\n\n"
             "`moves` (uint32) concatenates the moves of all games; `counts` (int64) has the number of moves of each "
             "game. Returns the features (float64, one row per position, for the side to move), the codes (offsets of "
             "the rows and indices), and for each row the game, the ply and the player (int32).");
  module.def("extract_moves", &extract_moves_of, nb::arg("features"), nb::arg("starts"), nb::arg("moves"),
             nb::arg("counts"), nb::arg("first"), nb::arg("share"), nb::arg("reference").none(), nb::arg("threads"),
             nb::sig("def extract_moves(features: MoveFeatures, starts: list, moves: object, counts: object, first: "
                     "list[int], share: float, reference: MoveOrdering | None, threads: int) -> tuple"),
             "Replay games and extract the codes of every legal move of the positions in which a move was made.\n\n"
             "`first` has the first ply to use of each game; of those positions a random share is kept. Returns the "
             "codes (offsets of the rows and indices; a row for each move), the weights by the reference ordering, "
             "the end of each position's rows, the place of the move played, the game, the ply and the player.");
}

}  // namespace tesuji::python
