#include "games/onitama/planes.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tesuji::onitama {

namespace {

constexpr int hand_size = 2;
constexpr int step_count = 16;  // different steps of all cards

constexpr std::array<std::string_view, 2> sides{"own", "other"};
constexpr std::array<std::string_view, deal_size> places{"own_card_1", "own_card_2", "other_card_1", "other_card_2",
                                                         "side_card"};

// All steps, by row, then by column.
constexpr std::array<Step, step_count> make_steps() {
  std::array<Step, step_count> steps{};
  std::size_t found = 0;
  for (int forward = -2; forward <= 2; ++forward) {
    for (int right = -2; right <= 2; ++right) {
      const Step step{right, forward};
      if (std::any_of(cards.begin(), cards.end(), [&](const Card& card) { return has_step(card, step); })) {
        steps.at(found++) = step;
      }
    }
  }
  return found == step_count ? steps : throw "the cards have other steps";
}
constexpr std::array<Step, step_count> steps = make_steps();

constexpr int number_of(Step step) {
  return static_cast<int>(std::find(steps.begin(), steps.end(), step) - steps.begin());
}
constexpr int mirrored_step(int number) {
  const Step step = steps[static_cast<std::size_t>(number)];
  return number_of({-step.right, step.forward});
}
constexpr int mirrored_square(int square) { return square / width * width + width - 1 - square % width; }

constexpr int mirrored_card(int number) {
  const Card& card = cards[static_cast<std::size_t>(number)];
  const auto found =
      std::find_if(cards.begin(), cards.end(), [&](const Card& other) { return same_steps(card, other, true); });
  return static_cast<int>(found - cards.begin());
}

// The order of the cards in a hand, which is the same for their mirror images: a card has the rank of its pair. Only
// the two cards of one pair change places.
constexpr std::array<std::uint8_t, card_count> make_ranks() {
  std::array<std::uint8_t, card_count> ranks{};
  for (int card = 0; card < card_count; ++card) {
    const int other = mirrored_card(card);
    ranks[static_cast<std::size_t>(card)] = static_cast<std::uint8_t>(2 * std::min(card, other) + (card > other));
  }
  return ranks;
}
constexpr std::array<std::uint8_t, card_count> ranks = make_ranks();

// Where each square is drawn, by its player's view and by whether it is mirrored.
using Squares = std::array<std::uint8_t, squares>;
constexpr std::array<std::array<Squares, 2>, 2> make_views() {
  std::array<std::array<Squares, 2>, 2> views{};
  for (int square = 0; square < squares; ++square) {
    for (int player = 0; player < 2; ++player) {
      const int seen = player == blue ? square : squares - 1 - square;
      views[static_cast<std::size_t>(player)][0][static_cast<std::size_t>(square)] = static_cast<std::uint8_t>(seen);
      views[static_cast<std::size_t>(player)][1][static_cast<std::size_t>(square)] =
          static_cast<std::uint8_t>(mirrored_square(seen));
    }
  }
  return views;
}
constexpr std::array<std::array<Squares, 2>, 2> views = make_views();

std::array<std::uint8_t, hand_size> ordered_hand(const Position& position, int player) {
  std::array<std::uint8_t, hand_size> hand = position.hand(player);
  if (ranks[position.deal()[hand[0]]] > ranks[position.deal()[hand[1]]]) std::swap(hand[0], hand[1]);
  return hand;
}

std::vector<std::string> plane_names(const Limits& limits) {
  std::vector<std::string> names = {"own_students", "own_master", "other_students", "other_master", "board"};
  for (const std::string_view side : sides) {
    for (const char* const card : {"card_1", "card_2", "side_card"}) {
      for (const char* const pieces : {"master", "students"}) {
        names.push_back(std::string(side) + "_" + pieces + "_reach_by_" + card);
      }
    }
  }
  for (const std::string_view place : places) {
    for (const Step& step : steps) {
      names.push_back(std::string(place) + "_" + std::to_string(step.right) + "_" + std::to_string(step.forward));
    }
  }
  if (limits.plies > 0) names.emplace_back("plies_left");
  return names;
}

constexpr int first_card_plane = 5 + 2 * 3 * 2;

}  // namespace

