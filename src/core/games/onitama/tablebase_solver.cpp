#include "games/onitama/tablebase_solver.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/parallel.hpp"

namespace tesuji::onitama {

namespace {

using Word = std::uint64_t;

constexpr int blocks = card_placements * master_pairs;
constexpr int no_square = squares;  // where nothing is captured: a pass
constexpr int most_sets = count_sets(squares, most_students);

// Memory that is zero, and takes room only where it is written to.
template <typename T>
std::unique_ptr<T, Solution::Free> zeros(std::size_t count) {
  auto* found = static_cast<T*>(std::calloc(count, sizeof(T)));
  if (found == nullptr) throw std::bad_alloc();
  return std::unique_ptr<T, Solution::Free>(found);
}

// Sets of at most two students on any of the 25 squares, by their numbers on the empty board.
struct Sets {
  std::array<Board, most_sets> board;
  std::array<std::array<std::uint8_t, 2>, most_sets> square;  // lower, higher; the lower alone where there is one
  std::array<std::int16_t, most_sets> turned;
  std::array<std::array<std::int16_t, squares>, squares> pair;  // by two squares in either order

  Sets() {
    for (auto& row : pair) row.fill(0);
    for (int number = 0; number < most_sets; ++number) {
      const auto at = static_cast<std::size_t>(number);
      board[at] = set_of_number(number, 0);
      square[at] = {0, 0};
      Board there = 0;
      std::size_t count = 0;
      for_each_square(board[at], [&](int each) {
        square[at][count++] = static_cast<std::uint8_t>(each);
        there |= 1U << square_turned(each);
      });
      turned[at] = static_cast<std::int16_t>(number_of_set(there, 0));
      if (count == 2) pair[square[at][0]][square[at][1]] = pair[square[at][1]][square[at][0]] = at16(number);
    }
  }
  static std::int16_t at16(int number) { return static_cast<std::int16_t>(number); }
};

// A row of bits, one for each set of the other side's students; `words` is 1 for up to one student a side, 6 for two.
template <int words>
struct Row {
  std::array<Word, words> word;

  bool any() const {
    Word all = 0;
    for (const Word each : word) all |= each;
    return all != 0;
  }
  bool has(int bit) const { return (word[static_cast<std::size_t>(bit) / 64] >> (bit % 64) & 1U) != 0; }
  void set(int bit) { word[static_cast<std::size_t>(bit) / 64] |= Word{1} << (bit % 64); }
  void drop(int bit) { word[static_cast<std::size_t>(bit) / 64] &= ~(Word{1} << (bit % 64)); }
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (int i = 0; i < words; ++i) {
      for (Word left = word[static_cast<std::size_t>(i)]; left != 0; left &= left - 1) {
        visit(64 * i + std::countr_zero(left));
      }
    }
  }
};

template <int words>
class Solver {
 public:
  Solver(const TablebaseIndex& index, int threads, const SolverProgress& progress)
      : index_(index),
        threads_(threads),
        progress_(progress),
        sets_(count_sets(squares, index.students())),
        open_(zeros<Bits>(static_cast<std::size_t>(blocks) * static_cast<std::size_t>(sets_))),
        won_(zeros<Bits>(static_cast<std::size_t>(blocks) * static_cast<std::size_t>(sets_))),
        lost_(zeros<Bits>(static_cast<std::size_t>(blocks) * static_cast<std::size_t>(sets_))),
        fresh_(static_cast<std::size_t>(blocks)),
        next_fresh_(static_cast<std::size_t>(blocks)) {
    for (auto& row : with_) row = {};
    for (int set = 0; set < sets_; ++set) {
      for_each_square(all_.board[static_cast<std::size_t>(set)],
                      [&](int square) { with_[static_cast<std::size_t>(square)].set(set); });
    }
  }

