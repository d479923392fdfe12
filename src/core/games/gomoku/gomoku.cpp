#include "games/gomoku/gomoku.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/hash.hpp"

namespace tesuji::gomoku {

GomokuState::GomokuState(int size, Rule rule, bool swap2)
    : board_(size, rule), stage_(swap2 ? Stage::three_stones : Stage::settled) {}

GomokuState::GomokuState(const Board& board, int colour, Move last)
    : board_(board),
      last_move_(last),
      ply_(static_cast<std::uint16_t>(board.stones())),
      colour_(static_cast<std::uint8_t>(colour)) {
  for (int index = 0; index < line_count; ++index) {
    for (const int owner : {black, white}) {
      if (!holds_five(stones_in(board.line(index), owner), exact_five(board.rule(), owner))) continue;
      if (winner_ == 1 - owner) throw std::invalid_argument("both colours have five in a row");
      winner_ = static_cast<std::int8_t>(owner);
    }
  }
}

int GomokuState::player() const {
  switch (stage_) {
    case Stage::three_stones:
    case Stage::first_chooses:
      return 0;
    case Stage::second_chooses:
    case Stage::two_stones:
      return 1;
    default:
      return colour_ == black ? black_player_ : 1 - black_player_;
  }
}

Scores GomokuState::scores() const {
  Scores scores{};
  if (winner_ == nobody) {
    scores[0] = scores[1] = 0.5;
  } else {
    scores[static_cast<std::size_t>(winner_ == black ? black_player_ : 1 - black_player_)] = 1.0;
  }
  return scores;
}

bool GomokuState::stuck() const {
  if (colour_ != black || !may_be_forbidden()) return false;
  for (int cell = 0; cell < board_.cells(); ++cell) {
    const Place at = board_.place(cell);
    if (board_.empty(at) && !forbidden(at)) return false;
  }
  return true;
}

void GomokuState::moves(MoveList& list) const {
  list.clear();
  if (winner_ != nobody) return;
  // Branchless: whether a cell is empty is unpredictable.
  list.resize(static_cast<std::size_t>(board_.cells()));
  std::size_t count = 0;
  Move cell = 0;
  for (int row = 0; row < board_.size(); ++row) {
    std::uint64_t taken = board_.line(row) >> 2 * line_margin;
    for (int column = 0; column < board_.size(); ++column, ++cell, taken >>= 2) {
      list[count] = cell;
      count += (taken & 3U) == 0 ? 1 : 0;
    }
  }
  list.resize(count);
  if (board_.rule() == Rule::renju) {
    std::erase_if(list, [&](Move move) { return forbidden(board_.place(static_cast<int>(move))); });
  }
  if (may_swap()) list.push_back(swap_move());
  if (stage_ == Stage::second_chooses) list.push_back(two_move());
}

bool GomokuState::legal(Move move) const {
  if (winner_ != nobody) return false;
  if (move == swap_move()) return may_swap();
  if (move == two_move()) return stage_ == Stage::second_chooses;
  if (move > two_move()) return false;
  const Place at = board_.place(static_cast<int>(move));
  return board_.empty(at) && !forbidden(at);
}

void GomokuState::play(Move move) {
  if (move < swap_move()) {
    const int cell = static_cast<int>(move);
    patterns_.play(cell, colour_);
    if (board_.put_and_check_five(board_.place(cell), colour_)) winner_ = static_cast<std::int8_t>(colour_);
    colour_ ^= 1U;
  }
  if (stage_ != Stage::settled) advance_opening(move);
  earlier_move_ = last_move_;
  last_move_ = move;
  ++ply_;
}

void GomokuState::advance_opening(Move move) {
  const int chooser = player();
  switch (stage_) {
    case Stage::three_stones:
      if (board_.stones() == 3) stage_ = Stage::second_chooses;
      break;
    case Stage::two_stones:
      if (board_.stones() == 5) {
        stage_ = Stage::first_chooses;
        black_player_ = 1;  // if player 0 plays a stone, it is white
      }
      break;
    default:
      if (move == two_move()) {
        stage_ = Stage::two_stones;
        break;
      }
      black_player_ = static_cast<std::uint8_t>(move == swap_move() ? chooser : 1 - chooser);
      stage_ = Stage::settled;
  }
}

bool GomokuState::same_position(const State& other) const {
  const auto* gomoku = dynamic_cast<const GomokuState*>(&other);
  return gomoku != nullptr && gomoku->colour_ == colour_ && gomoku->stage_ == stage_ &&
         gomoku->black_player_ == black_player_ && gomoku->board_ == board_;
}

// Computed on demand, so that playouts need not maintain it.
std::uint64_t GomokuState::hash() const {
  std::uint64_t hash = hash_combine(static_cast<std::uint64_t>(stage_), black_player_ * 2U + colour_);
  for (int row = 0; row < size(); ++row) hash = hash_combine(hash, board_.line(row));
  return nonzero(hash);
}

bool GomokuState::noisy_moves(MoveList& list) const {
  list.clear();
  if (over() || stage_ != Stage::settled) return true;
  const Patterns& found = patterns();
  const auto add = [&](Threat threat, int colour) {
    if (found.count(threat, colour) == 0) return;
    found.cells(threat, colour).each([&](int cell) {
      if (!forbidden(board_.place(cell))) list.push_back(static_cast<Move>(cell));
    });
  };
  for (const int colour : {int{colour_}, 1 - colour_}) {
    add(Threat::five, colour);
    if (found.count(Threat::five, colour) > 0) return true;
  }
  for (const Threat threat : {Threat::open_four, Threat::four_three, Threat::four}) add(threat, colour_);
  return true;
}

// Plays the swap2 opening move by move.
void GomokuState::play_opening(Random& random, PlayoutRequest& request) {
  MoveList list;
  while (stage_ != Stage::settled && request.max_plies != 0 && !over()) {
    moves(list);
    const Move move = list[random.below(static_cast<std::uint32_t>(list.size()))];
    if (request.trace != nullptr) request.trace->push_back({move, player()});
    play(move);
    if (request.max_plies > 0) --request.max_plies;
  }
}

void GomokuState::playout(Random& random, const PlayoutRequest& request) {
  patterns_.drop();
  PlayoutRequest rest = request;
  play_opening(random, rest);
  if (winner_ == nobody) play_out(random, rest.trace, rest.max_plies < 0 ? board_.cells() : rest.max_plies);
}

// Samples from a list of the empty cells. A cell forbidden to Black may be allowed later, so it is skipped for this
// move only.
void GomokuState::play_out(Random& random, Trace* trace, int plies) {
  std::array<Place, max_cells> open;
  std::uint32_t count = 0;
  for (int cell = 0; cell < board_.cells(); ++cell) {
    const Place at = board_.place(cell);
    if (board_.empty(at)) open[count++] = at;
  }
  for (; plies > 0 && count > 0; --plies) {
    std::uint32_t live = count;
    std::uint32_t pick = random.below(live);
    while (forbidden(open[pick])) {
      std::swap(open[pick], open[--live]);
      if (live == 0) return;
      pick = random.below(live);
    }
    const Place at = open[pick];
    open[pick] = open[live - 1];
    open[live - 1] = open[--count];
    earlier_move_ = last_move_;
    last_move_ = static_cast<Move>(board_.cell(at));
    if (trace != nullptr) trace->push_back({last_move_, player()});
    ++ply_;
    const bool won = board_.put_and_check_five(at, colour_);
    colour_ ^= 1U;
    if (won) {
      winner_ = static_cast<std::int8_t>(1 - colour_);
      return;
    }
  }
}

}  // namespace tesuji::gomoku
