// Bindings of Onitama: rules, features, planes and tablebases. Cards are indices of ONITAMA_CARDS.
#include "games/onitama/onitama.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <system_error>
#include <thread>

#include "bindings/arrays.hpp"
#include "bindings/games/games.hpp"
#include "games/onitama/features.hpp"
#include "games/onitama/planes.hpp"
#include "games/onitama/tablebase.hpp"

namespace tesuji::python {

namespace {

using onitama::OnitamaState;
using onitama::OnitamaTablebase;

constexpr int max_threads = 256;

onitama::Deal checked_deal(const std::vector<int>& given) {
  const std::set<int> different(given.begin(), given.end());
  if (given.size() != onitama::deal_size || different.size() != onitama::deal_size || *different.begin() < 0 ||
      *different.rbegin() >= onitama::card_count) {
    fail("a deal must be five different cards, each from 0 to " + std::to_string(onitama::card_count - 1));
  }
  onitama::Deal deal;
  for (std::size_t i = 0; i < deal.size(); ++i) deal[i] = static_cast<std::uint8_t>(given[i]);
  return deal;
}

onitama::Limits checked_limits(int plies, int occurrences) {
  if (plies < 0 || occurrences < 0) fail("limits must be at least 0 (no limit)");
  return {plies, occurrences};
}

onitama::Pack checked_pack(const std::array<int, 2>& range) {
  if (range[0] < 0 || range[1] > onitama::card_count || range[1] - range[0] < onitama::deal_size) {
    fail("a deal needs at least five cards of the table");
  }
  return {static_cast<std::uint8_t>(range[0]), static_cast<std::uint8_t>(range[1])};
}

OnitamaState started(const std::vector<int>& deal, int ply_limit, int repetition_limit,
                     const std::optional<std::array<int, 2>>& pack) {
  return OnitamaState(onitama::Position(checked_deal(deal)), checked_limits(ply_limit, repetition_limit),
                      pack ? checked_pack(*pack) : onitama::Pack{});
}

// The places in the deal of the same five cards in another order.
onitama::Deal places(const onitama::Deal& deal, const std::vector<int>& held) {
  const onitama::Deal given = checked_deal(held);
  onitama::Deal found;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto place = std::find(deal.begin(), deal.end(), given[i]);
    if (place == deal.end()) fail("the cards held must be those of the deal");
    found[i] = static_cast<std::uint8_t>(place - deal.begin());
  }
  return found;
}

OnitamaState set_up(const std::vector<int>& deal, int player, const std::array<std::uint32_t, 2>& pieces,
                    const std::array<int, 2>& masters, int ply_limit, int repetition_limit,
                    const std::optional<std::vector<int>>& held) {
  checked_range("player", player, 0, 1);
  if (((pieces[0] | pieces[1]) & ~onitama::board_mask) != 0 || (pieces[0] & pieces[1]) != 0) {
    fail("pieces must be two boards of 25 bits without a common square");
  }
  for (std::size_t side = 0; side < 2; ++side) {
    const bool there = masters[side] >= 0 && masters[side] < onitama::squares;
    if (!there || (pieces[side] >> masters[side] & 1U) == 0) fail("each master must stand on a square of its pieces");
    if (std::popcount(pieces[side]) > onitama::width) fail("each player has at most five pieces");
    if (masters[side] == onitama::temples[1 - side]) fail("a master on the enemy temple has won already");
  }
  const onitama::Deal checked = checked_deal(deal);
  return OnitamaState(onitama::Position(checked, player, pieces, masters, places(checked, held ? *held : deal)),
                      checked_limits(ply_limit, repetition_limit));
}

nb::bytes cells(const OnitamaState& state) {
  const onitama::Position& position = state.position();
  std::array<char, onitama::squares> found{};
  for (const int player : {onitama::blue, onitama::red}) {
    onitama::for_each_square(position.pieces(player), [&](int square) {
      const bool master = square == position.master(player);
      found[static_cast<std::size_t>(square)] = static_cast<char>(1 + 2 * player + (master ? 1 : 0));
    });
  }
  return nb::bytes(found.data(), found.size());
}

template <typename Cards>
std::vector<int> as_list(const Cards& cards) {
  return {cards.begin(), cards.end()};
}

std::vector<int> held(const OnitamaState& state) {
  const onitama::Position& position = state.position();
  const onitama::Deal& deal = position.deal();
  const auto& one = position.hand(onitama::blue);
  const auto& two = position.hand(onitama::red);
  return {deal[one[0]], deal[one[1]], deal[two[0]], deal[two[1]], deal[static_cast<std::size_t>(position.side())]};
}

nb::tuple card_table() {
  nb::list table;
  for (const onitama::Card& card : onitama::cards) {
    nb::list steps;
    for (int i = 0; i < card.count; ++i) {
      const onitama::Step step = card.steps[static_cast<std::size_t>(i)];
      steps.append(nb::make_tuple(step.right, step.forward));
    }
    table.append(nb::make_tuple(nb::str(card.name.data(), card.name.size()), card.stamp, nb::tuple(steps)));
  }
  return nb::tuple(table);
}

// A solved tablebase in memory.
struct Solved {
  onitama::TablebaseHeader header;
  onitama::Solution solution;
};

Solved solve(const std::vector<int>& deal, int men, int threads, const nb::object& progress) {
  if (men != 2 && men != 4 && men != 6) fail("men must be 2, 4 or 6, not " + std::to_string(men));
  if (threads == 0) threads = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, max_threads);
  checked_range("threads", threads, 1, max_threads);
  Solved made;
  made.header.men = men;
  made.header.cards = onitama::card_set(checked_deal(deal));
  const onitama::TablebaseIndex index(made.header.cards, made.header.students());
  const nb::gil_scoped_release released;
  made.solution = onitama::solve(index, threads, [&](double done, int plies) {
    check_signals();
    const nb::gil_scoped_acquire gil;
    if (!progress.is_none()) progress(done, plies);
  });
  made.header.states = index.size();
  made.header.wins = made.solution.wins;
  made.header.losses = made.solution.losses;
  made.header.draws = made.solution.draws;
  made.header.longest = static_cast<std::uint64_t>(made.solution.longest);
  made.header.checksum = onitama::checksum_of(made.solution.plies.data(), index.size(), check_signals);
  return made;
}

