// The tablebase file format: a 160-byte header, then one byte per position (tablebase_index.hpp).
//
//   bytes      content
//   0–7        "Onitama" and the byte 26
//   8–11       format version, 1
//   12–15      maximal number of pieces: 2, 4 or 6
//   16–95      names of the five cards in alphabetical order, 16 bytes each, zero-padded
//   96–127     numbers of positions, wins, losses and draws for the side to move
//   128–135    plies of the longest win
//   136–143    checksum of the positions
//   144–151    zero
//   152–159    checksum of the header up to here
//
// Numbers are unsigned and little-endian.
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

// The checksum of the positions. `poll` is called regularly and may throw.
std::uint64_t checksum_of(const std::uint8_t* entries, std::uint64_t count, const std::function<void()>& poll);

TablebaseHeaderBytes write_header(const TablebaseHeader& header);
// Throws std::invalid_argument if the header is invalid or does not match the file size.
TablebaseHeader read_header(const std::uint8_t* data, std::size_t size);

}  // namespace tesuji::onitama
