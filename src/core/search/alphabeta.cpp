// Alpha-beta below the root.
#include "search/alphabeta.hpp"

#include <algorithm>
#include <stdexcept>

namespace tesuji {

namespace {

// The move ordering hook costs more than a leaf, so it is only called at this depth or more.
constexpr int ordering_depth = 2;

// Late move reductions: the first full_moves are never reduced, nor is any below reduced_depth; from late_moves on and
// late_depth up, two plies. (3, 8 and 5 instead of 2, 5 and 4 lost 272 : 328 at Onitama, 10,000 nodes per move.)
constexpr std::size_t full_moves = 2;
constexpr int reduced_depth = 3;
constexpr std::size_t late_moves = 5;
constexpr int late_depth = 4;

// Threads do not avoid each other below this depth.
constexpr int shared_depth = 3;

// Whether a table entry gives a cutoff. Certain bounds hold at any depth.
bool settles(const TableData& known, Score score, int depth, Score alpha, Score beta) {
  if (known.depth < depth && !known.certain) return false;
  if (known.bound == Bound::exact) return true;
  return known.bound == Bound::lower ? score >= beta : score <= alpha;
}

Bound bound_of(Score score, Score alpha, Score beta) {
  return score >= beta ? Bound::lower : score > alpha ? Bound::exact : Bound::upper;
}

// A win as a lower bound and a loss as an upper bound are proven by their score; the distance is exact if the depth
// covers it.
bool proves_itself(Score score, Bound bound, int ply, int depth) {
  if (!decided(score)) return false;
  return bound == (wins(score) ? Bound::lower : Bound::upper) || plies_of(score) - ply <= depth;
}

bool answers(const ThreatReplies& threat, Move move) {
  return std::find(threat.moves.begin(), threat.moves.end(), move) != threat.moves.end();
}

}  // namespace

AlphaBeta::Step AlphaBeta::play(int ply, Move move, int mover) {
  Frame& next = frames_[ply + 1];
  next.state->assign_after(*frames_[ply].state, move);
  next.line.clear();
  count_node();
  if (next.state->over()) {
    const Score score = score_of_result(next.state->scores()[mover], ply + 1);
    // A draw by repetition holds for the path, not for the position.
    return {true, false, {score, decided(score) || !path_dependent_}};
  }
  const int player = next.state->player();
  if (player == chance_player) throw std::invalid_argument("alphabeta cannot search games with chance moves");
  if (tablebase_ != nullptr) {
    if (const std::optional<ExactResult> known = tablebase_->probe(*next.state)) {
      const double result = player == mover ? known->score : 1.0 - known->score;
      return {true, false, {score_of_result(result, ply + 1 + known->plies), true}};
    }
  }
  return {false, player == mover, {0, false}};
}

// The result of a move for the player who made it. Moves after the first are searched with a null window first.
AlphaBeta::Result AlphaBeta::search_move(int ply, const Step& step, int depth, Score alpha, Score beta, bool first,
                                         int reduction) {
  if (step.ended) return step.result;
  const auto descend = [&](Score low, Score high) {
    return step.same_mover ? search_position(ply + 1, depth - 1, low, high)
                           : -search_position(ply + 1, depth - 1, -high, -low);
  };
  if (reduction > 0) {
    depth -= reduction;
    const Result asked = descend(alpha, alpha + 1);
    if (asked.score <= alpha) return asked;
    depth += reduction;
  }
  if (first || !options_.pvs) return descend(alpha, beta);
  const Result asked = descend(alpha, alpha + 1);
  return asked.score > alpha && asked.score < beta ? descend(alpha, beta) : asked;
}

// The reduction of a late quiet move; if it fails high, it is searched again at full depth. No reductions while the
// distance of a win or loss is being determined.
int AlphaBeta::reduction_of(const MoveOrder& order, std::size_t place, int depth, Score alpha) const {
  if (!options_.reductions || place < full_moves || depth < reduced_depth || decided(alpha)) return 0;
  if (order.rank(place) >= second_killer_rank) return 0;
  return place >= late_moves && depth >= late_depth ? 2 : 1;
}

// A forced move extends the search by one ply.
int AlphaBeta::extension_of(int ply, int depth) const {
  const bool room = static_cast<std::size_t>(ply + depth + options_.quiescence + 3) < frames_.size();
  return frames_[ply].only_near && frames_[ply].near == 1 && room ? 1 : 0;
}

AlphaBeta::Result AlphaBeta::search_position(int ply, int depth, Score alpha, Score beta) {
  if (depth <= 0) return leaf(ply, alpha, beta);
  // Mate-distance pruning.
  const Score best_possible = win_score - (ply + 1);
  if (best_possible <= alpha) return {best_possible, true};
  if (-best_possible >= beta) return {-best_possible, true};

  State& state = *frames_[ply].state;
  const std::uint64_t hash = hash_of(frames_[ply]);
  if (hash != 0) table_->prefetch(hash);
  if (!slow_) list_moves(ply);  // while the prefetch is under way
  TableData known;
  if (hash != 0 && table_->find(hash, known)) {
    // No cutoffs on the principal variation, so that its line stays complete.
    const bool main_line = options_.pvs && beta - alpha > 1;
    const Score score = seen_from_root(known.score, ply);
    if (!main_line && settles(known, score, depth, alpha, beta)) return {score, known.certain};
  }

  const int mover = state.player();
  if (slow_) list_moves(ply);
  order_moves(ply, depth, mover, known.move);
  const std::size_t count = frames_[ply].moves.size();
  const int extended = depth + extension_of(ply, depth);
  const Score floor = alpha;
  Result best{-infinite_score, true};
  Move best_move = no_move;
  MovesInProgress* const team = team_ != nullptr && hash != 0 && depth >= shared_depth ? &team_->moves : nullptr;
  for (std::size_t place = 0; place < count; ++place) {
    if (place >= frames_[ply].near && (frames_[ply].only_near || !loses(best.score))) {
      best.certain = best.certain && frames_[ply].only_near;  // otherwise the moves set aside have not been searched
      break;
    }
    const Move move = frames_[ply].moves[frames_[ply].order.at(place)];
    MoveInProgress search(team, hash, move, depth);
    if (place > 0 && search.taken() && frames_[ply].order.postpone(place)) {
      --place;
      continue;
    }
    search.begin();
    const Step step = play(ply, move, mover);
    const Result result = search_move(ply, step, extended, alpha, beta, place == 0,
                                      reduction_of(frames_[ply].order, place, depth, alpha));
    best.certain = best.certain && result.certain;
    if (result.score <= best.score) continue;
    best.score = result.score;
    if (result.score <= alpha) continue;
    best_move = move;
    if (result.score >= beta) {
      best.certain = result.certain;
      update_killers_and_history(ply, place, depth, mover);
      break;
    }
    alpha = result.score;
    set_line(ply, move);
  }
  const Bound bound = bound_of(best.score, floor, beta);
  best.certain = best.certain || proves_itself(best.score, bound, ply, depth);
  if (hash != 0) store(hash, ply, {best.score, best_move, depth, bound, best.certain});
  return best;
}

// Depth 0. Evaluations by Python are stored in the table.
AlphaBeta::Result AlphaBeta::leaf(int ply, Score alpha, Score beta) {
  const bool kept = slow_ && (value_ != nullptr || quiesces_);
  const std::uint64_t hash = kept ? hash_of(frames_[ply]) : 0;
  TableData known;
  const bool found = hash != 0 && table_->find(hash, known);
  if (found) {
    const Score score = seen_from_root(known.score, ply);
    if (settles(known, score, 0, alpha, beta)) return {score, known.certain};
  }
  const Result result =
      quiesces_ ? quiesce(ply, options_.quiescence, alpha, beta) : Result{evaluate(*frames_[ply].state), false};
  if (hash != 0 && !found) {
    const Bound bound = quiesces_ ? bound_of(result.score, alpha, beta) : Bound::exact;
    store(hash, ply, {result.score, no_move, 0, bound, result.certain});
  }
  return result;
}

// Quiescence search with stand-pat.
AlphaBeta::Result AlphaBeta::quiesce(int ply, int left, Score alpha, Score beta) {
  Frame& frame = frames_[ply];
  Score best = evaluate(*frame.state);
  if (best >= beta || left == 0) return {best, false};
  if (!frame.support->noisy_moves(frame.moves)) return {best, false};
  alpha = std::max(alpha, best);
  const int mover = frame.state->player();
  for (const Move move : frame.moves) {
    const Step step = play(ply, move, mover);
    const Score score = step.ended        ? step.result.score
                        : step.same_mover ? quiesce(ply + 1, left - 1, alpha, beta).score
                                          : -quiesce(ply + 1, left - 1, -beta, -alpha).score;
    if (score <= best) continue;
    best = score;
    if (score >= beta) break;
    alpha = std::max(alpha, score);
  }
  return {best, wins(best) && best >= beta};
}

Score AlphaBeta::evaluate(const State& state) const {
  return value_ == nullptr ? 0 : score_of_value(value_->value(state, state.player()));
}

void AlphaBeta::list_moves(int ply) {
  Frame& frame = frames_[ply];
  frame.state->moves(frame.moves);
  if (frame.moves.empty()) {
    throw std::invalid_argument("moves() is empty but scores() is None");
  }
  frame.noisy.clear();
  if (has_noisy_moves_) frame.support->noisy_moves(frame.noisy);
}

// Whether a threat restricts the moves. A hook that ignores own wins only affects the ordering.
bool AlphaBeta::respond(Frame& frame) const {
  frame.threat.certain = false;
  threats_->respond(*frame.state, frame.threat);
  if (!threats_->includes_own_wins()) {
    frame.noisy.insert(frame.noisy.begin(), frame.threat.moves.begin(), frame.threat.moves.end());
    return false;
  }
  const bool few = frame.threat.urgent && !frame.threat.moves.empty();
  frame.only_near = few && frame.threat.certain;
  return few;
}

void AlphaBeta::order_moves(int ply, int depth, int mover, Move table_move) {
  Frame& frame = frames_[ply];
  if (ordering_ != nullptr && depth >= ordering_depth) {
    ordering_->order(*frame.state, frame.moves, frame.weights, random_);
  }
  frame.near = frame.moves.size();
  frame.only_near = false;
  const bool threatened = threats_ != nullptr && respond(frame);
  const bool weighed = proximity_ != nullptr;
  const bool may_set_aside = weighed && options_.hard_proximity;
  if (weighed) proximity_->weigh(*frame.state, frame.moves, options_.hard_proximity, frame.weights);
  frame.order.clear();
  for (std::size_t i = 0; i < frame.moves.size(); ++i) {
    const Move move = frame.moves[i];
    std::uint32_t rank = plain_rank;
    if (move == table_move) {
      rank = table_rank;
    } else if (threatened ? !answers(frame.threat, move) : may_set_aside && frame.weights[i] == 0) {
      rank = set_aside_rank;
      --frame.near;
    } else if (const auto noisy = std::find(frame.noisy.begin(), frame.noisy.end(), move); noisy != frame.noisy.end()) {
      rank = noisy_rank - static_cast<std::uint32_t>(noisy - frame.noisy.begin());
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

void AlphaBeta::update_killers_and_history(int ply, std::size_t place, int depth, int mover) {
  Frame& frame = frames_[ply];
  const auto move_at = [&](std::size_t at) { return frame.moves[frame.order.again(at)]; };
  frame.killers.add(move_at(place));
  if (!options_.history) return;
  history_.reward(mover, move_at(place), depth);
  for (std::size_t earlier = 0; earlier < place; ++earlier) history_.penalize(mover, move_at(earlier), depth);
}

void AlphaBeta::set_line(int ply, Move move) {
  MoveList& line = frames_[ply].line;
  line.clear();
  line.push_back(move);
  line.insert(line.end(), frames_[ply + 1].line.begin(), frames_[ply + 1].line.end());
}

std::uint64_t AlphaBeta::hash_of(const Frame& frame) const {
  if (table_ == nullptr) return 0;
  return tablebase_ == nullptr || frame.support == nullptr ? frame.state->hash() : frame.support->full_hash();
}

void AlphaBeta::store(std::uint64_t hash, int ply, TableData known) {
  known.score = seen_from_position(known.score, ply);
  table_->store(hash, known);
}

}  // namespace tesuji
