#include "games/hex/move_codes.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "games/hex/knowledge.hpp"
#include "games/hex/surroundings.hpp"

namespace tesuji::hex {

namespace {

// How the codes are numbered: shapes up to symmetries, and one kind of code after another.

// Contents of a cell as the mover sees it.
enum Content : std::uint8_t { open, own, other };

constexpr int directions = 6;

struct Step {
  int row;
  int column;
};
// Counter-clockwise; each shares a neighbour with the next.
constexpr std::array<Step, directions> neighbours = {{{0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}, {1, 0}}};
// A bridge away: between a direction and the next.
constexpr std::array<Step, directions> bridges = {{{-1, 2}, {-2, 1}, {-1, -1}, {1, -2}, {2, -1}, {1, 1}}};

constexpr int ring_count = 729;  // 3^6: the contents of six cells
constexpr int shape_count = ring_count * ring_count;

constexpr std::array<int, directions> powers = {1, 3, 9, 27, 81, 243};

int content_at(int ring, int place) { return ring / powers[static_cast<std::size_t>(place)] % 3; }

// A ring with its places renumbered by move(place).
template <typename Move>
int rearranged(int ring, Move&& move) {
  int result = 0;
  for (int place = 0; place < directions; ++place) {
    result += content_at(ring, place) * powers[static_cast<std::size_t>(move(place))];
  }
  return result;
}

// The classes of shapes and rings under symmetries, numbered from 0; the first of each class in words.
struct Classes {
  std::vector<std::uint16_t> shape;  // by neighbours + 729 · cells a bridge away
  std::array<std::uint16_t, ring_count> direction;
  std::array<std::uint16_t, ring_count> half_turn;
  std::vector<int> shapes;       // a member of each class
  std::vector<int> directions_;  // likewise

  Classes() : shape(shape_count), direction(), half_turn() {
    // For each ring, its images under the twelve symmetries: rotations, then reflections.
    std::array<std::array<int, 2 * directions>, ring_count> inner;
    std::array<std::array<int, 2 * directions>, ring_count> outer;
    for (int ring = 0; ring < ring_count; ++ring) {
      for (int turn = 0; turn < directions; ++turn) {
        const auto rotate = [&](int place) { return (place + turn) % directions; };
        const auto reflect = [&](int place) { return (2 * directions - place - turn) % directions; };
        const auto reflect_between = [&](int place) { return (2 * directions - 1 - place - turn) % directions; };
        inner[ring][turn] = outer[ring][turn] = rearranged(ring, rotate);
        inner[ring][directions + turn] = rearranged(ring, reflect);
        outer[ring][directions + turn] = rearranged(ring, reflect_between);
      }
      const int turned = inner[ring][directions / 2];
      half_turn[ring] = static_cast<std::uint16_t>(turned);
      if (turned >= ring) {
        direction[ring] = static_cast<std::uint16_t>(directions_.size());
        directions_.push_back(ring);
      } else {
        direction[ring] = direction[turned];
      }
    }
    for (int far = 0; far < ring_count; ++far) {
      for (int near = 0; near < ring_count; ++near) {
        const int own_number = near + ring_count * far;
        int least = own_number;
        for (int i = 0; i < 2 * directions; ++i) least = std::min(least, inner[near][i] + ring_count * outer[far][i]);
        if (least == own_number) {
          shape[own_number] = static_cast<std::uint16_t>(shapes.size());
          shapes.push_back(own_number);
        } else {
          shape[own_number] = shape[least];
        }
      }
    }
  }

  static const Classes& get() {
    static const Classes classes;
    return classes;
  }
};

constexpr int edge_steps = 6;  // distances to an edge; the last means at least that many
constexpr int reach = 4;       // of the offsets from the last stone
constexpr int offset_width = 2 * reach + 1;
constexpr Code hashes = 1U << 17;

// The numbers of the codes, one kind after another.
struct Layout {
  Code direction;
  Code place;
  Code offset;
  Code beside;  // next to the last stone: the neighbours, turned so that it is in the first direction
  Code bridge;  // a bridge away from it: the neighbours, likewise
  Code far;     // further than `reach`, or no last stone
  Code swap;
  Code lines;   // the neighbours, and the distances to the edges
  Code answer;  // the neighbours, and where the last stone is
  Code two;     // hashes of the cells within two steps
  Code three;   // and within three
  Code end;

