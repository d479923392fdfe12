// What can be done against a win by fours.
//
// A move of the defender's that leaves the threatened line as it is loses to it. Each of the others is tried, and it
// loses if the opponent has another line then. A four of the defender's must be answered first; it is no defence if
// nothing is one after the answer.
#include "games/gomoku/threats_search.hpp"

namespace tesuji::gomoku {

namespace {

constexpr int fours_at_once = 24;  // of the opponent, in a row
constexpr int fours_between = 4;   // of the defender, before a defence that is none

}  // namespace

Defence ThreatSearch::defend(const Patterns& patterns, int defender, const ThreatLimits& limits) {
  begin(patterns, limits);
  Defence defence;
  FourLine threat;
  const Outcome outcome = win_by_fours(1 - defender, fours_at_once, threat);
  if (outcome == Outcome::won) {
    defence.threat = Verdict::won;
    defence.line = main_line(1 - defender, add_line(threat));
    survives(defender, threat, fours_between, &defence.moves);
  } else {
    if (outcome == Outcome::lost) defence.threat = Verdict::none;
    for (int cell = 0; cell < board_.cells(); ++cell) {
      if (board_.empty(cell) && board_.legal(cell, defender)) defence.moves.push_back(cell);
    }
  }
  defence.stopped = stop_;
  defence.nodes = nodes_;
  defence.seconds = seconds();
  return defence;
}

// Whether any move is not proven to lose. `moves` gets all of them; without it the first is enough.
bool ThreatSearch::survives(int defender, const FourLine& threat, int fours, std::vector<int>* moves) {
  CellList tries;
  board_.fives(defender, tries);
  if (tries.size() > 0) {  // the defender wins; of the other moves nothing is known
    if (moves != nullptr) {
      for (int cell = 0; cell < board_.cells(); ++cell) {
        if (board_.empty(cell) && board_.legal(cell, defender)) moves->push_back(cell);
      }
    }
    return true;
  }
  disturbances(1 - defender, threat, tries);
  bool any = false;
  for (const int move : tries) {
    if (!board_.legal(move, defender)) continue;
    board_.play(move, defender);
    const bool holds = survives_after(defender, fours);
    board_.undo();
    if (!holds) continue;
    any = true;
    if (moves == nullptr) return true;
    moves->push_back(move);
  }
  return any;
}

// The defender, who had no five, has moved.
bool ThreatSearch::survives_after(int defender, int fours) {
  const int opponent = 1 - defender;
  FourLine line;
  if (!board_.can_move(opponent)) return true;
  if (win_by_fours(opponent, fours_at_once, line) == Outcome::won) return false;
  if (fours == 0 || stop_ != ThreatStop::finished || board_.count_fives(defender) != 1) return true;
  const int answer = board_.first_five(defender);
  if (!board_.legal(answer, opponent)) return true;
  board_.play(answer, opponent);
  const bool threatened = win_by_fours(opponent, fours_at_once, line) == Outcome::won;
  const bool holds = !threatened || survives(defender, line, fours - 1, nullptr);
  board_.undo();
  return holds;
}

}  // namespace tesuji::gomoku