  Solution run() {
    solution_.plies = zeros<std::uint8_t>(index_.size());
    for (int plies = 1;; ++plies) {
      plies_ = plies;
      const std::uint64_t found = for_all_blocks([&](int block) {
        return plies == 1 ? win_at_once(block) : plies % 2 == 0 ? find_losses(block) : find_wins(block);
      });
      if (found == 0) break;
      if (plies > most_plies) throw std::overflow_error("a win here takes more than 254 plies");
      decided_ += found;
      (plies % 2 == 0 ? solution_.losses : solution_.wins) += found;
      if (plies % 2 == 1) solution_.longest = plies;
      std::swap(fresh_, next_fresh_);
    }
    solution_.draws = index_.size() - decided_;
    return std::move(solution_);
  }

 private:
  using Bits = Row<words>;

  // A block: the positions with these cards and masters, and their rows.
  struct Block {
    int number;
    Hands hands;
    std::array<const std::array<Board, squares>*, 2> targets;  // where the mover's two cards lead
    std::array<int, 2> cards_after;                            // held when one of them has been used
    int master;
    int enemy;
    Board masters;
  };
  Block block(int number) const {
    const Hands& hands = shape.hands[static_cast<std::size_t>(number / master_pairs)];
    const TablebaseShape::Masters pair = shape.masters[static_cast<std::size_t>(number % master_pairs)];
    Block made{number, hands, {}, {}, pair.mover, pair.other, 1U << pair.mover | 1U << pair.other};
    for (std::size_t i = 0; i < 2; ++i) {
      made.targets[i] = &targets[index_.cards()[hands.mover[i]]][blue];
      // The other is to move then: its cards come first.
      const std::size_t mine = 1U << hands.mover[1 - i] | 1U << hands.side;
      made.cards_after[i] = shape.cards_of[1U << hands.other[0] | 1U << hands.other[1]][mine];
    }
    return made;
  }
  static int block_after(const Block& at, std::size_t card, int master) {
    return at.cards_after[card] * master_pairs +
           shape.masters_of[static_cast<std::size_t>(master)][static_cast<std::size_t>(at.enemy)];
  }

  // Rows that a pass over the blocks writes are its block's own, and no pass reads what it writes: no thread waits for
  // another. `open_` is as the player to move sees it: positions not decided yet, by its students, one bit for each set
  // of the other's. `won_` and `lost_` are as the player sees it who has just moved.
  Bits* open_rows(int number) const { return open_.get() + static_cast<std::ptrdiff_t>(number) * sets_; }
  Bits* rows_after(Bits* of, int number) const { return of + static_cast<std::ptrdiff_t>(number) * sets_; }

  struct Moved {
    const Bits* row;
    int to;
  };
  // Three men, two cards, four steps each.
  struct Moves {
    std::array<Moved, 24> all;
    std::size_t count = 0;
    void add(const Bits* row, int to) { all[count++] = {row, to}; }
    const Moved* begin() const { return all.data(); }
    const Moved* end() const { return all.data() + count; }
  };

