// Bindings of Onitama's rules. Cards are indices of ONITAMA_CARDS.
#include "bindings/games/onitama.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bindings/bindings.hpp"
#include "bindings/errors.hpp"
#include "games/onitama/features.hpp"
#include "games/onitama/planes.hpp"

namespace tesuji::python {

namespace nb = nanobind;

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

namespace {

using onitama::OnitamaState;

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
  if (player != 0 && player != 1) fail("player must be 0 or 1, not " + std::to_string(player));
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

}  // namespace

void bind_onitama(nb::module_& module) {
  nb::class_<OnitamaState, State>(module, "OnitamaState", "Onitama position.")
      .def(
          "__init__",
          [](OnitamaState* self, const std::vector<int>& deal, int ply_limit, int repetition_limit,
             const std::optional<std::array<int, 2>>& pack) {
            new (self) OnitamaState(started(deal, ply_limit, repetition_limit, pack));
          },
          nb::arg("deal"), nb::arg("ply_limit") = 0, nb::arg("repetition_limit") = 0, nb::arg("pack") = nb::none(),
          "The first position; `pack` is the range of cards that it was dealt from, if self-play deals it anew.")
      .def_static("set_up", &set_up, nb::arg("deal"), nb::arg("player"), nb::arg("pieces"), nb::arg("masters"),
                  nb::arg("ply_limit") = 0, nb::arg("repetition_limit") = 0, nb::arg("held") = nb::none(),
                  "Set up any position: each player's pieces as a bit board (a1 is the lowest bit), its master's "
                  "square, and the "
                  "cards in the order of held(), by default those of the deal.")
      .def_prop_ro("ply", &OnitamaState::ply)
      .def_prop_ro("winner", [](const OnitamaState& state) { return state.position().winner(); })
      .def_prop_ro("occurrences", &OnitamaState::occurrences,
                   "Occurrences of this position since the last capture; 1 without a repetition limit.")
      .def_prop_ro(
          "last_move",
          [](const OnitamaState& state) {
            return state.last_move() == no_move ? nb::object(nb::none()) : nb::object(nb::int_(state.last_move()));
          },
          nb::sig("def last_move(self) -> int | None"))
      .def_prop_ro("deal",
                   [](const OnitamaState& state) {
                     const onitama::Deal& deal = state.position().deal();
                     return std::vector<int>(deal.begin(), deal.end());
                   })
      .def("cells", &cells,
           "Return one byte per square, from a1 row by row: 0 empty, 1 and 2 Blue's student and master, 3 and 4 Red's.")
      .def("held", &held, "List the cards: Blue's two, Red's two, the side card.")
      .def("earlier", &OnitamaState::earlier,
           "List the hashes since the last capture; empty without a repetition limit.");

  module.def(
      "onitama_deal",
      [](std::uint64_t seed, int first, int end) {
        const onitama::Pack pack = checked_pack({first, end});
        const onitama::Deal deal = onitama::deal_cards(seed, pack.first, pack.end);
        return std::vector<int>(deal.begin(), deal.end());
      },
      nb::arg("seed"), nb::arg("first"), nb::arg("end"), "Deal five random cards of the range [first, end).");
  nb::class_<onitama::OnitamaPlanes, Planes>(module, "OnitamaPlanes", "Network input planes of Onitama.")
      .def(
          "__init__",
          [](onitama::OnitamaPlanes* self, int ply_limit, int repetition_limit) {
            new (self) onitama::OnitamaPlanes(checked_limits(ply_limit, repetition_limit));
          },
          nb::arg("ply_limit") = 0, nb::arg("repetition_limit") = 0);
  nb::class_<onitama::OnitamaFeatures, Features>(module, "OnitamaFeatures", "Features of Onitama.").def(nb::init<>());
  module.attr("ONITAMA_CARDS") = card_table();
  module.attr("ONITAMA_BASE_CARDS") = onitama::base_count;
}

}  // namespace tesuji::python
