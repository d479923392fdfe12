// The cards of Onitama, with their stamps: sixteen of the base game and sixteen of Sensei's Path.
//
// A step is (right, forward) from the mover's point of view.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tesuji::onitama {

inline constexpr int width = 5;
inline constexpr int squares = width * width;
inline constexpr int blue = 0;
inline constexpr int red = 1;

// One bit per square; a1, Blue's left corner, is the lowest, then b1 to e1, a2 and so on.
using Board = std::uint32_t;

struct Step {
  int right = 0;
  int forward = 0;
  constexpr bool operator==(const Step&) const = default;
};

struct Card {
  std::string_view name;
  int stamp;  // the starting player if this is the side card
  int count;
  std::array<Step, 4> steps;
};

inline constexpr int card_count = 32;
inline constexpr int base_count = 16;  // the base game's cards come first

inline constexpr std::array<Card, card_count> cards{{
    {"Tiger", blue, 2, {{{0, 2}, {0, -1}}}},
    {"Crab", blue, 3, {{{0, 1}, {-2, 0}, {2, 0}}}},
    {"Monkey", blue, 4, {{{-1, 1}, {1, 1}, {-1, -1}, {1, -1}}}},
    {"Crane", blue, 3, {{{0, 1}, {-1, -1}, {1, -1}}}},
    {"Rabbit", blue, 3, {{{1, 1}, {2, 0}, {-1, -1}}}},
    {"Goose", blue, 4, {{{-1, 1}, {-1, 0}, {1, 0}, {1, -1}}}},
    {"Ox", blue, 3, {{{0, 1}, {1, 0}, {0, -1}}}},
    {"Eel", blue, 3, {{{-1, 1}, {1, 0}, {-1, -1}}}},
    {"Dragon", red, 4, {{{-2, 1}, {2, 1}, {-1, -1}, {1, -1}}}},
    {"Elephant", red, 4, {{{-1, 1}, {1, 1}, {-1, 0}, {1, 0}}}},
    {"Mantis", red, 3, {{{-1, 1}, {1, 1}, {0, -1}}}},
    {"Boar", red, 3, {{{0, 1}, {-1, 0}, {1, 0}}}},
    {"Frog", red, 3, {{{-1, 1}, {-2, 0}, {1, -1}}}},
    {"Rooster", red, 4, {{{1, 1}, {-1, 0}, {1, 0}, {-1, -1}}}},
    {"Horse", red, 3, {{{0, 1}, {-1, 0}, {0, -1}}}},
    {"Cobra", red, 3, {{{1, 1}, {-1, 0}, {1, -1}}}},
    {"Giraffe", blue, 3, {{{-2, 1}, {2, 1}, {0, -1}}}},
    {"Phoenix", blue, 4, {{{-1, 1}, {1, 1}, {-2, 0}, {2, 0}}}},
    {"Dog", blue, 3, {{{-1, 1}, {-1, 0}, {-1, -1}}}},
    {"Bear", blue, 3, {{{-1, 1}, {0, 1}, {1, -1}}}},
    {"Sea Snake", blue, 3, {{{0, 1}, {2, 0}, {-1, -1}}}},
    {"Mouse", blue, 3, {{{0, 1}, {1, 0}, {-1, -1}}}},
    {"Tanuki", blue, 3, {{{0, 1}, {2, 1}, {-1, -1}}}},
    {"Sable", blue, 3, {{{1, 1}, {-2, 0}, {-1, -1}}}},
    {"Kirin", red, 3, {{{-1, 2}, {1, 2}, {0, -2}}}},
    {"Turtle", red, 4, {{{-2, 0}, {2, 0}, {-1, -1}, {1, -1}}}},
    {"Fox", red, 3, {{{1, 1}, {1, 0}, {1, -1}}}},
    {"Panda", red, 3, {{{0, 1}, {1, 1}, {-1, -1}}}},
    {"Viper", red, 3, {{{0, 1}, {-2, 0}, {1, -1}}}},
    {"Rat", red, 3, {{{0, 1}, {-1, 0}, {1, -1}}}},
    {"Iguana", red, 3, {{{-2, 1}, {0, 1}, {1, -1}}}},
    {"Otter", red, 3, {{{-1, 1}, {2, 0}, {1, -1}}}},
}};

constexpr bool has_step(const Card& card, Step wanted) {
  for (int i = 0; i < card.count; ++i) {
    if (card.steps[static_cast<std::size_t>(i)] == wanted) return true;
  }
  return false;
}

// Whether two cards have the same steps, with left and right exchanged if `mirrored`.
constexpr bool same_steps(const Card& one, const Card& two, bool mirrored) {
  if (one.count != two.count) return false;
  for (int i = 0; i < one.count; ++i) {
    const Step step = one.steps[static_cast<std::size_t>(i)];
    if (!has_step(two, {mirrored ? -step.right : step.right, step.forward})) return false;
  }
  return true;
}

// Target squares by card, player and square. Red sees the board rotated by 180°.
using Targets = std::array<std::array<std::array<Board, squares>, 2>, card_count>;

constexpr Targets make_targets() {
  Targets targets{};
  for (std::size_t card = 0; card < cards.size(); ++card) {
    for (int player = 0; player < 2; ++player) {
      const int sign = player == blue ? 1 : -1;
      for (int from = 0; from < squares; ++from) {
        for (int i = 0; i < cards[card].count; ++i) {
          const Step step = cards[card].steps[static_cast<std::size_t>(i)];
          const int column = from % width + sign * step.right;
          const int row = from / width + sign * step.forward;
          if (column < 0 || column >= width || row < 0 || row >= width) continue;
          targets[card][static_cast<std::size_t>(player)][static_cast<std::size_t>(from)] |= 1U
                                                                                             << (row * width + column);
        }
      }
    }
  }
  return targets;
}

inline constexpr Targets targets = make_targets();

}  // namespace tesuji::onitama