nb::bytes header_bytes(const Solved& solved) {
  const onitama::TablebaseHeaderBytes bytes = onitama::write_header(solved.header);
  return nb::bytes(bytes.data(), bytes.size());
}

nb::ndarray<nb::numpy, const std::uint8_t, nb::ndim<1>> entries(nb::handle_t<Solved> self) {
  const auto& solved = nb::cast<const Solved&>(self);
  return {solved.solution.plies.data(), {solved.header.states}, self};
}

[[noreturn]] void raise_os_error(const std::system_error& error) {
#ifdef _WIN32
  PyErr_SetExcFromWindowsErr(PyExc_OSError, error.code().value());
#else
  errno = error.code().value();
  PyErr_SetFromErrno(PyExc_OSError);
#endif
  throw nb::python_error();
}

void open(OnitamaTablebase* self, const nb::bytes& name) {
  const std::string path(name.c_str(), name.size());
  try {
    new (self) OnitamaTablebase(path);
  } catch (const std::system_error& error) {
    raise_os_error(error);
  }
}

std::uint64_t checked_index(const OnitamaTablebase& table, std::int64_t index) {
  if (index >= 0 && static_cast<std::uint64_t>(index) < table.header().states) return static_cast<std::uint64_t>(index);
  fail("index must be from 0 to " + std::to_string(table.header().states - 1) + ", not " + std::to_string(index));
}

std::vector<std::uint64_t> sample(const OnitamaTablebase& table, const std::string& kind, std::uint64_t count,
                                  std::uint64_t seed, int men) {
  constexpr std::array kinds = {"win", "loss", "draw"};
  const auto wanted = checked_name<OnitamaTablebase::Outcome>("kind", kinds, kind);
  const nb::gil_scoped_release released;
  return table.sample(wanted, count, seed, men, check_signals);
}

// Binds a number of the header.
template <auto member>
auto from_header() {
  return [](const OnitamaTablebase& table) { return table.header().*member; };
}

