// Positions of Gomoku in which something is certain, made in any number: tactical augmentation.
//
// Random games near the stones lead to them; the patterns and the threat solver say what is certain:
//
//   five            a stone makes five                     every such cell; won
//   stop_five       the opponent would make five, in one place   that cell
//   open_four       a stone makes an open four             every such cell; won
//   stop_open_four  the opponent would win by fours        every move that is not proven to lose to it
//   fours           fours in a row win, three or more      the first of them; won
//   threats         threes and fours win                   the first of them; won
//   lost            the opponent has made the first move of a win by fours   every cell that stops its five; lost
//
// Where the game is won or lost, the winning line follows, so that the score and the number of moves left are true. All
// cells that are to be learned are within two steps of a stone. A position that somebody is examined on is never among
// them, in any symmetry.
#pragma once

#include <array>
#include <functional>
#include <string_view>

#include "game/planes.hpp"
#include "games/gomoku/gomoku.hpp"
#include "zero/played.hpp"

namespace tesuji::zero {

enum class Tactic : std::uint8_t { five, stop_five, open_four, stop_open_four, fours, threats, lost };
inline constexpr std::array<std::string_view, 7> tactic_names = {"five",  "stop_five", "open_four", "stop_open_four",
                                                                 "fours", "threats",   "lost"};

struct TacticsRequest {
  std::size_t count = 0;
  std::uint64_t seed = 0;
  int threads = 1;
  std::vector<const gomoku::GomokuState*> excluded;
};

// As many of each kind, all different; a few less than asked for where a board is too small to have them. The position
// is the game's opening, and its one full search holds the moves. Depends on the seed, not on the threads.
std::vector<PlayedGame> make_tactics(const gomoku::GomokuState& start, const Planes& planes,
                                     const TacticsRequest& request, const std::function<void()>& poll);

}  // namespace tesuji::zero
