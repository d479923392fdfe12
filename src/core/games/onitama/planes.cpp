#include "games/onitama/planes.hpp"

#include <algorithm>
#include <stdexcept>

namespace tesuji::onitama {

namespace {

constexpr int hand_size = 2;
constexpr int middle = squares / 2;

std::vector<std::string> plane_names(const Limits& limits) {
  std::vector<std::string> names = {"own_students", "own_master", "other_students", "other_master", "board",
                                    "own_card_1",   "own_card_2", "other_card_1",   "other_card_2", "side_card"};
  if (limits.plies > 0) names.emplace_back("plies_left");
  return names;
}

// A square from the player's point of view, moving up.
int seen(int player, int square) { return player == blue ? square : squares - 1 - square; }

int mirrored(int square) { return square / width * width + width - 1 - square % width; }

}  // namespace

// A step is numbered by the square it leads to from the centre.
OnitamaPlanes::OnitamaPlanes(const OnitamaState& start)
    : Planes(plane_names(start.limits()), {width, width, hand_size * squares, hand_size}), limits_(start.limits()) {
  Symmetry mirror;
  for (int square = 0; square < squares; ++square) mirror.cells.push_back(static_cast<std::uint16_t>(mirrored(square)));
  for (int index = 0; index < policy_size(); ++index) {
    const int card = index / (squares * squares);
    const int step = mirrored(index / squares % squares);
    const int to = (card * squares + step) * squares + mirrored(index % squares);
    mirror.policy.push_back(static_cast<std::uint16_t>(card < hand_size ? to : index));
  }
  add_symmetry(std::move(mirror));
}

void OnitamaPlanes::check(const State& state) const {
  const auto* onitama = dynamic_cast<const OnitamaState*>(&state);
  if (onitama == nullptr) throw std::invalid_argument("these planes need an Onitama position");
  if (onitama->limits() != limits_) throw std::invalid_argument("these planes are of Onitama with other limits");
}

void OnitamaPlanes::encode(const State& state, float* out) const {
  const auto& onitama = static_cast<const OnitamaState&>(state);
  const Position& position = onitama.position();
  const int own = position.player();
  std::fill_n(out, size(), 0.0F);
  for (const int player : {own, 1 - own}) {
    const int master = position.master(player);
    const Board students = position.pieces(player) & ~(1U << master);
    for_each_square(students, [&](int square) { out[seen(own, square)] = 1; });
    const bool alive = (position.pieces(player) >> master & 1U) != 0;
    if (alive) out[squares + seen(own, master)] = 1;
    out += 2 * squares;
  }
  std::fill_n(out, squares, 1.0F);
  out += squares;
  const auto draw = [&](int place, int player) {
    const Card& card = cards[position.deal()[static_cast<std::size_t>(place)]];
    for (int i = 0; i < card.count; ++i) {
      const Step& step = card.steps[static_cast<std::size_t>(i)];
      const int square = middle + step.forward * width + step.right;
      out[player == own ? square : squares - 1 - square] = 1;
    }
    out += squares;
  };
  for (const int player : {own, 1 - own}) {
    for (const int place : position.hand(player)) draw(place, player);
  }
  draw(position.side(), own);
  if (limits_.plies > 0) {
    std::fill_n(out, squares, static_cast<float>(limits_.plies - onitama.ply()) / static_cast<float>(limits_.plies));
  }
}

int OnitamaPlanes::index(const State& state, Move move) const {
  const Position& position = static_cast<const OnitamaState&>(state).position();
  const Turn turn = decode(move);
  const int card = position.hand(position.player())[0] == turn.place ? 0 : 1;
  if (turn.pass()) return policy_planes() * squares + card;
  const int from = seen(position.player(), turn.from);
  const int to = seen(position.player(), turn.to);
  // The step from the centre; it stays on the board, since steps are at most two squares long.
  const int step = middle + (to / width - from / width) * width + to % width - from % width;
  return (card * squares + step) * squares + from;
}

}  // namespace tesuji::onitama
