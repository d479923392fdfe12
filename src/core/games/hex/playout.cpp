// Hex playouts.
//
// A full board has exactly one winner, independent of the order of moves. So a uniform playout fills the empty cells
// with a random division and determines the winner once. The guided playout plays move by move, because its moves save
// bridges: two own cells (or a cell and the own edge) with two empty common neighbours; if the opponent enters one, the
// other keeps the connection. Cazenave and Saffidine report +105 Elo for this; in MoHex's ablation it gains most.
#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "games/hex/hex.hpp"
#include "games/hex/knowledge.hpp"

namespace tesuji::hex {

namespace {

// A random division of the empty cells: a fair coin per cell, then random cells change sides until the count is right.
// By symmetry all divisions of that size are equally likely.
void divide(Random& random, int size, const Cells& empty, int wanted, Cells& mine) {
  int bits_left = 0;
  std::uint64_t bits = 0;
  int taken = 0;
  for (int row = 1; row <= size; ++row) {
    if (bits_left < size) {
      bits = random.next();
      bits_left = 64;
    }
    mine[row] = empty[row] & static_cast<std::uint32_t>(bits);
    bits >>= size;
    bits_left -= size;
    taken += std::popcount(mine[row]);
  }
  while (taken != wanted) {
    const std::uint64_t draw = random.next();
    const auto side = static_cast<std::uint64_t>(size);
    const auto row = static_cast<std::size_t>(((draw >> 32) * side) >> 32) + 1;
    const std::uint32_t cell = 1U << (((draw & 0xFFFFFFFFULL) * side) >> 32);
    if (taken > wanted && (mine[row] & cell) != 0) {
      mine[row] ^= cell;
      --taken;
    } else if (taken < wanted && (empty[row] & ~mine[row] & cell) != 0) {
      mine[row] ^= cell;
      ++taken;
    }
  }
}

}  // namespace

// The constant part of a mailbox board: one with a border, so that neighbours are at fixed offsets. The border
// consists of stones: top and bottom Black's, left and right White's.
struct Mailbox {
  static constexpr int max_cells = (max_size + 2) * (max_size + 2);

  explicit Mailbox(int board_size) : size(board_size), stride(board_size + 2) {
    // In circular order.
    around = {-stride, -stride + 1, 1, stride, stride - 1, -1};
    for (int i = 0; i < stride; ++i) {
      for (const int cell : {i * stride, i * stride + stride - 1}) board[cell] = stone(1);
    }
    for (int i = 0; i < stride; ++i) {
      for (const int cell : {i, (stride - 1) * stride + i}) board[cell] = stone(0);
    }
    for (int row = 0; row < size; ++row) {
      for (int column = 0; column < size; ++column) {
        const int cell = (row + 1) * stride + column + 1;
        move_of[cell] = static_cast<std::uint16_t>(row * size + column);
        // Distance from the centre, scaled to a board of max_size.
        const double down = row - (size - 1) / 2.0;
        const double right = column - (size - 1) / 2.0;
        const double steps = (std::abs(down) + std::abs(right) + std::abs(down + right)) / 2;
        ring[cell] = static_cast<std::uint8_t>(std::min(steps * max_size / size, double{max_size}));
        for (int i = 0; i < 6; ++i) {
          const std::uint8_t edge = board[cell + around[i]];
          if (edge != 0) beside[cell] |= static_cast<std::uint16_t>(1U << (i + (edge == stone(1) ? 8 : 0)));
        }
      }
    }
  }

  static std::uint8_t stone(int player) { return static_cast<std::uint8_t>(1 << player); }
  int cell(int row, int column) const { return (row + 1) * stride + column + 1; }

  static const Mailbox& of(int size) {
    static const std::vector<Mailbox> all = [] {
      std::vector<Mailbox> made;
      for (int each = 0; each <= max_size; ++each) made.emplace_back(each);
      return made;
    }();
    return all[static_cast<std::size_t>(size)];
  }

