// Who wins a Hex position: df-pn (Nagai, 2002) over the moves that inferior cells and virtual connections leave.
//
// phi is how much it takes to prove that the player to move wins, delta that it loses; a position's phi is the least
// delta of its children, its delta the sum of their phi. A child is searched until its numbers pass those of its best
// sibling by a quarter (the 1 + ε trick of Pawlewicz and Lew, 2007), so that the search changes its mind rarely. Only
// the best moves by current are considered, two and three eighths of the rest; others follow as these are refuted.
//
// Every proof carries the set of empty cells that the winner needs. A refuted move of a player says more than itself:
// all moves outside the carrier of the refutation lose too (Hayward, Björnsson, Johanson, Kan, Po and van Rijswijck,
// Solving 7×7 Hex with domination, virtual connections, and game-state reduction, 2005).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "games/hex/cell_set.hpp"
#include "games/hex/solver/connections.hpp"
#include "games/hex/solver/inferior.hpp"
#include "games/hex/solver/resistance.hpp"
#include "games/hex/solver/solver_table.hpp"

namespace tesuji::hex {

template <int Words>
class ProofSearch {
 public:
  using Set = CellSet<Words>;
  using Entry = SolverEntry<Words>;

  ProofSearch(int size, std::size_t table_bytes);

  // Called after every evaluated position; false ends the search.
  using GoOn = std::function<bool()>;
  // What is certain of a position without a search.
  struct Assessment {
    Entry entry;   // solved, if the connections decide
    Set lost;      // moves that lose: outside the must-play region
    Set inferior;  // moves that are no better than one that is in neither set: filled in, vulnerable or dominated
  };
  Assessment assess(const Stones<Words>& stones, int mover);
  // The entry is not solved where `go_on` has ended the search.
  Entry solve(const Stones<Words>& stones, int mover, const GoOn& go_on);
  std::uint64_t nodes() const { return nodes_; }
  const Geometry<Words>& geometry() const { return geometry_; }

 private:
  static constexpr std::uint32_t infinite = 1U << 30;

  struct Key {
    std::uint64_t hash;
    bool turned;
  };
  struct Child {
    int move;
    Key key;
    std::uint32_t phi;
    std::uint32_t delta;
    float share;  // of the currents
  };

  Key key_of(const Stones<Words>& stones, int mover) const;
  void turn(Entry& entry) const;
  bool load(const Key& key, Entry& entry) const;
  void store(const Key& key, Entry entry);
  static Entry lost(Entry entry);
  static Entry won(Entry entry, int move, const Set& carrier);
  Entry search(const Stones<Words>& stones, int mover, const Key& key, std::uint32_t phi_limit,
               std::uint32_t delta_limit);
  // A position whose cells were filled in just before, as for expand().
  Entry evaluate(const Stones<Words>& stones, int mover);
  static Entry with_filled(Entry entry, const Filled<Words>& filled, int mover);
  Entry expand(const Stones<Words>& stones, int mover, Entry entry, std::uint32_t phi_limit, std::uint32_t delta_limit);
  std::vector<Child> children_of(const Stones<Words>& stones, int mover, const Set& candidates);

  Geometry<Words> geometry_;
  SolverTable<Words> table_;
  InferiorCells<Words> inferior_;
  Connections<Words> connections_;
  Circuit<Words> circuit_;
  Set must_play_;  // of the position evaluated last
  const GoOn* go_on_ = nullptr;
  bool stopped_ = false;
  std::uint64_t nodes_ = 0;
};

}  // namespace tesuji::hex
