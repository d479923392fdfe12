#include "games/onitama/tablebase_solver.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/bit_set.hpp"
#include "base/threads.hpp"

namespace tesuji::onitama {

namespace {

constexpr int blocks = card_placements * master_pairs;
constexpr int no_square = squares;  // target of a pass

constexpr int max_sets = count_sets(squares, max_students);

// All sets of students, by their number on the empty board.
struct StudentSets {
  std::array<Board, max_sets> board{};
  std::array<std::array<std::uint8_t, 2>, max_sets> square{};     // lower and higher square
  std::array<std::int16_t, max_sets> turned{};                    // the set rotated by 180°
  std::array<std::array<std::int16_t, squares>, squares> pair{};  // by two squares, in either order

  StudentSets() {
    for (std::int16_t number = 0; number < max_sets; ++number) {
      board[number] = set_of_number(number, 0);
      Board there = 0;
      int count = 0;
      for_each_square(board[number], [&](int each) {
        square[number][count++] = static_cast<std::uint8_t>(each);
        there |= 1U << square_turned(each);
      });
      turned[number] = static_cast<std::int16_t>(number_of_set(there, 0));
      const auto [low, high] = square[number];
      if (count == 2) pair[low][high] = pair[high][low] = number;
    }
  }
};

// Rows of bits, one per set of students. `words`: 1 for sets of at most one student, 6 for two.
template <int words>
class Solver {
 public:
  Solver(const TablebaseIndex& index, int threads, const SolverProgress& progress)
      : index_(index),
        threads_(threads),
        progress_(progress),
        sets_(count_sets(squares, index.students())),
        open_(std::size_t{blocks} * sets_),
        won_(std::size_t{blocks} * sets_),
        lost_(std::size_t{blocks} * sets_),
        changed_(blocks),
        next_changed_(blocks) {
    for (int set = 0; set < sets_; ++set) {
      for_each_square(all_.board[set], [&](int square) { with_[square].add(set); });
    }
  }

  Solution run() {
    solution_.plies = ZeroedArray<std::uint8_t>(index_.size());
    for (int plies = 1;; ++plies) {
      plies_ = plies;
      const std::uint64_t found = for_all_blocks([&](int block) {
        return plies == 1 ? win_at_once(block) : plies % 2 == 0 ? find_losses(block) : find_wins(block);
      });
      if (found == 0) break;
      if (plies > max_plies)
        throw std::invalid_argument("a win with these cards takes more than 254 plies, the maximum of the format");
      decided_ += found;
      (plies % 2 == 0 ? solution_.losses : solution_.wins) += found;
      if (plies % 2 == 1) solution_.longest = plies;
      std::swap(changed_, next_changed_);
    }
    solution_.draws = index_.size() - decided_;
    return std::move(solution_);
  }

 private:
  using Bits = BitSet<words>;

  // All positions with the same cards and masters.
  struct Block {
    int number;
    std::array<const std::array<Board, squares>*, 2> targets;  // of the mover's two cards
    std::array<int, 2> cards_after;                            // cards held after using one of them
    int master;
    int enemy;
    Board masters;
  };
  Block block(int number) const {
    const Hands& hands = shape.hands[number / master_pairs];
    const TablebaseShape::Masters pair = shape.masters[number % master_pairs];
    Block made{number, {}, {}, pair.mover, pair.other, 1U << pair.mover | 1U << pair.other};
    for (std::size_t i = 0; i < 2; ++i) {
      made.targets[i] = &targets[index_.cards()[hands.mover[i]]][blue];
      // The other side is to move then, so its cards come first.
      const std::size_t mine = 1U << hands.mover[1 - i] | 1U << hands.side;
      made.cards_after[i] = shape.cards_of[1U << hands.other[0] | 1U << hands.other[1]][mine];
    }
    return made;
  }
  static int block_after(const Block& at, std::size_t card, int master) {
    return at.cards_after[card] * master_pairs + shape.masters_of[master][at.enemy];
  }

  // A pass writes only its own block's rows and does not read what it writes, so that threads need no locks. `open_`:
  // undecided positions from the point of view of the side to move, a row per set of its students, a bit per set of the
  // other's. `won_` and `lost_`: decided positions from the point of view of the side that has just moved.
  Bits* open_rows(int number) const { return open_.data() + static_cast<std::ptrdiff_t>(number) * sets_; }
  Bits* rows_after(Bits* of, int number) const { return of + static_cast<std::ptrdiff_t>(number) * sets_; }