  int size;
  int stride;
  std::array<int, 6> around{};
  std::array<std::uint8_t, max_cells> board{};
  // Per cell, which of the six neighbours are Black's (bits 0 to 5) and White's (bits 8 to 13).
  std::array<std::uint16_t, max_cells> beside{};
  std::array<std::uint16_t, max_cells> move_of{};
  std::array<std::uint8_t, max_cells> ring{};
};

class GuidedPlayout {
 public:
  GuidedPlayout(HexState& state, const BridgePolicy& policy)
      : state_(state), policy_(policy), mailbox_(Mailbox::of(state.size_)) {
    const auto used = static_cast<std::size_t>(mailbox_.stride * mailbox_.stride);
    std::copy_n(mailbox_.board.begin(), used, board_.begin());
    std::copy_n(mailbox_.beside.begin(), used, beside_.begin());
    for (int player = 0; player < 2; ++player) {
      for_each_cell(state.size_, state.stones_[player],
                    [&](int row, int column) { place(mailbox_.cell(row, column), player); });
    }
    for_each_cell(state.size_, state.empty(), [&](int row, int column) {
      empty_[empties_++] = static_cast<std::uint16_t>(mailbox_.cell(row, column));
    });
  }

  void run(Random& random, const PlayoutRequest& request) {
    if (request.max_plies >= 0) {
      run_plies(random, request);
      return;
    }
    int last = last_cell();
    int mover = state_.player_;
    Trace* const trace = request.trace;
    const std::size_t traced = trace != nullptr ? trace->size() : 0;
    const int open = empties_;
    if (trace != nullptr) trace->resize(traced + static_cast<std::size_t>(open));
    for (int ply = 0; ply < open; ++ply) {
      last = next_cell(random, last, mover);
      place(last, mover);
      if (trace != nullptr) (*trace)[traced + static_cast<std::size_t>(ply)] = {mailbox_.move_of[last], mover};
      mover ^= 1;
    }
    take_over_full_board();
  }

 private:
  // Up to a cut-off: the game may end at any move, so the state is kept up to date.
  void run_plies(Random& random, const PlayoutRequest& request) {
    int last = last_cell();
    for (int ply = 0; ply < request.max_plies && !state_.over(); ++ply) {
      const int mover = state_.player_;
      last = next_cell(random, last, mover);
      place(last, mover);
      const Move move = mailbox_.move_of[last];
      if (request.trace != nullptr) request.trace->push_back({move, mover});
      state_.play(move);
    }
  }

  int last_cell() const {
    const Move last = state_.last_move_;
    if (last >= state_.swap_move()) return -1;
    return mailbox_.cell(static_cast<int>(last) / state_.size_, static_cast<int>(last) % state_.size_);
  }

  void place(int cell, int player) {
    board_[cell] = Mailbox::stone(player);
    for (int i = 0; i < 6; ++i) {
      // The direction as seen from the neighbour.
      beside_[cell + mailbox_.around[i]] |= static_cast<std::uint16_t>(1U << ((i + 3) % 6 + 8 * player));
    }
  }

  int next_cell(Random& random, int last, int mover) {
    if (last >= 0) {
      const std::uint32_t own = beside_[last] >> (8 * mover) & 0x3FU;
      const std::uint32_t taken = (beside_[last] | beside_[last] >> 8) & 0x3FU;
      // Three neighbours in a row around the intruder: own, empty, own.
      const std::uint32_t replies = ~taken & (own << 1 | own >> 5) & (own >> 1 | own << 5) & 0x3FU;
      if (replies != 0) return last + mailbox_.around[choose(random, replies)];
    }
    // Weighted sampling by rejection: exact, without summing weights. One random number is used for both the sample and
    // its acceptance. Cells occupied by bridge replies are removed from the list when they are sampled.
    for (int tries = 0;; ++tries) {
      const std::uint64_t number = random.next();
      const std::uint64_t pick = ((number >> 32) * static_cast<std::uint64_t>(empties_)) >> 32;
      const int cell = empty_[pick];
      const bool open = board_[cell] == 0;
      if (open && !policy_.uniform_ && tries < max_tries) {
        const std::uint32_t own = beside_[cell] >> (8 * mover) & 0x3FU;
        if (static_cast<std::uint32_t>(number) > policy_.accept_[own][mailbox_.ring[cell]]) continue;
      }
      empty_[pick] = empty_[--empties_];
      if (open) return cell;
    }
  }

  // After this many rejections any cell is accepted.
  static constexpr int max_tries = 64;

  static int choose(Random& random, std::uint32_t bits) {
    const int count = std::popcount(bits);
    if (count > 1) {
      for (std::uint32_t skip = random.below(static_cast<std::uint32_t>(count)); skip > 0; --skip) bits &= bits - 1;
    }
    return std::countr_zero(bits);
  }

