// Pattern codes: an empty cell is described by what a stone of one colour would make in its four lines, whatever their
// order. These multisets, for both colours, and the threats that both sides have are the sparse features of Gomoku's
// learned value and prior.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "game/codes.hpp"
#include "games/gomoku/board/patterns.hpp"

namespace tesuji::gomoku {

// Multisets of four line patterns out of twelve: C(12 + 3, 4).
inline constexpr Code shape_count = 1365;

// The multisets of line patterns, numbered.
class Shapes {
 public:
  static const Shapes& table();

  // Of the four lines of a cell, four bits each; `nothing` if there is no two or more among them: such cells get no
  // code.
  static constexpr std::uint16_t nothing = 0xFFFF;
  std::uint16_t operator[](std::uint16_t lines) const { return shapes_[lines]; }
  // Some lines of this shape, in ascending order.
  std::uint16_t lines(int shape) const { return lines_[static_cast<std::size_t>(shape)]; }

 private:
  Shapes();
  std::array<std::uint16_t, 1 << 16> shapes_{};
  std::array<std::uint16_t, shape_count> lines_{};
};

// As "open three, two".
std::string shape_text(int shape);
// A name without its underscores.
std::string in_words(std::string_view name);

// Whose patterns: lines mean something else where fives must be exact, or moves are forbidden.
enum class Side : std::uint8_t { freestyle, standard, renju_black, renju_white };
inline constexpr int side_count = 4;
inline constexpr std::array<std::string_view, side_count> side_names = {"freestyle", "standard", "renju Black",
                                                                        "renju White"};
inline Code table_of(Side side) { return static_cast<Code>(side); }
inline Side side_of(Rule rule, int colour) {
  if (rule != Rule::renju) return rule == Rule::freestyle ? Side::freestyle : Side::standard;
  return colour == black ? Side::renju_black : Side::renju_white;
}

// The threats that count, of the mover in the lower bits, of the opponent in the upper ones: whether there is a cell
// where a stone would make one of these.
inline constexpr std::array<Threat, 6> listed_threats = {Threat::open_three, Threat::four,      Threat::double_three,
                                                         Threat::four_three, Threat::open_four, Threat::five};
inline constexpr Code situation_count = 1U << 2 * listed_threats.size();
int situation(const Patterns& patterns, int mover);

// Positions that fives and open fours decide, for the mover. They have one code and no others: no sum over cells says
// that a five outweighs everything else.
enum class Decision : std::uint8_t { five, open_four, two_fives_against };
inline constexpr Code decision_count = 3;
inline constexpr std::array<std::string_view, decision_count> decision_names = {"my five", "my open four",
                                                                                "their two fives"};
inline std::optional<Decision> decision(const Patterns& patterns, int mover) {
  if (patterns.count(Threat::five, mover) > 0) return Decision::five;
  const int fives_against = patterns.count(Threat::five, 1 - mover);
  if (fives_against > 1) return Decision::two_fives_against;
  if (fives_against == 0 && patterns.count(Threat::open_four, mover) > 0) return Decision::open_four;
  return std::nullopt;
}

// The weights of all shapes of a rule's two colours, ready for Patterns to add up: by the four lines of a cell, the
// weight if the colour is to move and, in the lower half, if it is not.
class ShapeWeights {
 public:
  // `weights` are those of ShapeCodes; throws std::invalid_argument if there are more or fewer.
  ShapeWeights(const std::shared_ptr<const CodeWeights>& weights, Rule rule);
  // The same, kept as long as the weights exist. Thread-safe.
  static std::shared_ptr<const ShapeWeights> of(const std::shared_ptr<const CodeWeights>& weights, Rule rule);

  // The two halves of a sum.
  static std::int32_t otherwise(std::int64_t sum) { return static_cast<std::int32_t>(sum); }
  static std::int32_t if_to_move(std::int64_t sum) { return static_cast<std::int32_t>((sum - otherwise(sum)) >> 32); }

  // Whether they come from these weights. Keeps no reference, but no other weights can be mistaken for them.
  bool from(const std::shared_ptr<const CodeWeights>& weights) const {
    return !source_.owner_before(weights) && !weights.owner_before(source_);
  }
  const std::int64_t* of(int colour) const { return tables_[static_cast<std::size_t>(colour)]->data(); }

 private:
  using Table = std::array<std::int64_t, 1 << 16>;
  std::weak_ptr<const CodeWeights> source_;
  Rule rule_;
  std::array<std::shared_ptr<const Table>, 2> tables_;
};

// The numbers of the codes of a position. Every cell and every situation has two: one for its side, and one that all
// sides share, so that what is rare under one rule is learned from the others.
struct ShapeCodes {
  static constexpr Code tables = side_count + 1;
  static constexpr Code shared = side_count;
  static constexpr Code cells = 2 * tables * shape_count;
  static constexpr Code situations = tables * situation_count;
  static constexpr Code count = cells + situations + tables * decision_count;

  // A cell's shape for a colour that is to move, or not.
  static Code cell(Code table, bool to_move, int shape) {
    return (2 * table + (to_move ? 0U : 1U)) * shape_count + static_cast<Code>(shape);
  }
  static Code threats(Code table, int situation) {
    return cells + table * situation_count + static_cast<Code>(situation);
  }
  static Code decided(Code table, Decision decision) {
    return cells + situations + table * decision_count + static_cast<Code>(decision);
  }
};

}  // namespace tesuji::gomoku
