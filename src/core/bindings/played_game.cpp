// Bindings of self-play games and tactical positions.
#include "game/played_game.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>

#include "bindings/bindings.hpp"
#include "bindings/errors.hpp"
#include "games/gomoku/tactics.hpp"

namespace tesuji::python {

namespace nb = nanobind;

namespace {

// `searched`: one (value, surprise, full, {index: share}) per move after the opening.
PlayedGame make(const std::vector<Move>& moves, const std::vector<double>& scores, std::uint32_t opening,
                const nb::list& searched, int resigned_by, std::uint8_t board, std::uint32_t deal) {
  PlayedGame game;
  game.board = board;
  game.deal = deal;
  game.moves = moves;
  game.opening = opening;
  game.resigned_by = resigned_by;
  if (scores.size() != 2) fail("a self-play game needs two scores, not " + std::to_string(scores.size()));
  std::copy(scores.begin(), scores.end(), game.scores.begin());
  if (opening > moves.size() || nb::len(searched) != moves.size() - opening) {
    fail("a game needs one search per move after the opening");
  }
  for (const nb::handle each : searched) {
    const auto parts = nb::cast<nb::tuple>(each);
    if (nb::len(parts) != 4) fail("a search must be (value, surprise, full, {index: share}), not " + text(each));
    SearchedPly result{static_cast<std::uint32_t>(game.targets.size()), 0, nb::cast<float>(parts[0]),
                       nb::cast<float>(parts[1]), nb::cast<bool>(parts[2])};
    for (const auto [index, share] : nb::cast<nb::dict>(parts[3])) {
      game.targets.emplace_back(nb::cast<std::uint32_t>(index), nb::cast<float>(share));
      ++result.count;
    }
    game.searched.push_back(result);
  }
  return game;
}

nb::list searched(const PlayedGame& game) {
  nb::list list;
  for (const SearchedPly& each : game.searched) {
    nb::dict targets;
    for (std::uint32_t i = each.first; i < each.first + each.count; ++i) {
      targets[nb::int_(game.targets[i].first)] = game.targets[i].second;
    }
    list.append(nb::make_tuple(each.value, each.surprise, each.full, targets));
  }
  return list;
}

std::vector<PlayedGame> tactics(const gomoku::GomokuState& start, const Planes& planes, std::size_t count,
                                std::uint64_t seed, int threads,
                                const std::vector<const gomoku::GomokuState*>& excluded, std::uint8_t board) {
  if (threads < 1) fail("threads must be at least 1, not " + std::to_string(threads));
  if (count > 10'000'000) fail("count must be at most 10000000, not " + std::to_string(count));
  if (std::count(excluded.begin(), excluded.end(), nullptr) > 0) fail("an excluded position must be a state, not None");
  const nb::gil_scoped_release released;
  return gomoku::make_tactics(start, planes, {count, seed, threads, excluded, board}, [] {
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  });
}

}  // namespace

void bind_played_game(nb::module_& module) {
  nb::class_<PlayedGame>(module, "PlayedGame", "Self-play game: its moves and search results.")
      .def(
          "__init__",
          [](PlayedGame* self, const std::vector<Move>& moves, const std::vector<double>& scores, std::uint32_t opening,
             const nb::list& found, int resigned_by, std::uint8_t board, std::uint32_t deal) {
            new (self) PlayedGame(make(moves, scores, opening, found, resigned_by, board, deal));
          },
          nb::arg("moves"), nb::arg("scores"), nb::arg("opening"), nb::arg("searched"), nb::arg("resigned_by") = -1,
          nb::arg("board") = 0, nb::arg("deal") = 0)
      .def_ro("deal", &PlayedGame::deal, "Seed of the deal; 0 in games without one.")
      .def_ro("board", &PlayedGame::board, "Index of the run's board.")
      .def_ro("moves", &PlayedGame::moves)
      .def_ro("opening", &PlayedGame::opening, "Number of initial moves that were not searched.")
      .def_prop_ro(
          "searched", &searched, nb::sig("def searched(self) -> list[tuple[float, float, bool, dict]]"),
          "For each move after the opening: value for the side to move, surprise, whether the search was full, and "
          "{policy index: share}.")
      .def_prop_ro("scores", [](const PlayedGame& game) { return std::pair(game.scores[0], game.scores[1]); })
      .def_ro("resigned_by", &PlayedGame::resigned_by, "The player who resigned, or -1.");
  module.attr("GOMOKU_TACTICS") = std::vector<std::string>(gomoku::tactic_names.begin(), gomoku::tactic_names.end());
  module.def("gomoku_tactics", &tactics, nb::arg("start"), nb::arg("planes"), nb::arg("count"), nb::arg("seed"),
             nb::arg("threads"), nb::arg("excluded"), nb::arg("board") = 0,
             "Generate tactical positions with known best moves, as games that lead there.");
}

}  // namespace tesuji::python
