#include "games/gomoku/knowledge.hpp"

#include <algorithm>

#include "base/ranking.hpp"
#include "games/gomoku/maps.hpp"

namespace tesuji::gomoku {

namespace {

constexpr float defence = 0.9F;  // weight of the opponent's pattern score
constexpr float both = 0.01F;    // weight of the smaller score from open fours up, so that wins are not outranked by
                                 // cells good for both sides
constexpr std::array<float, 5> weight_at = {0, 1.0F, 0.5F, 0.2F, 0.05F};  // proximity_map() by steps to a stone
constexpr int draws_for_near = 16;  // tries to find a near cell before accepting any

// Calls visit(cell) for every empty cell where this colour would make at least this threat.
template <typename Visit>
void for_each_at_least(const Patterns& patterns, Threat least, int colour, Visit&& visit) {
  for (int kind = static_cast<int>(least); kind <= static_cast<int>(Threat::five); ++kind) {
    const auto threat = static_cast<Threat>(kind);
    if (patterns.count(threat, colour) > 0) patterns.cells(threat, colour).each(visit);
  }
}

// Adds these cells to a set.
void unite_at_least(const Patterns& patterns, Threat least, int colour, CellSet& cells) {
  for (int kind = static_cast<int>(least); kind <= static_cast<int>(Threat::five); ++kind) {
    const auto threat = static_cast<Threat>(kind);
    if (patterns.count(threat, colour) > 0) cells |= patterns.cells(threat, colour);
  }
}

bool any_at_least(const Patterns& patterns, Threat least, int colour) {
  for (int kind = static_cast<int>(least); kind <= static_cast<int>(Threat::five); ++kind) {
    if (patterns.count(static_cast<Threat>(kind), colour) > 0) return true;
  }
  return false;
}

// The threat a stone would make; none if forbidden.
Threat made(const Patterns& patterns, int cell, int colour) {
  const Threat threat = patterns.threat(cell, colour);
  return threat == Threat::forbidden ? Threat::none : threat;
}

// Centrality, since patterns do not distinguish cells of the empty board.
float first_stone_weight(const Board& board, Move move) {
  const int steps = board.steps_from_middle(board.place(static_cast<int>(move)));
  return steps < 3 ? static_cast<float>(64 >> 2 * steps) : 1.0F;
}

// The replies to the threats on the board; empty if there are none, or during the opening. Returns whether every other
// move loses immediately.
bool threat_replies(const GomokuState& state, MoveList& list) {
  list.clear();
  if (state.stage() != Stage::settled) return false;
  const Patterns& patterns = state.patterns();
  const int own = state.colour();
  const int enemy = 1 - own;
  const auto add = [&](int cell) {
    const auto move = static_cast<Move>(cell);
    if (state.forbidden(state.board().place(cell))) return;
    if (std::find(list.begin(), list.end(), move) == list.end()) list.push_back(move);
  };
  for (const int colour : {own, enemy}) {
    for_each_at_least(patterns, Threat::five, colour, add);
    if (patterns.count(Threat::five, colour) > 0) return colour == enemy;
  }
  for_each_at_least(patterns, Threat::open_four, own, add);
  if (!list.empty() || !any_at_least(patterns, Threat::open_four, enemy)) return false;
  for_each_at_least(patterns, Threat::four, enemy, add);
  for_each_at_least(patterns, Threat::four, own, add);
  return false;
}

}  // namespace

const GomokuState& as_gomoku(const State& state) {
  return state_as<GomokuState>(state, "this knowledge needs a Gomoku position");
}

void PatternOrdering::order(const State& state, MoveList& moves, std::vector<float>& weights, Random& random) const {
  const GomokuState& gomoku = as_gomoku(state);
  const Patterns& patterns = gomoku.patterns();
  const int own = gomoku.colour();
  shuffle(moves, random);
  weights.clear();
  for (const Move move : moves) {
    float weight = 1.0F;
    if (gomoku.board().stones() == 0) {
      weight = first_stone_weight(gomoku.board(), move);
    } else if (move < gomoku.swap_move()) {
      const int cell = static_cast<int>(move);
      const auto mine = static_cast<float>(patterns.score(cell, own));
      const float theirs = defence * static_cast<float>(patterns.score(cell, 1 - own));
      const Threat most = std::max(made(patterns, cell, own), made(patterns, cell, 1 - own));
      weight += most < Threat::open_four ? mine + theirs : std::max(mine, theirs) + both * std::min(mine, theirs);
    }
    weights.push_back(weight);
  }
  sort_by_weight(moves, weights);
}

void PatternThreats::respond(const State& state, tesuji::ThreatReplies& threat) const {
  threat.certain = threat_replies(as_gomoku(state), threat.moves);
  threat.urgent = true;
}

Move PatternPolicy::choose(const State& state, const MoveList& moves, Random& random) const {
  const GomokuState& gomoku = as_gomoku(state);
  MoveList urgent;
  threat_replies(gomoku, urgent);
  if (!urgent.empty()) return urgent[random.below(static_cast<std::uint32_t>(urgent.size()))];
  const auto draw = [&] { return moves[random.below(static_cast<std::uint32_t>(moves.size()))]; };
  const Patterns& patterns = gomoku.patterns();
  for (int tries = 0; tries < draws_for_near && gomoku.stage() == Stage::settled; ++tries) {
    const Move move = draw();
    const int cell = static_cast<int>(move);
    if (patterns.threat(cell, black) > Threat::one || patterns.threat(cell, white) > Threat::one) return move;
  }
  return draw();
}

bool PatternPolicy::play_out(State& state, Random& random, const PlayoutRequest& request) const {
  MoveList moves;
  for (int plies = 0; plies != request.max_plies && !state.over(); ++plies) {
    state.moves(moves);
    const Move move = choose(state, moves, random);
    if (request.trace != nullptr) request.trace->push_back({move, state.player()});
    state.play(move);
  }
  return true;
}

void StoneProximity::weigh(const State& state, const MoveList& moves, bool hard, std::vector<float>& weights) const {
  const GomokuState& gomoku = as_gomoku(state);
  const Board& board = gomoku.board();
  const bool drops = hard && board.stones() >= options_.opening_stones;
  const Nearness near(board);
  const bool first = hard && board.stones() == 0 && gomoku.stage() == Stage::settled;
  CellSet urgent;  // where either side would make an open three or more
  if (drops) {
    for (const int colour : {black, white}) unite_at_least(gomoku.patterns(), Threat::open_three, colour, urgent);
  }
  weights.resize(moves.size());
  float most = 0;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const bool stone = moves[i] < gomoku.swap_move();
    const Place at = board.place(static_cast<int>(moves[i]));
    const int steps = stone && board.stones() > 0 ? near.steps(at) : 1;
    weights[i] = weight_at[static_cast<std::size_t>(steps)];
    if (stone && board.stones() == 0) {
      weights[i] = proximity_to_centre(board.steps_from_middle(at));
    }
    if (first && board.steps_from_middle(at) > 1) weights[i] = 0;
    if (drops && steps > options_.max_distance && !urgent.has(static_cast<int>(moves[i]))) weights[i] = 0;
    if (hard && !options_.scale_priors && weights[i] > 0) weights[i] = 1.0F;
    most = std::max(most, weights[i]);
  }
  if (most == 0) std::fill(weights.begin(), weights.end(), 1.0F);  // no near cell is left
}

void EdgePenalty::weigh(const State& state, const MoveList& moves, bool /*hard*/, std::vector<float>& weights) const {
  const GomokuState& gomoku = as_gomoku(state);
  const Board& board = gomoku.board();
  weights.assign(moves.size(), 1.0F);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (moves[i] >= gomoku.swap_move()) continue;
    const int line = board.lines_from_edge(board.place(static_cast<int>(moves[i])));
    if (line < 2) weights[i] = line == 0 ? 0.1F : 0.5F;
  }
}

}  // namespace tesuji::gomoku
