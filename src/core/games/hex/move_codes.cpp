#include "games/hex/move_codes.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "games/hex/knowledge.hpp"
#include "games/hex/move_layout.hpp"
#include "games/hex/surroundings.hpp"

namespace tesuji::hex {

using namespace move_layout;

namespace {

constexpr int margin = 2;  // cells outside the board that shapes reach
constexpr int max_width = max_size + 2 * margin;

// The board as the mover sees it, with a margin.
class View {
 public:
  explicit View(const HexState& state)
      : size_(state.size()), width_(state.size() + 2 * margin), surroundings_(state, state.player()) {
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
    if (state.last_move() < state.swap_move()) last_ = step_of(state.last_move());
    has_last_ = state.last_move() < state.swap_move();
  }

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

  // Calls add(code) for every code of a cell.
  template <typename Add>
  void describe(Step cell, Add&& add) const {
    const Layout& layout = Layout::get();
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
  const HexState& hex = as_hex(state);
  const View view(hex);
  codes.clear();
  ends.clear();
  for (const Move move : moves) {
    if (move == hex.swap_move()) {
      codes.push_back(Layout::get().swap);
    } else {
      view.describe(view.step_of(move), [&](Code code) { codes.push_back(code); });
    }
    ends.push_back(static_cast<std::uint32_t>(codes.size()));
  }
}

void HexMoveCodes::sum_codes(const State& state, const MoveList& moves,
                             const std::shared_ptr<const CodeWeights>& weights, std::vector<std::int32_t>& sums) const {
  const HexState& hex = as_hex(state);
  const View view(hex);
  const CodeWeights& table = *weights;
  sums.resize(moves.size());
  for (std::size_t i = 0; i < moves.size(); ++i) {
    std::int32_t sum = 0;
    if (moves[i] == hex.swap_move()) {
      sum = table[Layout::get().swap];
    } else {
      view.describe(view.step_of(moves[i]), [&](Code code) { sum += table[code]; });
    }
    sums[i] = sum;
  }
}

}  // namespace tesuji::hex
