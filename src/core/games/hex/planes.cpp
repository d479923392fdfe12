#include "games/hex/planes.hpp"

#include <algorithm>
#include <stdexcept>

namespace tesuji::hex {

namespace {

std::vector<std::string> plane_names(bool swap) {
  std::vector<std::string> names = {"own", "other", "board", "own_sides", "other_sides", "last_move"};
  if (swap) names.emplace_back("swap");
  return names;
}

}  // namespace

HexPlanes::HexPlanes(const HexState& start, bool swap)
    : Planes(plane_names(swap), {start.size(), start.size(), 1, swap ? 1 : 0}), swap_(swap) {
  add_symmetry([&](int cell) { return cells() - 1 - cell; });  // rotation by 180°
}

void HexPlanes::check(const State& state) const {
  const auto& hex = state_as<HexState>(state, "these planes need a Hex position");
  check_size(hex.size());
  if (swap_ && !hex.swap()) throw std::invalid_argument("these planes are of Hex with the swap");
}

Exchange HexPlanes::exchange(const State& state) const {
  const auto& hex = static_cast<const HexState&>(state);
  if (swap_ || !hex.swap() || hex.ply() > 1) return Exchange::none;
  return hex.ply() == 1 ? Exchange::offered : Exchange::ahead;
}

void HexPlanes::encode(const State& state, float* out) const {
  const auto& hex = static_cast<const HexState&>(state);
  const int own = hex.player();
  const int size = hex.size();
  const int width = rows();  // of the planes, of which the board may be a part
  const auto cells = static_cast<std::size_t>(width * width);
  const auto at = [&](int row, int column) { return own == 0 ? row * width + column : column * width + row; };
  const auto fill_board = [&] {
    for (int row = 0; row < size; ++row) std::fill_n(out + row * width, size, 1.0F);
  };
  std::fill_n(out, this->size(), 0.0F);
  for (const int player : {own, 1 - own}) {
    for_each_cell(size, hex.stones(player), [&](int row, int column) { out[at(row, column)] = 1; });
    out += cells;
  }
  fill_board();
  out += cells;
  for (int i = 0; i < size; ++i) {
    out[i] = out[(size - 1) * width + i] = 1;
    out[cells + static_cast<std::size_t>(i * width)] = out[cells + static_cast<std::size_t>(i * width + size - 1)] = 1;
  }
  out += 2 * cells;
  if (const auto last = static_cast<int>(hex.last_move()); hex.last_move() < hex.swap_move()) {
    out[at(last / size, last % size)] = 1;
  }
  out += cells;
  if (swap_ && hex.may_swap()) fill_board();
}

}  // namespace tesuji::hex