  struct Successor {
    const Bits* row;
    int to;
  };
  // Three pieces, two cards, four steps each.
  struct Moves {
    std::array<Successor, 24> all;
    std::size_t count = 0;
    void add(const Bits* row, int to) { all[count++] = {row, to}; }
    const Successor* begin() const { return all.data(); }
    const Successor* end() const { return all.data() + count; }
  };

  // All moves with these students, none of which wins immediately.
  Moves moves_of(const Block& at, int set, Bits* rows) const {
    Moves moves;
    const Board students = all_.board[set];
    const Board own = students | 1U << at.master;
    for (std::size_t card = 0; card < 2; ++card) {
      const auto& steps = *at.targets[card];
      for_each_square(steps[at.master] & ~own,
                      [&](int to) { moves.add(rows_after(rows, block_after(at, card, to)) + set, to); });
      const Bits* const here = rows_after(rows, block_after(at, card, at.master));
      for_each_square(students, [&](int from) {
        const Board rest = students & ~(1U << from);
        for_each_square(steps[from] & ~own, [&](int to) {
          const int after = rest == 0 ? 1 + to : all_.pair[std::countr_zero(rest)][to];
          moves.add(here + after, to);
        });
      });
    }
    if (moves.count > 0) return moves;
    for (std::size_t card = 0; card < 2; ++card) {
      moves.add(rows_after(rows, block_after(at, card, at.master)) + set, no_square);
    }
    return moves;
  }

  // Whether the next move wins, which does not depend on the other's students.
  static bool wins_at_once(const Block& at, Board students) {
    const Board own = students | 1U << at.master;
    const Board enemy = 1U << at.enemy;
    for (const auto* steps : at.targets) {
      if (((*steps)[at.master] & ~own & (enemy | 1U << temples[red])) != 0) return true;
      Board reached = 0;
      for_each_square(students, [&](int from) { reached |= (*steps)[from]; });
      if ((reached & enemy) != 0) return true;
    }
    return false;
  }

  // Whether the last pass decided positions that this block's moves may lead to.
  bool has_changed_successor(const Block& at) const {
    for (std::size_t card = 0; card < 2; ++card) {
      if (changed_[block_after(at, card, at.master)] != 0) return true;
      bool found = false;
      const Board to = (*at.targets[card])[at.master] & ~at.masters & ~(1U << temples[red]);
      for_each_square(to, [&](int square) { found = found || changed_[block_after(at, card, square)] != 0; });
      if (found) return true;
    }
    return false;
  }

  std::uint64_t win_at_once(int number) {
    const Block at = block(number);
    Bits everything;
    for (int set = 0; set < sets_; ++set) everything.add(set);
    std::uint64_t found = 0;
    for (int set = 0; set < sets_; ++set) {
      const Board students = all_.board[set];
      if ((students & at.masters) != 0) continue;
      Bits& open = open_rows(number)[set];
      open = everything;
      for_each_square(students | at.masters, [&](int square) { open = open - with_[square]; });
      if (wins_at_once(at, students)) found += record(at, set, Bits(open), won_.data());
    }
    return found;
  }

  std::uint64_t find_wins(int number) {
    const Block at = block(number);
    if (!has_changed_successor(at)) return 0;
    return for_open_rows(at, lost_.data(), won_.data(), [&](const Moves& moves, const Bits& open) {
      Bits won;
      for (const Successor& successor : moves) {
        if (successor.row->empty()) continue;
        won = won | (*successor.row - with_[successor.to]);
        if (successor.to != no_square) add_captures(won, *successor.row, successor.to);
      }
      return won & open;
    });
  }

  std::uint64_t find_losses(int number) {
    const Block at = block(number);
    // The previous losses have been processed; their rows are reused.
    std::fill_n(rows_after(lost_.data(), turned(at)), sets_, Bits{});
    if (!has_changed_successor(at)) return 0;
    return for_open_rows(at, won_.data(), lost_.data(), [&](const Moves& moves, const Bits& open) {
      Bits lost = open;
      for (const Successor& successor : moves) {
        const Bits captures = lost & with_[successor.to];
        lost = lost & (*successor.row - with_[successor.to]);
        captures.each([&](int set) {
          const auto [low, high] = all_.square[set];
          const int rest = set <= squares ? 0 : 1 + (low == successor.to ? high : low);
          if (successor.row->has(rest)) lost.add(set);
        });
        if (lost.empty()) break;
      }
      return lost;
    });
  }