  void take_over_full_board() {
    const int size = state_.size_;
    const std::uint32_t full = full_row(size);
    for (int row = 1; row <= size; ++row) {
      std::uint32_t black = 0;
      const std::uint8_t* cells = &board_[row * mailbox_.stride + 1];
      for (int column = 0; column < size; ++column) black |= (cells[column] & 1U) << column;
      state_.stones_[0][row] = black;
      state_.stones_[1][row] = full & ~black;
    }
    state_.judge_full_board();
  }

  HexState& state_;
  const BridgePolicy& policy_;
  const Mailbox& mailbox_;
  int empties_ = 0;
  std::array<std::uint8_t, Mailbox::max_cells> board_;
  std::array<std::uint16_t, Mailbox::max_cells> beside_;
  std::array<std::uint16_t, max_size * max_size> empty_;
};

void HexState::fill_at_random(Random& random, Trace* trace) {
  const Cells open = empty();
  Cells mine{};
  divide(random, size_, open, (count(size_, open) + 1) / 2, mine);
  for (int row = 1; row <= size_; ++row) {
    stones_[player_][row] |= mine[row];
    stones_[1 - player_][row] |= open[row] & ~mine[row];
  }
  if (trace != nullptr) {
    for_each_cell(size_, open, [&](int row, int column) {
      const bool is_mine = (mine[row + 1] >> column & 1U) != 0;
      trace->push_back({static_cast<Move>(row * size_ + column), is_mine ? player_ : 1 - player_});
    });
  }
  judge_full_board();
}

// Up to a cut-off: move by move, because the resulting position is evaluated.
void HexState::play_plies(Random& random, const PlayoutRequest& request) {
  for (int plies = 0; plies < request.max_plies && !over(); ++plies) {
    const Cells open = empty();
    int skip = static_cast<int>(random.below(static_cast<std::uint32_t>(count(size_, open))));
    Move move = no_move;
    for_each_cell(size_, open, [&](int row, int column) {
      if (skip-- == 0) move = static_cast<Move>(row * size_ + column);
    });
    if (request.trace != nullptr) request.trace->push_back({move, player_});
    play(move);
  }
}

// The swap is as likely as any cell.
void HexState::maybe_swap(Random& random, PlayoutRequest& request) {
  if (!may_swap() || request.max_plies == 0 || random.below(static_cast<std::uint32_t>(size_ * size_)) != 0) return;
  if (request.trace != nullptr) request.trace->push_back({swap_move(), player_});
  play(swap_move());
  if (request.max_plies > 0) --request.max_plies;
}

void HexState::playout(Random& random, const PlayoutRequest& request) {
  PlayoutRequest rest = request;
  maybe_swap(random, rest);
  if (rest.max_plies >= 0) {
    play_plies(random, rest);
  } else {
    fill_at_random(random, rest.trace);
  }
}

BridgePolicy::BridgePolicy(double neighbours, double centre) : uniform_(neighbours == 0 && centre == 0) {
  if (!(std::abs(neighbours) <= max_weight && std::abs(centre) <= max_weight)) {
    throw std::invalid_argument("the weights of a playout policy must be from -10 to 10");
  }
  const auto weight = [&](int count, int ring) {
    return std::exp(neighbours * std::min(count, max_neighbours) + centre * (1.0 - 2.0 * ring / max_size));
  };
  // As acceptance probabilities relative to the largest weight.
  double most = 0;
  for (const int count : {0, max_neighbours}) most = std::max({most, weight(count, 0), weight(count, max_size)});
  for (std::uint32_t own = 0; own < accept_.size(); ++own) {
    for (int ring = 0; ring <= max_size; ++ring) {
      accept_[own][ring] = static_cast<std::uint32_t>(weight(std::popcount(own), ring) / most * 0xFFFFFFFFU);
    }
  }
}

bool BridgePolicy::play_out(State& state, Random& random, const PlayoutRequest& request) const {
  auto& hex = state_as<HexState>(state, "this knowledge needs a Hex position");
  PlayoutRequest rest = request;
  hex.maybe_swap(random, rest);
  GuidedPlayout(hex, *this).run(random, rest);
  return true;
}

Move BridgePolicy::choose(const State& state, const MoveList&, Random& random) const {
  HexState copy = as_hex(state);
  Trace trace;
  play_out(copy, random, {.max_plies = 1, .trace = &trace});
  return trace.at(0).move;
}

}  // namespace tesuji::hex
