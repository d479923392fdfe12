#include "games/gomoku/move_codes.hpp"

#include <algorithm>
#include <cstdlib>

#include "games/gomoku/knowledge.hpp"
#include "games/gomoku/maps.hpp"

namespace tesuji::gomoku {

namespace {

// The most urgent thing on the board.
enum class Urgency : std::uint8_t { none, their_double, my_double, their_open_four, my_open_four, their_five, my_five };
constexpr int urgencies = 7;
constexpr std::array<std::string_view, urgencies> urgency_names = {
    "no threats",   "their double threat", "my double threat", "their open four",
    "my open four", "their five",          "my five"};

Urgency urgency_of(const Patterns& patterns, int mover) {
  const auto has = [&](Threat threat, int colour) { return patterns.count(threat, colour) > 0; };
  const auto has_double = [&](int colour) {
    return has(Threat::four_three, colour) || has(Threat::double_three, colour);
  };
  const int other = 1 - mover;
  if (has(Threat::five, mover)) return Urgency::my_five;
  if (has(Threat::five, other)) return Urgency::their_five;
  if (has(Threat::open_four, mover)) return Urgency::my_open_four;
  if (has(Threat::open_four, other)) return Urgency::their_open_four;
  if (has_double(mover)) return Urgency::my_double;
  if (has_double(other)) return Urgency::their_double;
  return Urgency::none;
}

// The way from another cell, whatever its direction: (1, 0), (1, 1), (2, 0), … (4, 4); then all that are further, and
// no other cell.
constexpr int farthest = 4;
constexpr int ways = 14;
constexpr int way_classes = ways + 2;
constexpr int way_class(int rows, int columns) {
  const int longer = std::max(rows, columns);
  return longer > farthest ? ways : (longer - 1) * (longer + 2) / 2 + std::min(rows, columns);
}
// By the rows and the columns between the two cells.
constexpr auto way_table = [] {
  std::array<std::array<std::uint8_t, max_size>, max_size> table{};
  for (int rows = 0; rows < max_size; ++rows) {
    for (int columns = rows == 0 ? 1 : 0; columns < max_size; ++columns) {
      table[rows][columns] = static_cast<std::uint8_t>(way_class(rows, columns));
    }
  }
  return table;
}();

constexpr int edge_classes = 5;    // lines from the edge, the last one: four or more
constexpr int near_classes = 4;    // steps to the nearest stone: 1, 2, 3, more
constexpr int middle_classes = 6;  // of the first stone: steps to the middle, the last one: five or more

// The tables one after another, for each side.
constexpr Code pair_count = static_cast<Code>(urgencies * threat_kinds * threat_kinds);
constexpr Code my_shapes = 0;
constexpr Code their_shapes = my_shapes + side_count * shape_count;
constexpr Code pairs = their_shapes + side_count * shape_count;
constexpr Code from_last = pairs + side_count * pair_count;
constexpr Code from_earlier = from_last + way_classes;
constexpr Code edges = from_earlier + way_classes;
constexpr Code nears = edges + edge_classes;
constexpr Code middles = nears + near_classes;
constexpr Code all_codes = middles + middle_classes;

// What the moves of one position have in common.
class Describer {
 public:
  explicit Describer(const GomokuState& state)
      : state_(state),
        patterns_(state.patterns()),
        board_(state.board()),
        mover_(state.colour()),
        mine_(static_cast<Code>(side_of(board_.rule(), mover_))),
        theirs_(static_cast<Code>(side_of(board_.rule(), 1 - mover_))),
        urgency_(static_cast<Code>(urgency_of(patterns_, mover_))) {}

