#include "game/perft.hpp"

#include <memory>
#include <vector>

namespace tesuji {

namespace {

// A native game needs about 10 ns per position.
constexpr std::uint64_t positions_between_polls = 1U << 17;

struct Perft {
  struct Ply {
    MoveList moves;
    std::unique_ptr<State> next;
  };
  std::vector<Ply> plies;
  const std::function<void()>& poll;
  std::uint64_t positions = 0;

  std::uint64_t count(const State& state, int depth) {
    if (depth == 0 || state.over()) return 1;
    if (depth == 1) return state.count_moves();
    Ply& ply = plies[static_cast<std::size_t>(depth) - 1];
    state.moves(ply.moves);
    std::uint64_t leaves = 0;
    for (const Move move : ply.moves) {
      if (++positions % positions_between_polls == 0) poll();
      ply.next->assign(state);
      ply.next->play(move);
      leaves += count(*ply.next, depth - 1);
    }
    return leaves;
  }
};

}  // namespace

std::uint64_t perft(const State& state, int depth, const std::function<void()>& poll) {
  Perft perft{std::vector<Perft::Ply>(static_cast<std::size_t>(depth)), poll};
  for (Perft::Ply& ply : perft.plies) ply.next = state.clone();
  return perft.count(state, depth);
}

}  // namespace tesuji
