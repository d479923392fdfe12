// A tablebase as a file: 160 bytes that say what it is, then one byte for each position (tablebase_index.hpp).
//
//   bytes      what
//   0–7        "Onitama" and the byte 26
//   8–11       the version of this form, 1
//   12–15      the most men: 2, 4 or 6
//   16–95      the names of the five cards in alphabetical order, 16 bytes each, the rest zero
//   96–127     how many positions there are, and how many are won, lost and drawn for the player to move
//   128–135    the plies of the longest win
//   136–143    the checksum of the positions
//   144–151    zero
//   152–159    the checksum of all that comes before
//
// Numbers are unsigned, their lowest byte first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "games/onitama/tablebase_solver.hpp"

namespace tesuji::onitama {

inline constexpr std::size_t tablebase_header_size = 160;

struct TablebaseHeader {
  int men = 0;
  CardSet cards{};
  std::uint64_t states = 0;
  std::uint64_t wins = 0;
  std::uint64_t losses = 0;
  std::uint64_t draws = 0;
  std::uint64_t longest = 0;
  std::uint64_t checksum = 0;

  int students() const { return men / 2 - 1; }
};

using TablebaseHeaderBytes = std::array<std::uint8_t, tablebase_header_size>;

// Of the positions. `poll` is called now and then and may throw.
std::uint64_t checksum_of(const std::uint8_t* entries, std::uint64_t count, const std::function<void()>& poll);

TablebaseHeaderBytes write_header(const TablebaseHeader& header);
// What the file of this size says of itself; std::invalid_argument where that cannot be.
TablebaseHeader read_header(const std::uint8_t* data, std::size_t size);

}  // namespace tesuji::onitama