  // All moves of the player with these students, none of which wins at once.
  Moves moves_of(const Block& at, int set, Bits* rows) const {
    Moves moves;
    const Board students = all_.board[static_cast<std::size_t>(set)];
    const Board own = students | 1U << at.master;
    for (std::size_t card = 0; card < 2; ++card) {
      const auto& steps = *at.targets[card];
      for_each_square(steps[static_cast<std::size_t>(at.master)] & ~own,
                      [&](int to) { moves.add(rows_after(rows, block_after(at, card, to)) + set, to); });
      const Bits* const here = rows_after(rows, block_after(at, card, at.master));
      for_each_square(students, [&](int from) {
        const Board rest = students & ~(1U << from);
        for_each_square(steps[static_cast<std::size_t>(from)] & ~own, [&](int to) {
          const int after =
              rest == 0 ? 1 + to
                        : all_.pair[static_cast<std::size_t>(std::countr_zero(rest))][static_cast<std::size_t>(to)];
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

  // Whether the player with these students wins by its next move. The other's students have no say in it.
  static bool wins_at_once(const Block& at, Board students) {
    const Board own = students | 1U << at.master;
    const Board enemy = 1U << at.enemy;
    for (const auto* steps : at.targets) {
      if (((*steps)[static_cast<std::size_t>(at.master)] & ~own & (enemy | 1U << temples[red])) != 0) return true;
      Board reached = 0;
      for_each_square(students, [&](int from) { reached |= (*steps)[static_cast<std::size_t>(from)]; });
      if ((reached & enemy) != 0) return true;
    }
    return false;
  }

  // Whether the last pass has found anything that this block's moves may lead to.
  bool is_near_fresh(const Block& at) const {
    for (std::size_t card = 0; card < 2; ++card) {
      if (fresh_[static_cast<std::size_t>(block_after(at, card, at.master))] != 0) return true;
      bool found = false;
      const Board to = (*at.targets[card])[static_cast<std::size_t>(at.master)] & ~at.masters & ~(1U << temples[red]);
      for_each_square(to, [&](int square) {
        found = found || fresh_[static_cast<std::size_t>(block_after(at, card, square))] != 0;
      });
      if (found) return true;
    }
    return false;
  }

  std::uint64_t win_at_once(int number) {
    const Block at = block(number);
    Bits everything{};
    for (int set = 0; set < sets_; ++set) everything.set(set);
    std::uint64_t found = 0;
    for (int set = 0; set < sets_; ++set) {
      const Board students = all_.board[static_cast<std::size_t>(set)];
      if ((students & at.masters) != 0) continue;
      Bits& open = open_rows(number)[set];
      open = everything;
      for_each_square(students | at.masters, [&](int square) { take_away(open, square); });
      if (wins_at_once(at, students)) found += settle(at, set, Bits(open), won_.get());
    }
    return found;
  }

  std::uint64_t find_wins(int number) {
    const Block at = block(number);
    if (!is_near_fresh(at)) return 0;
    return for_open_rows(at, lost_.get(), won_.get(), [&](const Moves& moves, const Bits& open) {
      Bits won{};
      for (const Moved& moved : moves) {
        if (!moved.row->any()) continue;
        Bits after = *moved.row;
        const Word alone = after.word[0] & small_sets;
        take_away(after, moved.to);
        if (moved.to != no_square && index_.students() > 0) add_captures(after, alone, moved.to);
        for (std::size_t i = 0; i < words; ++i) won.word[i] |= after.word[i];
      }
      for (std::size_t i = 0; i < words; ++i) won.word[i] &= open.word[i];
      return won;
    });
  }

  std::uint64_t find_losses(int number) {
    const Block at = block(number);
    // What the last losses were is known to all by now: their rows make room for the new ones.
    std::fill_n(rows_after(lost_.get(), turned(at)), sets_, Bits{});
    if (!is_near_fresh(at)) return 0;
    return for_open_rows(at, won_.get(), lost_.get(), [&](const Moves& moves, const Bits& open) {
      Bits lost = open;
      for (const Moved& moved : moves) {
        const Bits& captured = with_[static_cast<std::size_t>(moved.to)];
        Bits kept;
        for (std::size_t i = 0; i < words; ++i) {
          kept.word[i] = lost.word[i] & captured.word[i];
          lost.word[i] &= moved.row->word[i] & ~captured.word[i];
        }
        kept.for_each([&](int set) {
          const auto& pair = all_.square[static_cast<std::size_t>(set)];
          const int rest = set <= squares ? 0 : 1 + (pair[0] == moved.to ? pair[1] : pair[0]);
          if (moved.row->has(rest)) lost.set(set);
        });
        if (!lost.any()) break;
      }
      return lost;
    });
  }

  // The bits of no student and of one.
  static constexpr Word small_sets = (Word{1} << (1 + squares)) - 1;

  void take_away(Bits& row, int square) const {
    for (std::size_t i = 0; i < words; ++i) row.word[i] &= ~with_[static_cast<std::size_t>(square)].word[i];
  }
  // Sets with a student on the square moved to: what is true without it is true here.
  void add_captures(Bits& row, Word alone, int to) const {
    if ((alone & 1U) != 0) row.set(1 + to);
    if (index_.students() < 2) return;
    for (Word left = alone >> 1 & ~(Word{1} << to); left != 0; left &= left - 1) {
      row.set(all_.pair[static_cast<std::size_t>(to)][static_cast<std::size_t>(std::countr_zero(left))]);
    }
  }

  template <typename Find>
  std::uint64_t for_open_rows(const Block& at, Bits* from, Bits* into, Find&& find) {
    std::uint64_t found = 0;
    for (int set = 0; set < sets_; ++set) {
      const Bits open = open_rows(at.number)[set];
      if (!open.any()) continue;
      const Bits decided = find(moves_of(at, set, from), open);
      if (decided.any()) found += settle(at, set, decided, into);
    }
    return found;
  }

  // The same block, as the other player sees it.
  static int turned(const Block& at) {
    return at.number / master_pairs * master_pairs +
           shape.masters_of[static_cast<std::size_t>(square_turned(at.enemy))]
                           [static_cast<std::size_t>(square_turned(at.master))];
  }

  // These positions take so many plies as the pass is about.
  std::uint64_t settle(const Block& at, int set, const Bits& decided, Bits* into) {
    Bits& open = open_rows(at.number)[set];
    for (std::size_t i = 0; i < words; ++i) open.word[i] &= ~decided.word[i];
    const int there = turned(at);
    next_fresh_[static_cast<std::size_t>(there)] = 1;
    Bits* const rows = rows_after(into, there);
    const int bit = all_.turned[static_cast<std::size_t>(set)];

    const Board students = all_.board[static_cast<std::size_t>(set)];
    const Board occupied = students | at.masters;
    std::uint8_t* const plies = solution_.plies.get() +
                                static_cast<std::uint64_t>(at.number) * static_cast<std::uint64_t>(index_.ways()) +
                                index_.row_start(number_of_set(students, at.masters));
    std::array<std::int16_t, squares> place{};  // of a square, among those that are free
    for (int square = 0, free = 0; square < squares; ++square) {
      place[static_cast<std::size_t>(square)] = static_cast<std::int16_t>(free);
      if ((occupied >> square & 1U) == 0) ++free;
    }
    const int pairs = count_sets(squares - std::popcount(occupied), 1);
    std::uint64_t count = 0;
    decided.for_each([&](int other) {
      const auto& pair = all_.square[static_cast<std::size_t>(other)];
      const int low = place[pair[0]];
      const int high = place[pair[1]];
      const int number = other == 0 ? 0 : other <= squares ? 1 + low : pairs + high * (high - 1) / 2 + low;
      plies[number] = static_cast<std::uint8_t>(plies_);
      rows[all_.turned[static_cast<std::size_t>(other)]].set(bit);
      ++count;
    });
    return count;
  }

  // Runs a pass on all threads; how many positions it has decided.
  template <typename Pass>
  std::uint64_t for_all_blocks(Pass&& pass) {
    std::fill(next_fresh_.begin(), next_fresh_.end(), std::uint8_t{0});
    std::atomic<std::uint64_t> found{0};
    for_each_number(
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
  const Sets all_;
  int sets_;
  std::array<Bits, squares + 1> with_;  // the sets that have a student on this square
  std::unique_ptr<Bits, Solution::Free> open_;
  std::unique_ptr<Bits, Solution::Free> won_;
  std::unique_ptr<Bits, Solution::Free> lost_;
  std::vector<std::uint8_t> fresh_;  // by block as the player sees it who has just moved: the last pass found something
  std::vector<std::uint8_t> next_fresh_;
  Solution solution_;
  std::uint64_t decided_ = 0;
  int plies_ = 0;
};

}  // namespace

Solution solve(const TablebaseIndex& index, int threads, const SolverProgress& progress) {
  if (index.students() < most_students) return Solver<1>(index, threads, progress).run();
  return Solver<6>(index, threads, progress).run();
}

}  // namespace tesuji::onitama