OnitamaPlanes::OnitamaPlanes(Limits limits)
    : Planes(plane_names(limits), {width, width, hand_size * step_count, hand_size}), limits_(limits) {
  Symmetry mirror;
  for (int square = 0; square < squares; ++square) {
    mirror.cells.push_back(static_cast<std::uint16_t>(mirrored_square(square)));
  }
  for (int index = 0; index < policy_size(); ++index) {
    const int card = index / (step_count * squares);
    const int step = mirrored_step(index / squares % step_count);
    const int to = (card * step_count + step) * squares + mirrored_square(index % squares);
    mirror.policy.push_back(static_cast<std::uint16_t>(card < hand_size ? to : index));
  }
  for (int plane = 0; plane < static_cast<int>(names().size()); ++plane) {
    const int of_card = plane - first_card_plane;
    const bool is_step = of_card >= 0 && of_card < deal_size * step_count;
    const int step = of_card % step_count;
    mirror.planes.push_back(static_cast<std::uint16_t>(is_step ? plane - step + mirrored_step(step) : plane));
  }
  add_symmetry(std::move(mirror));
}

void OnitamaPlanes::check(const State& state) const {
  const auto& onitama = state_as<OnitamaState>(state, "these planes need an Onitama position");
  if (onitama.limits() != limits_) throw std::invalid_argument("these planes are of Onitama with other limits");
}

void OnitamaPlanes::encode_turned(const State& state, int symmetry, float* out) const {
  const auto& onitama = static_cast<const OnitamaState&>(state);
  const Position& position = onitama.position();
  const int own = position.player();
  const bool mirror = symmetry == 1;
  const Squares& view = views[static_cast<std::size_t>(own)][mirror ? 1 : 0];
  std::fill_n(out, size(), 0.0F);
  const auto next_plane = [&] { return std::exchange(out, out + squares); };
  const auto masters_of = [&](int player) { return position.pieces(player) & 1U << position.master(player); };
  for (const int player : {own, 1 - own}) {
    const Board master = masters_of(player);  // none if it was captured
    for (const Board pieces : {position.pieces(player) & ~master, master}) {
      float* const plane = next_plane();
      for_each_square(pieces, [&](int square) { plane[view[static_cast<std::size_t>(square)]] = 1; });
    }
  }
  std::fill_n(next_plane(), squares, 1.0F);

  const std::array<std::uint8_t, hand_size> own_hand = ordered_hand(position, own);
  const std::array<std::uint8_t, hand_size> other_hand = ordered_hand(position, 1 - own);
  const auto side = static_cast<std::uint8_t>(position.side());
  const auto card_at = [&](std::uint8_t place) { return std::size_t{position.deal()[place]}; };
  for (const int player : {own, 1 - own}) {
    const std::array<std::uint8_t, hand_size>& hand = player == own ? own_hand : other_hand;
    const Board master = masters_of(player);
    for (const std::uint8_t place : {hand[0], hand[1], side}) {
      const std::array<Board, squares>& reach = targets[card_at(place)][static_cast<std::size_t>(player)];
      for (const Board pieces : {master, position.pieces(player) & ~master}) {
        float* const plane = next_plane();
        for_each_square(pieces, [&](int from) {
          for_each_square(reach[static_cast<std::size_t>(from)],
                          [&](int to) { plane[view[static_cast<std::size_t>(to)]] += 1; });
        });
      }
    }
  }
  for (const std::uint8_t place : {own_hand[0], own_hand[1], other_hand[0], other_hand[1], side}) {
    const Card& card = cards[card_at(place)];
    for (int i = 0; i < card.count; ++i) {
      const Step& step = card.steps[static_cast<std::size_t>(i)];
      const int number = number_of({mirror ? -step.right : step.right, step.forward});
      std::fill_n(out + number * squares, squares, 1.0F);
    }
    out += step_count * squares;
  }
  if (limits_.plies > 0) {
    const auto left = static_cast<float>(limits_.plies - onitama.ply());
    std::fill_n(next_plane(), squares, left / static_cast<float>(limits_.plies));
  }
}

int OnitamaPlanes::index(const State& state, Move move) const {
  const Position& position = static_cast<const OnitamaState&>(state).position();
  const Turn turn = decode(move);
  const int card = ordered_hand(position, position.player())[0] == turn.place ? 0 : 1;
  if (turn.pass()) return policy_planes() * squares + card;
  const Squares& view = views[static_cast<std::size_t>(position.player())][0];
  const int from = view[static_cast<std::size_t>(turn.from)];
  const int to = view[static_cast<std::size_t>(turn.to)];
  const int step = number_of({to % width - from % width, to / width - from / width});
  return (card * step_count + step) * squares + from;
}

}  // namespace tesuji::onitama
