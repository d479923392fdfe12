#include "game/perft.hpp"

#include <memory>
#include <vector>

namespace tesuji {

namespace {

// A native game needs about 10 ns per position.
constexpr std::uint64_t positions_between_polls = 1U << 17;

class Perft {
 public:
  Perft(const State& state, int depth, const std::function<bool()>& keep_going)
      : plies_(static_cast<std::size_t>(depth)), keep_going_(keep_going) {
    for (Ply& ply : plies_) ply.next = state.clone();
  }

  std::uint64_t count(const State& state, int depth) {
    if (depth == 0 || state.over()) return 1;
    if (depth == 1) return state.count_moves();
    Ply& ply = plies_[static_cast<std::size_t>(depth) - 1];
    state.moves(ply.moves);
    std::uint64_t leaves = 0;
    for (const Move move : ply.moves) {
      if (++positions_ % positions_between_polls == 0 && !stopped_) stopped_ = !keep_going_();
      if (stopped_) break;
      ply.next->assign(state);
      ply.next->play(move);
      leaves += count(*ply.next, depth - 1);
    }
    return leaves;
  }

 private:
  struct Ply {
    MoveList moves;
    std::unique_ptr<State> next;
  };
  std::vector<Ply> plies_;
  const std::function<bool()>& keep_going_;
  std::uint64_t positions_ = 0;
  bool stopped_ = false;
};

}  // namespace

std::uint64_t perft(const State& state, int depth, const std::function<bool()>& keep_going) {
  return Perft(state, depth, keep_going).count(state, depth);
}

}  // namespace tesuji