void bind_tablebase(nb::module_& module) {
  nb::class_<Tablebase>(module, "Tablebase", "Exact results of positions.")
      .def(
          "probe",
          [](const Tablebase& table, const State& state) -> std::optional<std::pair<double, int>> {
            const std::optional<ExactResult> known = table.probe(state);
            if (!known) return std::nullopt;
            return std::pair(known->score, known->plies);
          },
          "state"_a, "Return the score of the side to move and the plies to the end; None if unknown.");
  nb::class_<Solved>(module, "OnitamaSolution", "Solved tablebase of five cards.")
      .def_prop_ro("header", &header_bytes, "The file's header.")
      .def_prop_ro("entries", &entries, "The file's entries, as an array.");
  module.def("solve_onitama", &solve, "deal"_a, "men"_a, "threads"_a, "progress"_a.none() = nb::none(),
             "Solve all positions with at most `men` pieces. `progress` gets the share done and the plies.");
  nb::class_<OnitamaTablebase, Tablebase>(module, "OnitamaTablebase", "Tablebase file of Onitama.")
      .def("__init__", &open, "path"_a, "Open a file; `path` as returned by os.fsencode().")
      .def_prop_ro("men", from_header<&onitama::TablebaseHeader::men>())
      .def_prop_ro("cards", [](const OnitamaTablebase& table) { return as_list(table.header().cards); })
      .def_prop_ro("states", from_header<&onitama::TablebaseHeader::states>())
      .def_prop_ro("wins", from_header<&onitama::TablebaseHeader::wins>())
      .def_prop_ro("losses", from_header<&onitama::TablebaseHeader::losses>())
      .def_prop_ro("draws", from_header<&onitama::TablebaseHeader::draws>())
      .def_prop_ro("longest", from_header<&onitama::TablebaseHeader::longest>())
      .def("intact",
           [](const OnitamaTablebase& table) {
             const nb::gil_scoped_release released;
             return table.intact(check_signals);
           })
      .def(
          "entry",
          [](const OnitamaTablebase& table, std::int64_t index) { return table.entry(checked_index(table, index)); },
          "index"_a, "Return 0 for a draw, otherwise the plies to the end, odd if the side to move wins.")
      .def(
          "position",
          [](const OnitamaTablebase& table, std::int64_t index, int ply_limit, int repetition_limit) {
            return OnitamaState(table.index().position(checked_index(table, index)),
                                checked_limits(ply_limit, repetition_limit));
          },
          "index"_a, "ply_limit"_a = 0, "repetition_limit"_a = 0)
      .def(
          "index",
          [](const OnitamaTablebase& table, const OnitamaState& state) { return table.index().find(state.position()); },
          "state"_a)
      .def("sample", &sample, "kind"_a, "count"_a, "seed"_a, "men"_a);
}

}  // namespace

void bind_onitama(nb::module_& module) {
  bind_position<OnitamaState>(module, "OnitamaState", "Onitama position.")
      .def(
          "__init__",
          [](OnitamaState* self, const std::vector<int>& deal, int ply_limit, int repetition_limit,
             const std::optional<std::array<int, 2>>& pack) {
            new (self) OnitamaState(started(deal, ply_limit, repetition_limit, pack));
          },
          "deal"_a, "ply_limit"_a = 0, "repetition_limit"_a = 0, "pack"_a = nb::none(),
          "The first position; `pack` is the range of cards that it was dealt from, if self-play deals it anew.")
      .def_static("set_up", &set_up, "deal"_a, "player"_a, "pieces"_a, "masters"_a, "ply_limit"_a = 0,
                  "repetition_limit"_a = 0, "held"_a = nb::none(),
                  "Set up any position: each player's pieces as a bit board (a1 is the lowest bit), its master's "
                  "square, and the cards in the order of held(), by default those of the deal.")
      .def_prop_ro("winner", [](const OnitamaState& state) { return state.position().winner(); })
      .def_prop_ro("occurrences", &OnitamaState::occurrences,
                   "Occurrences of this position since the last capture; 1 without a repetition limit.")
      .def_prop_ro("deal", [](const OnitamaState& state) { return as_list(state.position().deal()); })
      .def("cells", &cells,
           "Return one byte per square, from a1 row by row: 0 empty, 1 and 2 Blue's student and master, 3 and 4 Red's.")
      .def("held", &held, "List the cards: Blue's two, Red's two, the side card.")
      .def("earlier", &OnitamaState::earlier,
           "List the hashes since the last capture; empty without a repetition limit.");

  module.def(
      "onitama_deal",
      [](std::uint64_t seed, int first, int end) {
        const onitama::Pack pack = checked_pack({first, end});
        return as_list(onitama::deal_cards(seed, pack.first, pack.end));
      },
      "seed"_a, "first"_a, "end"_a, "Deal five random cards of the range [first, end).");
  nb::class_<onitama::OnitamaPlanes, Planes>(module, "OnitamaPlanes", "Network input planes of Onitama.")
      .def(
          "__init__",
          [](onitama::OnitamaPlanes* self, int ply_limit, int repetition_limit) {
            new (self) onitama::OnitamaPlanes(checked_limits(ply_limit, repetition_limit));
          },
          "ply_limit"_a = 0, "repetition_limit"_a = 0);
  bind_part<onitama::OnitamaFeatures, Features>(module, "OnitamaFeatures", "Features of Onitama.");
  module.attr("ONITAMA_CARDS") = card_table();
  module.attr("ONITAMA_BASE_CARDS") = onitama::base_count;
  bind_tablebase(module);
}

}  // namespace tesuji::python
