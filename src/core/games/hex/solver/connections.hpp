// Virtual connections of one player, found by H-search (Anshelevich, A hierarchical approach to computer Hex, 2002).
//
// Ends are empty cells, chains of own stones, and the player's two sides. A full connection holds although the opponent
// moves first, a semi connection if the player moves first; its carrier is the set of empty cells that it needs.
//   AND: two full connections with disjoint carriers that meet in a chain make a full connection; in an empty cell, a
//        semi connection.
//   OR: semi connections between the same ends without a cell in all carriers make a full connection.
// A full connection of both sides wins. Where there are only semi connections of the sides, a move of the opponent
// outside of any of their carriers loses: the must-play region is what all carriers have in common.
//
// The closure is not complete: carriers between two empty cells stay small, and every pair of ends keeps the smallest
// carriers alone. What is found is correct.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "games/hex/cell_set.hpp"

namespace tesuji::hex {

template <int Words>
class Connections {
 public:
  using Set = CellSet<Words>;

  explicit Connections(const Geometry<Words>& geometry);

  // Until nothing is left to combine, or the sides have a connection of the wanted strength.
  enum class Wanted { full, semi };
  void build(const Stones<Words>& stones, int player, Wanted wanted);

  // Carriers between the two sides.
  bool connected() const { return connected_; }
  const Set& full_carrier() const { return full_carrier_; }
  const std::vector<Set>& semi_carriers() const { return semi_carriers_; }
  // The move that makes the last of these semi connections a full one.
  int semi_move() const { return semi_move_; }
  // What the opponent must play into; everything where there is no semi connection.
  const Set& must_play() const { return must_play_; }

  struct Connection {
    int ends[2];  // cells; the sides are the numbers after the last cell
    bool full;
    Set carrier;
  };
  // All that were found, with the lowest cell of a chain as its end.
  std::vector<Connection> list() const;

 private:
  static constexpr int max_full = 12;
  static constexpr int max_semi = 24;
  static constexpr int max_local_carrier = 5;  // between two empty cells
  static constexpr int max_or = 4;             // semi connections that are combined

  struct Pair {
    int ends[2];
    bool local;  // both ends are empty cells
    int full = 0;
    int semi = 0;
    int processed = 0;  // full connections that are combined with others already: the first ones
    std::array<Set, max_full> full_carriers;
    std::array<Set, max_semi> semi_carriers;
  };
  struct Queued {
    int pair;
    Set carrier;
  };

  void reset(const Stones<Words>& stones, int player);
  int pair_of(int a, int b);
  bool is_side(int end) const { return end >= geometry_.cells; }
  void add_full(int pair, const Set& carrier);
  void add_semi(int pair, const Set& carrier);
  void add_between_sides(const Set& carrier, int move);
  void combine(int pair, const Set& common, const Set& all, int from, int depth);
  void process(int pair, const Set& carrier);
  void join(int from, int middle, const Set& carrier);

  const Geometry<Words>& geometry_;
  Wanted wanted_ = Wanted::full;
  bool connected_ = false;
  bool done_ = false;
  Set full_carrier_;
  Set must_play_;
  std::vector<Set> semi_carriers_;
  int semi_move_ = -1;
  int sides_ = 0;  // the pair of the two sides

  std::vector<std::uint8_t> stone_;  // by end: a chain or a side
  std::vector<int> pairs_by_ends_;   // −1 where there is none
  std::vector<Pair> pairs_;
  int pairs_used_ = 0;
  std::vector<std::vector<int>> pairs_at_;  // by end: pairs with a processed full connection
  std::vector<std::vector<Queued>> queue_;  // by the size of the carrier
};

}  // namespace tesuji::hex
