// Alpha-beta's moves: listing, threats, and the order in which they are searched.
#include <algorithm>
#include <stdexcept>

#include "search/alphabeta/alphabeta.hpp"

namespace tesuji {

namespace {

// Hooks that sort the moves cost more than a leaf, so they are only called at this depth or more.
constexpr int ordering_depth = 2;

// One unit of the logits of a move ordering.
constexpr std::int32_t logit_unit = 1 << 16;

}  // namespace

void AlphaBeta::list_moves(int ply) {
  Frame& frame = frames_[ply];
  frame.state->moves(frame.moves);
  if (frame.moves.empty()) {
    throw std::invalid_argument("moves() is empty but scores() is None");
  }
  frame.noisy.clear();
  if (has_noisy_moves_) frame.support->noisy_moves(frame.noisy);
  // A hook that ignores own wins only affects the ordering.
  if (hooks_.threat_response != nullptr && !hooks_.threat_response->includes_own_wins()) {
    frame.noisy.insert(frame.noisy.begin(), frame.threat.moves.begin(), frame.threat.moves.end());
  }
}

// Leaves only this move in frame.moves.
void AlphaBeta::begin_with(int ply, Move move) {
  Frame& frame = frames_[ply];
  frame.moves.assign(1, move);
  frame.set_aside.clear();
  frame.order.clear();
  frame.order.add(table_rank);
}

void AlphaBeta::find_threats(int ply) {
  Frame& frame = frames_[ply];
  frame.only_near = false;
  frame.threatened = hooks_.threat_response != nullptr && respond(frame);
}

// Whether a threat restricts the moves.
bool AlphaBeta::respond(Frame& frame) const {
  frame.threat.certain = false;
  hooks_.threat_response->respond(*frame.state, frame.threat);
  const bool few = hooks_.threat_response->includes_own_wins() && frame.threat.urgent && !frame.threat.moves.empty();
  frame.only_near = few && frame.threat.certain;
  return few;
}

// The rank of a move above plain_rank, by the logit of the learned ordering; a killer or a full history counts as much
// as one unit of log-odds.
std::uint32_t AlphaBeta::merits_of(const Frame& frame, std::size_t index, int mover) const {
  constexpr std::int32_t one = History::most;
  constexpr std::int32_t even = static_cast<std::int32_t>(second_killer_rank - plain_rank) / 2;
  const Move move = frame.moves[index];
  std::int32_t merits = frame.logits[index] / (logit_unit / one);
  if (options_.history) merits += history_.of(mover, move);
  if (options_.killers && frame.killers.has(move)) merits += one;
  return static_cast<std::uint32_t>(std::clamp(merits + even, 0, 2 * even - 1));
}

// Moves to frame.set_aside what `away` says, except the table's move. Branchless: it is unpredictable.
template <typename Away>
void AlphaBeta::set_aside(Frame& frame, Away&& away, Move table_move) {
  const std::size_t count = frame.moves.size();
  frame.weights.resize(count);
  frame.set_aside.resize(count);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Move move = frame.moves[i];
    const bool leaves = (move != table_move) & away(i);
    frame.set_aside[i - kept] = move;
    frame.moves[kept] = move;
    frame.weights[kept] = frame.weights[i];
    kept += leaves ? 0 : 1;
  }
  frame.moves.resize(kept);
  frame.weights.resize(kept);
  frame.set_aside.resize(count - kept);
}

// Lists the moves: those to be searched first in frame.moves, ranked, and the others in frame.set_aside.
void AlphaBeta::order_moves(int ply, int depth, int mover, Move table_move) {
  list_moves(ply);
  Frame& frame = frames_[ply];
  if (hooks_.move_ordering != nullptr && !scores_moves_ && depth >= ordering_depth) {
    hooks_.move_ordering->order(*frame.state, frame.moves, frame.weights, random_);
  }
  const bool weighed = hooks_.proximity != nullptr && !frame.threatened;
  if (weighed) hooks_.proximity->weigh(*frame.state, frame.moves, options_.hard_proximity, frame.weights);
  frame.set_aside.clear();
  if (frame.threatened) {
    set_aside(frame, [&](std::size_t i) { return !frame.threat.answered_by(frame.moves[i]); }, table_move);
  } else if (weighed && options_.hard_proximity) {
    set_aside(frame, [&](std::size_t i) { return frame.weights[i] == 0; }, table_move);
  }
  if (scores_moves_) hooks_.move_ordering->logits(*frame.state, frame.moves, frame.logits);
  frame.order.clear();
  frame.best_quiet = plain_rank;
  for (std::size_t i = 0; i < frame.moves.size(); ++i) {
    const Move move = frame.moves[i];
    std::uint32_t rank = plain_rank;
    if (move == table_move) {
      rank = table_rank;
    } else if (const auto noisy = std::find(frame.noisy.begin(), frame.noisy.end(), move); noisy != frame.noisy.end()) {
      rank = noisy_rank - static_cast<std::uint32_t>(noisy - frame.noisy.begin());
    } else if (scores_moves_) {
      rank += merits_of(frame, i, mover);
      frame.best_quiet = std::max(frame.best_quiet, rank);
    } else if (options_.killers && move == frame.killers.moves[0]) {
      rank = first_killer_rank;
    } else if (options_.killers && move == frame.killers.moves[1]) {
      rank = second_killer_rank;
    } else if (options_.history) {
      const auto merits = static_cast<std::uint32_t>(history_.of(mover, move) + History::most);
      rank += weighed ? static_cast<std::uint32_t>(static_cast<float>(merits) * frame.weights[i]) : merits;
    }
    frame.order.add(rank);
  }
}

void AlphaBeta::bring_back(Frame& frame) {
  for (const Move move : frame.set_aside) {
    frame.moves.push_back(move);
    frame.order.add(set_aside_rank);
  }
  frame.set_aside.clear();
}

void AlphaBeta::update_killers_and_history(int ply, std::size_t place, int depth, int mover) {
  Frame& frame = frames_[ply];
  const auto move_at = [&](std::size_t at) { return frame.moves[frame.order.again(at)]; };
  frame.killers.add(move_at(place));
  if (!options_.history) return;
  history_.reward(mover, move_at(place), depth);
  for (std::size_t earlier = 0; earlier < place; ++earlier) history_.penalize(mover, move_at(earlier), depth);
}

}  // namespace tesuji
