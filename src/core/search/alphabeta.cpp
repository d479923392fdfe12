// Alpha-beta below the root: positions, leaves, and what is remembered of them.
#include "search/alphabeta.hpp"

#include <algorithm>
#include <stdexcept>

namespace tesuji {

namespace {

// A game's ordering costs more than a leaf does: it is asked where at least so many plies follow.
constexpr int ordering_depth = 2;

// Reductions: so many moves are searched in full, and none where fewer plies than this follow; the latest lose two. (3,
// 8 and 5 in place of 2, 5 and 4 lost 272 : 328 at Onitama, 10,000 nodes a move.)
constexpr std::size_t full_moves = 2;
constexpr int reduced_depth = 3;
constexpr std::size_t late_moves = 5;
constexpr int late_depth = 4;

// Whether what is known settles this window. Bounds that are certain hold at any depth.
bool settles(const Knowing& known, Score score, int depth, Score alpha, Score beta) {
  if (known.depth < depth && !known.certain) return false;
  if (known.bound == Bound::exact) return true;
  return known.bound == Bound::lower ? score >= beta : score <= alpha;
}

Bound bound_of(Score score, Score alpha, Score beta) {
  return score >= beta ? Bound::lower : score > alpha ? Bound::exact : Bound::upper;
}

// Wins and losses carry their own proof: a win as a lower bound and a loss as an upper one are true whatever lies
// elsewhere in the tree; and their distance is exact where the search has seen all that could end sooner.
bool proves_itself(Score score, Bound bound, int ply, int depth) {
  if (!decided(score)) return false;
  return bound == (wins(score) ? Bound::lower : Bound::upper) || plies_of(score) - ply <= depth;
}

bool answers(const Threat& threat, Move move) {
  return std::find(threat.moves.begin(), threat.moves.end(), move) != threat.moves.end();
}

}  // namespace

AlphaBeta::Step AlphaBeta::play(int ply, Move move, int mover) {
  Frame& next = frames_[ply + 1];
  next.state->follow(*frames_[ply].state, move);
  next.line.clear();
  count_node();
  if (next.state->over()) {
    const Score score = score_of_result(next.state->scores()[mover], ply + 1);
    // A draw by repetition belongs to the way that led here, not to the position.
    return {true, false, {score, decided(score) || !past_counts_}};
  }
  const int player = next.state->player();
  if (player == chance_player) throw std::invalid_argument("alphabeta cannot search a game with chance moves");
  if (tablebase_ != nullptr) {
    if (const std::optional<Known> known = tablebase_->probe(*next.state)) {
      const double result = player == mover ? known->score : 1.0 - known->score;
      return {true, false, {score_of_result(result, ply + 1 + known->plies), true}};
    }
  }
  return {false, player == mover, {0, false}};
}

// The position after a step, from the side of who made it. A move after the first is asked with a window of width one
// whether it is better at all.
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

// How many plies less a move is looked at. A move that comes late, is quiet and has refuted little so far is unlikely
// to be good; where it turns out to be, it is searched again in full (late move reductions). Not where a win or a loss
// is being measured: there only the last ply counts.
int AlphaBeta::reduction_of(const MoveOrder& order, std::size_t place, int depth, Score alpha) const {
  if (!options_.reductions || place < full_moves || depth < reduced_depth || decided(alpha)) return 0;
  if (order.rank(place) >= second_killer_rank) return 0;
  return place >= late_moves && depth >= late_depth ? 2 : 1;
}

// A forced move decides nothing: the position after it is looked at as deeply as this one should be.
int AlphaBeta::extension_of(int ply, int depth) const {
  const bool room = static_cast<std::size_t>(ply + depth + options_.quiescence + 3) < frames_.size();
  return frames_[ply].only_near && frames_[ply].near == 1 && room ? 1 : 0;
}

AlphaBeta::Result AlphaBeta::search_position(int ply, int depth, Score alpha, Score beta) {
  if (depth <= 0) return leaf(ply, alpha, beta);
  // No line through here is better than winning at once, or worse than having lost already.
  const Score best_possible = win_score - (ply + 1);
  if (best_possible <= alpha) return {best_possible, true};
  if (-best_possible >= beta) return {-best_possible, true};

  State& state = *frames_[ply].state;
  const std::uint64_t hash = hash_of(state);
  if (hash != 0) table_->fetch(hash);
  if (!slow_) list_moves(ply);  // while the table's memory is on its way
  Knowing known;
  if (hash != 0 && table_->find(hash, known)) {
    // Never on the principal variation, so that its line stays whole.
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
  for (std::size_t place = 0; place < count; ++place) {
    if (place >= frames_[ply].near && (frames_[ply].only_near || !loses(best.score))) {
      best.certain = best.certain && frames_[ply].only_near;  // otherwise nobody has looked at what was set aside
      break;
    }
    const Move move = frames_[ply].moves[frames_[ply].order.at(place)];
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
      note_refutation(ply, place, depth, mover);
      break;
    }
    alpha = result.score;
    set_line(ply, move);
  }
  const Bound bound = bound_of(best.score, floor, beta);
  best.certain = best.certain || proves_itself(best.score, bound, ply, depth);
  if (hash != 0) remember(hash, ply, {best.score, best_move, depth, bound, best.certain});
  return best;
}

// A position at the end of the depth. Where Python judges, what it said is kept.
AlphaBeta::Result AlphaBeta::leaf(int ply, Score alpha, Score beta) {
  const bool kept = slow_ && (value_ != nullptr || quiesces_);
  const std::uint64_t hash = kept ? hash_of(*frames_[ply].state) : 0;
  Knowing known;
  const bool found = hash != 0 && table_->find(hash, known);
  if (found) {
    const Score score = seen_from_root(known.score, ply);
    if (settles(known, score, 0, alpha, beta)) return {score, known.certain};
  }
  const Result result =
      quiesces_ ? quiesce(ply, options_.quiescence, alpha, beta) : Result{judge(*frames_[ply].state), false};
  if (hash != 0 && !found) {
    const Bound bound = quiesces_ ? bound_of(result.score, alpha, beta) : Bound::exact;
    remember(hash, ply, {result.score, no_move, 0, bound, result.certain});
  }
  return result;
}

// Only noisy moves, and the right to stand pat: the mover need not make any of them.
AlphaBeta::Result AlphaBeta::quiesce(int ply, int left, Score alpha, Score beta) {
  Frame& frame = frames_[ply];
  Score best = judge(*frame.state);
  if (best >= beta || left == 0) return {best, false};
  if (!frame.state->noisy_moves(frame.moves)) return {best, false};
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

Score AlphaBeta::judge(const State& state) const {
  return value_ == nullptr ? 0 : score_of_value(value_->value(state, state.player()));
}

void AlphaBeta::list_moves(int ply) {
  Frame& frame = frames_[ply];
  frame.state->moves(frame.moves);
  if (frame.moves.empty()) {
    throw std::invalid_argument("moves() is empty but scores() is None: the game is neither going on nor over");
  }
  frame.noisy.clear();
  if (names_noisy_) frame.state->noisy_moves(frame.noisy);
}

// Whether a threat leaves but a few moves. A hook that does not see the mover's own wins says what to try first, and no
// more.
bool AlphaBeta::respond(Frame& frame) const {
  frame.threat.certain = false;
  threats_->respond(*frame.state, frame.threat);
  if (!threats_->finds_own_wins()) {
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

void AlphaBeta::note_refutation(int ply, std::size_t place, int depth, int mover) {
  Frame& frame = frames_[ply];
  const auto move_at = [&](std::size_t at) { return frame.moves[frame.order.again(at)]; };
  frame.killers.add(move_at(place));
  if (!options_.history) return;
  history_.reward(mover, move_at(place), depth);
  for (std::size_t earlier = 0; earlier < place; ++earlier) history_.punish(mover, move_at(earlier), depth);
}

void AlphaBeta::set_line(int ply, Move move) {
  MoveList& line = frames_[ply].line;
  line.clear();
  line.push_back(move);
  line.insert(line.end(), frames_[ply + 1].line.begin(), frames_[ply + 1].line.end());
}

std::uint64_t AlphaBeta::hash_of(const State& state) const {
  if (table_ == nullptr) return 0;
  return tablebase_ == nullptr ? state.hash() : state.far_hash();
}

void AlphaBeta::remember(std::uint64_t hash, int ply, Knowing known) {
  known.score = seen_from_position(known.score, ply);
  table_->store(hash, known);
}

}  // namespace tesuji