  Layout() {
    const Classes& classes = Classes::get();
    direction = static_cast<Code>(classes.shapes.size());
    place = direction + static_cast<Code>(classes.directions_.size());
    offset = place + edge_steps * edge_steps;
    beside = offset + offset_width * offset_width;
    bridge = beside + ring_count;
    far = bridge + ring_count;
    swap = far + 1;
    lines = swap + 1;
    answer = lines + static_cast<Code>(classes.directions_.size()) * edge_steps * edge_steps;
    two = answer + ring_count * offset_width * offset_width;
    three = two + hashes;
    end = three + hashes;
  }

  static const Layout& get() {
    static const Layout layout;
    return layout;
  }
};

constexpr int margin = 2;  // cells outside the board that shapes reach
constexpr int max_width = max_size + 2 * margin;

// The board as the mover sees it, with a margin.
class View {
 public:
  explicit View(const HexState& state)
      : size_(state.size()),
        width_(state.size() + 2 * margin),
        swap_move_(state.swap_move()),
        surroundings_(state, state.player()) {
    const int mover = state.player();
    mirrored_ = mover == 1;
    for (int row = -margin; row < size_ + margin; ++row) {
      for (int column = -margin; column < size_ + margin; ++column) {
        const bool above = row < 0 || row >= size_;
        const bool beside = column < 0 || column >= size_;
        cells_[at(row, column)] = above ? own : beside ? other : open;
      }
    }
    for (const int player : {0, 1}) {
      for_each_cell(size_, state.stones(player), [&](int row, int column) {
        cells_[mirrored_ ? at(column, row) : at(row, column)] = player == mover ? own : other;
      });
    }
    has_last_ = state.last_move() < swap_move_;
    if (has_last_) last_ = step_of(state.last_move());
  }

  // Calls add(code) for every code of a move.
  template <typename Add>
  void describe(Move move, Add&& add) const {
    const Layout& layout = Layout::get();
    if (move >= swap_move_) return add(layout.swap);
    const Step cell = step_of(move);
    const Classes& classes = Classes::get();
    const int near = ring(cell, neighbours);
    add(static_cast<Code>(classes.shape[static_cast<std::size_t>(near + ring_count * ring(cell, bridges))]));
    add(layout.direction + classes.direction[static_cast<std::size_t>(near)]);
    const auto to_edge = [&](int line) { return std::min({line, size_ - 1 - line, edge_steps - 1}); };
    const auto place = static_cast<Code>(edge_steps * to_edge(cell.row) + to_edge(cell.column));
    add(layout.place + place);
    add(layout.lines + classes.direction[static_cast<std::size_t>(near)] * edge_steps * edge_steps + place);
    add(layout.two + surroundings_.within_two(cell.row, cell.column) % hashes);
    add(layout.three + surroundings_.within_three(cell.row, cell.column) % hashes);
    if (!has_last_) return add(layout.far);
    Step away{last_.row - cell.row, last_.column - cell.column};
    const int direction = index_of(neighbours, away);
    const int bridge = index_of(bridges, away);
    // The half turn makes the last stone lie above, or to the right in the same row.
    const bool turn = away.row > 0 || (away.row == 0 && away.column < 0);
    if (turn) away = {-away.row, -away.column};
    if (away.row < -reach || std::abs(away.column) > reach) {
      add(layout.far);
    } else {
      const auto offset = static_cast<Code>(offset_width * (away.row + reach) + away.column + reach);
      add(layout.offset + offset);
      const auto seen = static_cast<Code>(turn ? classes.half_turn[static_cast<std::size_t>(near)] : near);
      add(layout.answer + seen * offset_width * offset_width + offset);
    }
    const auto turned = [&](int by) {
      return rearranged(near, [by](int i) { return (i + directions - by) % directions; });
    };
    if (direction >= 0) add(layout.beside + static_cast<Code>(turned(direction)));
    if (bridge >= 0) add(layout.bridge + static_cast<Code>(turned(bridge)));
  }

 private:
  Step step_of(Move move) const {
    const int row = static_cast<int>(move) / size_;
    const int column = static_cast<int>(move) % size_;
    return mirrored_ ? Step{column, row} : Step{row, column};
  }

  int ring(Step cell, const std::array<Step, directions>& steps) const {
    int result = 0;
    for (int i = directions - 1; i >= 0; --i) {
      const Step& step = steps[static_cast<std::size_t>(i)];
      result = 3 * result + cells_[at(cell.row + step.row, cell.column + step.column)];
    }
    return result;
  }

