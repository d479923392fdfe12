// How the codes of Hex moves are numbered: shapes up to symmetries, and one kind of code after another.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "game/codes.hpp"

namespace tesuji::hex::move_layout {

// Contents of a cell as the mover sees it.
enum Content : std::uint8_t { open, own, other };

inline constexpr int directions = 6;

struct Step {
  int row;
  int column;
};
// Counter-clockwise; each shares a neighbour with the next.
inline constexpr std::array<Step, directions> neighbours = {{{0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}, {1, 0}}};
// A bridge away: between a direction and the next.
inline constexpr std::array<Step, directions> bridges = {{{-1, 2}, {-2, 1}, {-1, -1}, {1, -2}, {2, -1}, {1, 1}}};

inline constexpr int ring_count = 729;  // 3^6: the contents of six cells
inline constexpr int shape_count = ring_count * ring_count;

inline constexpr std::array<int, directions> powers = {1, 3, 9, 27, 81, 243};

inline int content_at(int ring, int place) { return ring / powers[static_cast<std::size_t>(place)] % 3; }

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

inline constexpr int edge_steps = 6;  // distances to an edge; the last means at least that many
inline constexpr int reach = 4;       // of the offsets from the last stone
inline constexpr int offset_width = 2 * reach + 1;
inline constexpr Code hashes = 1U << 17;

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

}  // namespace tesuji::hex::move_layout
