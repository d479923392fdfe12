// Generates tactical Gomoku positions with known best moves, to augment training data.
//
// Random games lead to the positions; patterns and the threat solver find the targets:
//
//   kind            position                                      policy target
//   five            a stone makes five                            all such cells; won
//   stop_five       the opponent threatens one five               the cell that stops it
//   open_four       a stone makes an open four                    all such cells; won
//   stop_open_four  the opponent threatens to win by fours        all moves not proven to lose
//   fours           a win by three or more fours                  the first four; won
//   threats         a win by threes and fours                     the first move; won
//   lost            the opponent has begun a win by fours         all cells that stop the five; lost
//
// Won and lost games continue along the winning line, so that the score and the number of moves left are true. All
// targets are within two steps of a stone. Excluded positions (test sets) are never generated, in any symmetry.
#pragma once

#include <array>
#include <functional>
#include <string_view>

#include "game/planes.hpp"
#include "game/played_game.hpp"
#include "games/gomoku/gomoku.hpp"

namespace tesuji::gomoku {

enum class Tactic : std::uint8_t { five, stop_five, open_four, stop_open_four, fours, threats, lost };
inline constexpr std::array<std::string_view, 7> tactic_names = {"five",  "stop_five", "open_four", "stop_open_four",
                                                                 "fours", "threats",   "lost"};

struct TacticsRequest {
  std::size_t count = 0;
  std::uint64_t seed = 0;
  int threads = 1;
  std::vector<const GomokuState*> excluded;
  std::uint8_t board = 0;  // the index of the run's board, for the games
};

// Distinct positions, equally many of each kind; possibly fewer than requested. A position is the opening of its game,
// and the game's only full search has the targets. Depends on the seed, not on the threads.
std::vector<PlayedGame> make_tactics(const GomokuState& start, const Planes& planes, const TacticsRequest& request,
                                     const std::function<void()>& poll);

}  // namespace tesuji::gomoku
