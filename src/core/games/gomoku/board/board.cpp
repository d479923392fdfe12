#include "games/gomoku/board/board.hpp"

#include <stdexcept>
#include <string>
#include <type_traits>

namespace tesuji::gomoku {

static_assert(std::is_trivially_copyable_v<Board>);

Board::Board(int size, Rule rule) : size_(static_cast<std::uint8_t>(size)), rule_(rule) {
  if (size < min_size || size > max_size) {
    throw std::invalid_argument("size must be from 5 to 20, not " + std::to_string(size));
  }
  reciprocal_ = 65536U / static_cast<unsigned>(size) + 1;
  lines_.fill(~std::uint64_t{0});
  for (int i = 0; i < cells(); ++i) {
    for (int direction = 0; direction < directions; ++direction) {
      const auto [line, at] = on_line(place(i), direction);
      lines_[static_cast<std::size_t>(line)] &= ~(std::uint64_t{3} << shift(at));
    }
  }
}

std::uint32_t Board::row(int colour, int index) const {
  std::uint64_t bits = stones_in(line(index), colour) >> shift(0);
  // Compress every second bit.
  bits = (bits | bits >> 1) & 0x3333333333333333ULL;
  bits = (bits | bits >> 2) & 0x0F0F0F0F0F0F0F0FULL;
  bits = (bits | bits >> 4) & 0x00FF00FF00FF00FFULL;
  bits = (bits | bits >> 8) & 0x0000FFFF0000FFFFULL;
  return static_cast<std::uint32_t>(bits | bits >> 16);
}

bool Board::makes_five(Place at, int colour) const {
  const bool exact = exact_five(rule_, colour);
  bool found = false;
  for (int direction = 0; direction < directions; ++direction) {
    const auto [index, place] = on_line(at, direction);
    found |= holds_five(stones_in(line(index), colour) | std::uint64_t{1} << shift(place), exact);
  }
  return found;
}

}  // namespace tesuji::gomoku