  template <typename Visit>
  void describe(Move move, Visit&& visit) const {
    if (move >= state_.swap_move()) return;
    const int cell = static_cast<int>(move);
    const Place at = board_.place(cell);
    if (board_.stones() == 0) {
      return visit(middles + static_cast<Code>(std::min(board_.steps_from_middle(at), middle_classes - 1)));
    }
    const std::uint16_t mine = shapes_[patterns_.lines_of(cell, mover_)];
    const std::uint16_t theirs = shapes_[patterns_.lines_of(cell, 1 - mover_)];
    if (mine != Shapes::nothing) visit(my_shapes + mine_ * shape_count + mine);
    if (theirs != Shapes::nothing) visit(their_shapes + theirs_ * shape_count + theirs);
    const auto my_threat = static_cast<Code>(patterns_.threat(cell, mover_));
    const auto their_threat = static_cast<Code>(patterns_.threat(cell, 1 - mover_));
    visit(pairs + mine_ * pair_count + (urgency_ * threat_kinds + my_threat) * threat_kinds + their_threat);
    visit(from_last + static_cast<Code>(way_to(at, last_)));
    visit(from_earlier + static_cast<Code>(way_to(at, earlier_)));
    visit(edges + static_cast<Code>(std::min(board_.lines_from_edge(at), edge_classes - 1)));
    visit(nears + static_cast<Code>(near_.steps(at) - 1));
  }

 private:
  // A stone that may not exist.
  struct Stone {
    bool known;
    Place at;
  };
  Stone stone(Move move) const {
    if (move >= state_.swap_move()) return {false, {}};
    return {true, board_.place(static_cast<int>(move))};
  }
  static int way_to(Place at, const Stone& from) {
    return from.known ? way_table[std::abs(from.at.row - at.row)][std::abs(from.at.column - at.column)] : ways + 1;
  }

  const GomokuState& state_;
  const Patterns& patterns_;
  const Board& board_;
  const Shapes& shapes_ = Shapes::table();
  int mover_;
  Code mine_;
  Code theirs_;
  Code urgency_;
  Stone last_ = stone(state_.last_move());
  Stone earlier_ = stone(state_.earlier_move());
  Nearness near_{board_};
};

std::string side_text(Code side) { return " (" + std::string(side_names.at(side)) + ")"; }
std::string threat_text(Code threat) { return in_words(threat_names.at(threat)); }

std::string way_text(Code way) {
  if (way >= ways) return way == ways ? "far away" : "none";
  for (int longer = 1; longer <= farthest; ++longer) {
    const int shorter = static_cast<int>(way) - (longer - 1) * (longer + 2) / 2;
    if (shorter <= longer) return std::to_string(longer) + " and " + std::to_string(shorter) + " away";
  }
  return {};
}

}  // namespace

Code MoveCodes::codes() const { return all_codes; }

std::string MoveCodes::code_name(Code code) const {
  if (code < pairs) {
    const Code table = code < their_shapes ? my_shapes : their_shapes;
    const Code place = code - table;
    return std::string(table == my_shapes ? "makes " : "stops ") + shape_text(static_cast<int>(place % shape_count)) +
           side_text(place / shape_count);
  }
  if (code < from_last) {
    const Code place = code - pairs;
    const Code pair = place % pair_count;
    return "makes " + threat_text(pair / threat_kinds % threat_kinds) + ", stops " + threat_text(pair % threat_kinds) +
           ", with " + std::string(urgency_names.at(pair / (threat_kinds * threat_kinds))) +
           side_text(place / pair_count);
  }
  if (code < from_earlier) return "from the opponent's last stone: " + way_text(code - from_last);
  if (code < edges) return "from the own last stone: " + way_text(code - from_earlier);
  if (code < nears) return "lines from the edge: " + std::to_string(code - edges);
  if (code < middles) return "steps to the nearest stone: " + std::to_string(code - nears + 1);
  return "first stone, steps to the middle: " + std::to_string(code - middles);
}

std::string MoveCodes::code_group(Code code) const {
  if (code < their_shapes) return "makes";
  if (code < pairs) return "stops";
  if (code < from_last) return "threats";
  return code < edges ? "last stones" : "place";
}

void MoveCodes::extract(const State& state, const MoveList& moves, std::vector<Code>& codes,
                        std::vector<std::uint32_t>& ends) const {
  extract_described(Describer(as_gomoku(state)), moves, codes, ends);
}

void MoveCodes::sum_codes(const State& state, const MoveList& moves, const std::shared_ptr<const CodeWeights>& weights,
                          std::vector<std::int32_t>& sums) const {
  sum_described(Describer(as_gomoku(state)), moves, *weights, sums);
}

}  // namespace tesuji::gomoku
