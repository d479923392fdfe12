// Bindings of Onitama's tablebases.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>
#include <thread>

#include "bindings/bindings.hpp"
#include "bindings/errors.hpp"
#include "bindings/games/onitama.hpp"
#include "games/onitama/tablebase.hpp"

namespace tesuji::python {

namespace nb = nanobind;

namespace {

using onitama::OnitamaState;
using onitama::OnitamaTablebase;

constexpr int max_threads = 256;

void check_signals() {
  const nb::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// A solved tablebase in memory.
struct Solved {
  onitama::TablebaseHeader header;
  onitama::Solution solution;
};

Solved solve(const std::vector<int>& deal, int men, int threads, nb::object progress) {
  if (men != 2 && men != 4 && men != 6) fail("men must be 2, 4 or 6, not " + std::to_string(men));
  if (threads < 0 || threads > max_threads) {
    fail("threads must be from 1 to " + std::to_string(max_threads) + ", not " + std::to_string(threads));
  }
  if (threads == 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  Solved made;
  made.header.men = men;
  made.header.cards = onitama::card_set(checked_deal(deal));
  const onitama::TablebaseIndex index(made.header.cards, made.header.students());
  const nb::gil_scoped_release released;
  made.solution = onitama::solve(index, threads, [&](double done, int plies) {
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
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

nb::object entries(nb::handle_t<Solved> self) {
  const auto& solved = nb::cast<const Solved&>(self);
  const std::size_t size = solved.header.states;
  return nb::cast(nb::ndarray<nb::numpy, const std::uint8_t>(solved.solution.plies.data(), {size}, self));
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

OnitamaTablebase::Outcome checked_kind(const std::string& kind) {
  if (kind == "win") return OnitamaTablebase::Outcome::win;
  if (kind == "loss") return OnitamaTablebase::Outcome::loss;
  if (kind == "draw") return OnitamaTablebase::Outcome::draw;
  fail("kind must be win, loss or draw, not '" + kind + "'");
}

}  // namespace

void bind_onitama_tablebase(nb::module_& module) {
  nb::class_<Tablebase>(module, "Tablebase", "Exact results of positions.")
      .def(
          "probe",
          [](const Tablebase& table, const State& state) {
            const std::optional<ExactResult> known = table.probe(state);
            return known ? nb::object(nb::make_tuple(known->score, known->plies)) : nb::object(nb::none());
          },
          nb::arg("state"), nb::sig("def probe(self, state: State) -> tuple[float, int] | None"),
          "Return the score of the side to move and the plies to the end; None if unknown.");
  nb::class_<Solved>(module, "OnitamaSolution", "Solved tablebase of five cards.")
      .def_prop_ro("header", &header_bytes, "The file's header.")
      .def_prop_ro("entries", &entries, nb::sig("def entries(self) -> object"), "The file's entries, as an array.");
  module.def("solve_onitama", &solve, nb::arg("deal"), nb::arg("men"), nb::arg("threads"),
             nb::arg("progress").none() = nb::none(),
             nb::sig("def solve_onitama(deal: list[int], men: int, threads: int, progress: object | None = None) -> "
                     "OnitamaSolution"),
             "Solve all positions with at most `men` pieces. `progress` gets the share done and the plies.");
  nb::class_<OnitamaTablebase, Tablebase>(module, "OnitamaTablebase", "Tablebase file of Onitama.")
      .def("__init__", &open, nb::arg("path"), "Open a file; `path` as returned by os.fsencode().")
      .def_prop_ro("men", [](const OnitamaTablebase& table) { return table.header().men; })
      .def_prop_ro("cards",
                   [](const OnitamaTablebase& table) {
                     return std::vector<int>(table.header().cards.begin(), table.header().cards.end());
                   })
      .def_prop_ro("states", [](const OnitamaTablebase& table) { return table.header().states; })
      .def_prop_ro("wins", [](const OnitamaTablebase& table) { return table.header().wins; })
      .def_prop_ro("losses", [](const OnitamaTablebase& table) { return table.header().losses; })
      .def_prop_ro("draws", [](const OnitamaTablebase& table) { return table.header().draws; })
      .def_prop_ro("longest", [](const OnitamaTablebase& table) { return table.header().longest; })
      .def("intact",
           [](const OnitamaTablebase& table) {
             const nb::gil_scoped_release released;
             return table.intact(check_signals);
           })
      .def(
          "entry",
          [](const OnitamaTablebase& table, std::int64_t index) { return table.entry(checked_index(table, index)); },
          nb::arg("index"), "Return 0 for a draw, otherwise the plies to the end, odd if the side to move wins.")
      .def(
          "position",
          [](const OnitamaTablebase& table, std::int64_t index, int ply_limit, int repetition_limit) {
            return OnitamaState(table.index().position(checked_index(table, index)),
                                checked_limits(ply_limit, repetition_limit));
          },
          nb::arg("index"), nb::arg("ply_limit") = 0, nb::arg("repetition_limit") = 0)
      .def(
          "index",
          [](const OnitamaTablebase& table, const OnitamaState& state) {
            const std::optional<std::uint64_t> index = table.index().find(state.position());
            return index ? nb::object(nb::int_(*index)) : nb::object(nb::none());
          },
          nb::arg("state"), nb::sig("def index(self, state: OnitamaState) -> int | None"))
      .def(
          "sample",
          [](const OnitamaTablebase& table, const std::string& kind, std::uint64_t count, std::uint64_t seed, int men) {
            const OnitamaTablebase::Outcome wanted = checked_kind(kind);
            const nb::gil_scoped_release released;
            return table.sample(wanted, count, seed, men, check_signals);
          },
          nb::arg("kind"), nb::arg("count"), nb::arg("seed"), nb::arg("men"));
}

}  // namespace tesuji::python