  // Adds the sets with a student on the target square, which is captured.
  void add_captures(Bits& row, const Bits& after, int to) const {
    constexpr std::uint64_t all_squares = (std::uint64_t{1} << squares) - 1;
    if (index_.students() == 0) return;
    if (after.has(0)) row.add(1 + to);
    if (index_.students() == 1) return;
    const std::uint64_t alone = after.low() >> 1 & all_squares & ~(std::uint64_t{1} << to);
    for (std::uint64_t left = alone; left != 0; left &= left - 1) row.add(all_.pair[to][std::countr_zero(left)]);
  }

  template <typename Find>
  std::uint64_t for_open_rows(const Block& at, Bits* from, Bits* into, Find&& find) {
    std::uint64_t found = 0;
    for (int set = 0; set < sets_; ++set) {
      const Bits open = open_rows(at.number)[set];
      if (open.empty()) continue;
      const Bits decided = find(moves_of(at, set, from), open);
      if (!decided.empty()) found += record(at, set, decided, into);
    }
    return found;
  }

  // The same block from the other side's point of view.
  static int turned(const Block& at) {
    return at.number / master_pairs * master_pairs +
           shape.masters_of[square_turned(at.enemy)][square_turned(at.master)];
  }

  // Records positions decided by this pass.
  std::uint64_t record(const Block& at, int set, const Bits& decided, Bits* into) {
    Bits& open = open_rows(at.number)[set];
    open = open - decided;
    const int there = turned(at);
    next_changed_[there] = 1;
    Bits* const rows = rows_after(into, there);
    const int bit = all_.turned[set];

    const Board students = all_.board[set];
    const Board occupied = students | at.masters;
    std::uint8_t* const plies = solution_.plies.data() +
                                static_cast<std::uint64_t>(at.number) * static_cast<std::uint64_t>(index_.ways()) +
                                index_.row_start(number_of_set(students, at.masters));
    std::array<std::int16_t, squares> place{};  // index of a square among the free ones
    for (int square = 0, free = 0; square < squares; ++square) {
      place[square] = static_cast<std::int16_t>(free);
      if ((occupied >> square & 1U) == 0) ++free;
    }
    const int pairs = count_sets(squares - std::popcount(occupied), 1);
    std::uint64_t count = 0;
    decided.each([&](int other) {
      const int low = place[all_.square[other][0]];
      const int high = place[all_.square[other][1]];
      const int number = other == 0 ? 0 : other <= squares ? 1 + low : pairs + high * (high - 1) / 2 + low;
      plies[number] = static_cast<std::uint8_t>(plies_);
      rows[all_.turned[other]].add(bit);
      ++count;
    });
    return count;
  }

  // Runs a pass on all threads; returns the number of positions decided.
  template <typename Pass>
  std::uint64_t for_all_blocks(Pass&& pass) {
    std::fill(next_changed_.begin(), next_changed_.end(), std::uint8_t{0});
    std::atomic<std::uint64_t> found{0};
    parallel_for(
        blocks, threads_, [&](int number) { found.fetch_add(pass(number), std::memory_order_relaxed); },
        [&] { report(found.load(std::memory_order_relaxed)); });
    report(found);
    return found;
  }

  void report(std::uint64_t found) const {
    progress_(static_cast<double>(decided_ + found) / static_cast<double>(index_.size()), plies_);
  }

  const TablebaseIndex& index_;
  int threads_;
  const SolverProgress& progress_;
  const StudentSets all_;
  int sets_;
  std::array<Bits, squares + 1> with_;  // the sets with a student on each square
  ZeroedArray<Bits> open_;
  ZeroedArray<Bits> won_;
  ZeroedArray<Bits> lost_;
  std::vector<std::uint8_t> changed_;  // blocks (after the move) decided by the last pass
  std::vector<std::uint8_t> next_changed_;
  Solution solution_;
  std::uint64_t decided_ = 0;
  int plies_ = 0;
};

}  // namespace

Solution solve(const TablebaseIndex& index, int threads, const SolverProgress& progress) {
  if (index.students() < max_students) return Solver<1>(index, threads, progress).run();
  return Solver<6>(index, threads, progress).run();
}

}  // namespace tesuji::onitama
