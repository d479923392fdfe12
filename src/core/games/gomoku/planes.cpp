#include "games/gomoku/planes.hpp"

#include <algorithm>
#include <stdexcept>
#include <typeinfo>

#include "games/gomoku/maps.hpp"

namespace tesuji::gomoku {

namespace {

bool has_swap2(const GomokuState& start) { return start.stage() != Stage::settled; }

std::vector<std::string> plane_names(const GomokuState& start, const PlanesOptions& options) {
  std::vector<std::string> names = {"own", "other", "board", "black", "last_move"};
  if (start.board().rule() == Rule::renju) names.emplace_back("forbidden");
  if (has_swap2(start)) names.insert(names.end(), stage_names.begin() + 1, stage_names.end());
  if (options.patterns) {
    names.emplace_back("own_patterns");
    names.emplace_back("other_patterns");
  }
  if (options.proximity) names.emplace_back("proximity");
  return names;
}

}  // namespace

GomokuPlanes::GomokuPlanes(const GomokuState& start, const PlanesOptions& options)
    : Planes(plane_names(start, options), {start.size(), start.size(), 1, has_swap2(start) ? 2 : 0}),
      size_(start.size()),
      rule_(start.board().rule()),
      swap2_(has_swap2(start)),
      options_(options) {
  // The other seven symmetries: each bit is a reflection.
  for (int mirrors = 1; mirrors < 8; ++mirrors) {
    add_symmetry([&](int cell) {
      int row = cell / size_;
      int column = cell % size_;
      if ((mirrors & 4) != 0) std::swap(row, column);
      if ((mirrors & 2) != 0) row = size_ - 1 - row;
      if ((mirrors & 1) != 0) column = size_ - 1 - column;
      return row * size_ + column;
    });
  }
}

void GomokuPlanes::check(const State& state) const {
  const auto* gomoku = dynamic_cast<const GomokuState*>(&state);
  if (gomoku == nullptr) throw std::invalid_argument("these planes need a Gomoku position");
  if (gomoku->size() != size_) {
    throw std::invalid_argument("these planes are of size " + std::to_string(size_) + ", but the board is of size " +
                                std::to_string(gomoku->size()));
  }
  if (gomoku->board().rule() != rule_) throw std::invalid_argument("these planes are of another rule");
  if (gomoku->stage() != Stage::settled && !swap2_) throw std::invalid_argument("these planes are without swap2");
}

// Writes every cell at its image: faster than transforming finished planes.
void GomokuPlanes::encode_turned(const State& state, int symmetry, float* out) const {
  const auto& gomoku = static_cast<const GomokuState&>(state);
  const Board& board = gomoku.board();
  const int own = gomoku.colour();
  const auto cells = static_cast<std::size_t>(board.cells());
  const std::uint16_t* const to = cell_symmetry(symmetry).data();
  const auto fill = [&](float value) {
    std::fill_n(out, cells, value);
    out += cells;
  };
  std::array<float, max_cells> map;
  const auto put_map = [&] {
    for (std::size_t cell = 0; cell < cells; ++cell) out[to[cell]] = map[cell];
    out += cells;
  };

  std::fill_n(out, 2 * cells, 0.0F);
  std::array<std::uint32_t, max_size> stones{};
  for (int row = 0; row < size_; ++row) {
    for (const int colour : {own, 1 - own}) {
      float* const plane = out + (colour == own ? 0 : cells);
      const std::uint32_t bits = board.row(colour, row);
      stones[static_cast<std::size_t>(row)] |= bits;
      for (std::uint32_t left = bits; left != 0; left &= left - 1) plane[to[row * size_ + std::countr_zero(left)]] = 1;
    }
  }
  out += 2 * cells;
  fill(1.0F);
  fill(own == black ? 1.0F : 0.0F);
  fill(0.0F);
  if (gomoku.last_move() < gomoku.swap_move()) *(out - cells + to[gomoku.last_move()]) = 1;
  if (rule_ == Rule::renju) {
    for (int cell = 0; cell < board.cells(); ++cell) {
      const bool forbidden = board.empty(cell) && gomoku.forbidden(board.place(cell));
      map[static_cast<std::size_t>(cell)] = forbidden ? 1.0F : 0.0F;
    }
    put_map();
  }
  if (swap2_) {
    const auto stage = static_cast<std::size_t>(gomoku.stage());
    for (std::size_t other = 1; other < stage_names.size(); ++other) fill(stage == other ? 1.0F : 0.0F);
  }
  if (options_.patterns) {
    for (const int colour : {own, 1 - own}) {
      pattern_map(gomoku.patterns(), colour, map.data());
      put_map();
    }
  }
  if (options_.proximity) {
    proximity_map(stones.data(), size_, size_, 0, map.data());
    put_map();
  }
}

}  // namespace tesuji::gomoku
