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

HexPlanes::HexPlanes(const HexState& start)
    : Planes(plane_names(start.swap()), {start.size(), start.size(), 1, start.swap() ? 1 : 0}), swap_(start.swap()) {
  add_symmetry([&](int cell) { return cells() - 1 - cell; });  // half a turn
}

void HexPlanes::check(const State& state) const {
  const auto* hex = dynamic_cast<const HexState*>(&state);
  if (hex == nullptr) throw std::invalid_argument("these planes are Hex's, and the game is another");
  if (hex->size() != rows()) {
    throw std::invalid_argument("these planes are of size " + std::to_string(rows()) + ", and the board is of size " +
                                std::to_string(hex->size()));
  }
  if (hex->swap() != swap_) {
    throw std::invalid_argument(swap_ ? "these planes are of Hex with the swap" : "these planes know no swap");
  }
}

void HexPlanes::encode(const State& state, float* out) const {
  const auto& hex = static_cast<const HexState&>(state);
  const int own = hex.player();
  const int size = hex.size();
  const auto cells = static_cast<std::size_t>(size * size);
  const auto seen = [&](int cell) { return own == 0 ? cell : mirrored(cell); };
  std::fill_n(out, this->size(), 0.0F);
  for (const int player : {own, 1 - own}) {
    for_each_cell(size, hex.stones(player), [&](int row, int column) { out[seen(row * size + column)] = 1; });
    out += cells;
  }
  std::fill_n(out, cells, 1.0F);
  out += cells;
  for (int i = 0; i < size; ++i) {
    out[i] = out[(size - 1) * size + i] = 1;
    out[cells + static_cast<std::size_t>(i * size)] = out[cells + static_cast<std::size_t>(i * size + size - 1)] = 1;
  }
  out += 2 * cells;
  if (hex.last_move() < hex.swap_move()) out[seen(static_cast<int>(hex.last_move()))] = 1;
  out += cells;
  if (swap_ && hex.may_swap()) std::fill_n(out, cells, 1.0F);
}

}  // namespace tesuji::hex
