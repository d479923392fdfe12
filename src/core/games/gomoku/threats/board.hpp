// The board of the threat search: patterns with play and undo, and queries for attacks.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/hash.hpp"
#include "games/gomoku/board/patterns.hpp"

namespace tesuji::gomoku {

class CellList {
 public:
  void add(int cell) { cells_[static_cast<std::size_t>(size_++)] = static_cast<std::int16_t>(cell); }
  void add(const CellSet& set) {
    set.each([&](int cell) { add(cell); });
  }
  void clear() { size_ = 0; }
  int size() const { return size_; }
  int operator[](int index) const { return cells_[static_cast<std::size_t>(index)]; }
  const std::int16_t* begin() const { return cells_.data(); }
  const std::int16_t* end() const { return cells_.data() + size_; }
  std::int16_t* begin() { return cells_.data(); }
  std::int16_t* end() { return cells_.data() + size_; }

 private:
  int size_ = 0;
  std::array<std::int16_t, max_cells> cells_;
};

// Zobrist keys, by splitmix64. All keys differ, whatever they stand for: were the key of a search that of a stone, too,
// then two searches would give the same hash to positions that differ by this stone.
enum class KeyOf : std::uint64_t { stone, rules, stone_in_second_hash, search };
constexpr std::uint64_t zobrist_key(KeyOf kind, std::uint64_t number) {
  return mix(((static_cast<std::uint64_t>(kind) << 48) + number + 1) * golden_ratio);
}
constexpr std::uint64_t stone_key(int cell, int colour, KeyOf kind = KeyOf::stone) {
  return zobrist_key(kind, static_cast<std::uint64_t>(cell * 2 + colour));
}
inline constexpr auto zobrist_keys = [] {
  std::array<std::array<std::uint64_t, 2>, max_cells> keys{};
  for (int cell = 0; cell < max_cells; ++cell) {
    for (const int colour : {black, white}) keys[cell][colour] = stone_key(cell, colour);
  }
  return keys;
}();

class ThreatBoard {
 public:
  ThreatBoard() : played_(max_cells) {}
  void begin(const Patterns& patterns);
  // Gives all positions other hashes until the next begin(), by the number of the search.
  void hide_from_other_searches(std::uint64_t number) { hash_ ^= zobrist_key(KeyOf::search, number); }

  int plies() const { return plies_; }  // since begin()
  int cells() const { return board().cells(); }
  Rule rule() const { return board().rule(); }
  bool empty(int cell) const { return board().empty(cell); }
  // So few empty cells that renju may forbid all of them.
  bool nearly_full() const { return cells() - board().stones() < 64; }
  // Colours need not alternate: threats are searched as if the defender passed.
  void play(int cell, int colour) {
    Stone& stone = played_[static_cast<std::size_t>(plies_++)];
    stone.cell = cell;
    stone.colour = colour;
    hash_ ^= key_of(cell, colour);
    patterns_->play(cell, colour, stone.before);
  }
  void undo() {
    const Stone& stone = played_[static_cast<std::size_t>(--plies_)];
    hash_ ^= key_of(stone.cell, stone.colour);
    patterns_->undo(stone.cell, stone.before);
  }
  // Includes the attacker, the board size and the rule.
  std::uint64_t hash(int attacker) const { return hash_ ^ (attacker == black ? 0 : golden_ratio); }
  std::uint64_t hash_after(int cell, int colour, int attacker) const { return hash(attacker) ^ key_of(cell, colour); }
  // An independent hash of the stones; slow.
  std::uint64_t second_hash() const;

  // Whether the rules forbid this colour some cells.
  bool may_be_forbidden(int colour) const { return colour == black && board().rule() == Rule::renju; }
  bool legal(int cell, int colour) const { return !(may_be_forbidden(colour) && patterns_->forbidden(cell)); }
  // Whether stones elsewhere could make this legal move a forbidden one.
  bool close_to_forbidden(int cell, int colour) const;
  int first_legal(int colour) const;
  bool can_move(int colour) const { return first_legal(colour) != no_cell; }

  bool makes_five(int cell, int colour) const { return patterns_->threat(cell, colour) == Threat::five; }
  int count_fives(int colour) const { return patterns_->count(Threat::five, colour); }
  int first_five(int colour) const {
    return count_fives(colour) > 0 ? patterns_->cells(Threat::five, colour).first() : no_cell;
  }
  void fives(int colour, CellList& list) const { list.add(patterns_->cells(Threat::five, colour)); }

  // Cells, legal or not, where a stone makes a four or more, but no five; strongest first.
  bool makes_four(int cell, int colour) const;
  bool makes_double_four(int cell, int colour) const;
  // Whether a four here may prepare a double four: some cell in line with it makes a four in another line, and a four
  // in this line once the stone is there; or two fours in this line. Not valid in renju, where a reply may be forbidden
  // and a stone may change what is.
  bool prepares_double_four(int cell, int colour) const;
  void fours(int colour, CellList& list) const;
  // Cells where a stone makes an open three, but no four; by the sum of both sides' scores.
  void threes(int colour, CellList& list) const;
  // Cells where a stone makes a closed three or two open twos, and no more.
  void quiet_threats(int colour, CellList& list) const;

 private:
  const Board& board() const { return patterns_->board(); }
  bool line_makes_four(int cell, int colour) const;
  static std::uint64_t key_of(int cell, int colour) { return zobrist_keys[static_cast<std::size_t>(cell)][colour]; }

  std::optional<Patterns> patterns_;
  std::uint64_t hash_ = 0;
  int plies_ = 0;
  struct Stone {
    int cell;
    int colour;
    Patterns::Undo before;
  };
  std::vector<Stone> played_;  // capacity for a full board
};

}  // namespace tesuji::gomoku