  static int index_of(const std::array<Step, directions>& steps, Step wanted) {
    for (int i = 0; i < directions; ++i) {
      const Step& step = steps[static_cast<std::size_t>(i)];
      if (step.row == wanted.row && step.column == wanted.column) return i;
    }
    return -1;
  }
  std::size_t at(int row, int column) const {
    return static_cast<std::size_t>((row + margin) * width_ + column + margin);
  }

  int size_;
  int width_;
  Move swap_move_;
  bool mirrored_ = false;
  bool has_last_ = false;
  Step last_{};
  Surroundings surroundings_;
  std::array<std::uint8_t, max_width * max_width> cells_;
};

std::string ring_text(int ring) {
  std::string text;
  for (int place = 0; place < directions; ++place) text += ".xo"[content_at(ring, place)];
  return text;
}

std::string neighbours_text(int ring) {
  const std::string text = ring_text(ring);
  const auto mine = static_cast<int>(std::count(text.begin(), text.end(), 'x'));
  const auto theirs = static_cast<int>(std::count(text.begin(), text.end(), 'o'));
  return std::to_string(mine) + " own, " + std::to_string(theirs) + " other";
}

std::string line_text(Code steps) { return steps + 1 == edge_steps ? "far" : std::to_string(steps + 1); }

}  // namespace

Code HexMoveCodes::codes() const { return Layout::get().end; }

std::string HexMoveCodes::code_name(Code code) const {
  const Layout& layout = Layout::get();
  const Classes& classes = Classes::get();
  if (code < layout.direction) {
    const int shape = classes.shapes[code];
    return "shape " + ring_text(shape % ring_count) + " " + ring_text(shape / ring_count);
  }
  if (code < layout.place) return "neighbours " + ring_text(classes.directions_[code - layout.direction]);
  if (code < layout.offset) {
    const Code place = code - layout.place;
    return "line: own " + line_text(place / edge_steps) + ", other " + line_text(place % edge_steps);
  }
  if (code < layout.beside) {
    const int place = static_cast<int>(code - layout.offset);
    return "last stone at " + std::to_string(place / offset_width - reach) + "," +
           std::to_string(place % offset_width - reach);
  }
  if (code < layout.bridge) return "beside the last stone " + ring_text(static_cast<int>(code - layout.beside));
  if (code < layout.far) return "bridge from the last stone " + ring_text(static_cast<int>(code - layout.bridge));
  if (code < layout.lines) return code == layout.far ? "last stone far away" : "swap";
  if (code < layout.answer) {
    const Code place = (code - layout.lines) % (edge_steps * edge_steps);
    const int ring = classes.directions_[(code - layout.lines) / (edge_steps * edge_steps)];
    return "neighbours " + ring_text(ring) + " on line: own " + line_text(place / edge_steps) + ", other " +
           line_text(place % edge_steps);
  }
  if (code < layout.two) {
    const auto number = static_cast<int>(code - layout.answer);
    const int place = number % (offset_width * offset_width);
    return "neighbours " + ring_text(number / (offset_width * offset_width)) + ", last stone at " +
           std::to_string(place / offset_width - reach) + "," + std::to_string(place % offset_width - reach);
  }
  if (code < layout.three) return "cells within two steps, hash " + std::to_string(code - layout.two);
  return "cells within three steps, hash " + std::to_string(code - layout.three);
}

std::string HexMoveCodes::code_group(Code code) const {
  const Layout& layout = Layout::get();
  const Classes& classes = Classes::get();
  if (code < layout.direction) return "shape: " + neighbours_text(classes.shapes[code] % ring_count);
  if (code < layout.place) return "neighbours: " + neighbours_text(classes.directions_[code - layout.direction]);
  if (code < layout.offset) return code_name(code);
  if (code < layout.beside) return "way to the last stone";
  if (code < layout.bridge) return "beside the last stone";
  if (code < layout.far) return "bridge from the last stone";
  if (code < layout.lines) return code_name(code);
  if (code < layout.answer) return "neighbours and lines";
  if (code < layout.two) return "neighbours and the way to the last stone";
  return code < layout.three ? "cells within two steps" : "cells within three steps";
}

void HexMoveCodes::extract(const State& state, const MoveList& moves, std::vector<Code>& codes,
                           std::vector<std::uint32_t>& ends) const {
  extract_described(View(as_hex(state)), moves, codes, ends);
}

void HexMoveCodes::sum_codes(const State& state, const MoveList& moves,
                             const std::shared_ptr<const CodeWeights>& weights, std::vector<std::int32_t>& sums) const {
  sum_described(View(as_hex(state)), moves, *weights, sums);
}

}  // namespace tesuji::hex
