// Alpha-beta below the root.
#include "search/alphabeta/alphabeta.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tesuji {

namespace {

// Late move reductions: the first full_moves are never reduced, nor is any below reduced_depth; from late_moves on and
// late_depth up, two plies. (3, 8 and 5 instead of 2, 5 and 4 lost 272 : 328 at Onitama, 10,000 nodes per move.)
constexpr std::size_t full_moves = 2;
constexpr int reduced_depth = 3;
constexpr std::size_t late_moves = 5;
constexpr int late_depth = 4;

// With a learned move ordering: half a ply, and one more for so many logits behind the best quiet move, rounded down.
// (Against the counts above at Gomoku, 59 of 100 at 25,000 nodes per move, 30 of 60 at 100,000.)
constexpr double reduction_base = 0.5;
constexpr double logits_per_ply = 1.7;

// Internal iterative reductions: where neither the table nor the game says which move to try first, a position of this
// depth or more is searched one ply less deep. (Onitama, 10,000 nodes per move: 206 of 366, +44 Elo [+16, +72]. Games
// with a move ordering did not gain: 36 of 80 in Hex, 46 of 100 in Gomoku.)
constexpr int blind_depth = 3;

// Pruning of quiet positions by their value, with a margin in log-odds for every ply of depth: above β up to
// high_depth, and below α, for quiet moves only, up to low_depth; up to razored_depth the noisy moves are tried by
// quiescence.
constexpr int high_depth = 6;
constexpr double high_margin = 0.5;
constexpr int low_depth = 4;
constexpr double low_margin = 0.6;
constexpr int razored_depth = 2;

// Pruning by count, up to counted_depth: quiet moves after the first first_moves + depth².
constexpr int counted_depth = 8;
constexpr std::size_t first_moves = 6;

// A value with its odds multiplied by e^margin.
Score shifted(Score score, double margin) {
  const double value = value_of_score(score);
  const double odds = value * std::exp(margin);
  return score_of_value(odds / (odds + 1.0 - value));
}

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
  if (hooks_.tablebase != nullptr) {
    if (const std::optional<ExactResult> known = hooks_.tablebase->probe(*next.state)) {
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
int AlphaBeta::reduction_of(const Frame& frame, std::size_t place, int depth, Score alpha) const {
  if (!options_.reductions || place < full_moves || depth < reduced_depth || decided(alpha)) return 0;
  const std::uint32_t rank = frame.order.rank(place);
  if (rank >= second_killer_rank) return 0;
  if (scores_moves_ && rank >= plain_rank) {
    const double behind = static_cast<double>(frame.best_quiet - rank) / History::most;
    return std::min(static_cast<int>(reduction_base + behind / logits_per_ply), depth - 1);
  }
  return place >= late_moves && depth >= late_depth ? 2 : 1;
}

// A forced move extends the search by one ply.
int AlphaBeta::extension_of(int ply, int depth) const {
  const bool room = static_cast<std::size_t>(ply + depth + options_.quiescence + 3) < frames_.size();
  return frames_[ply].only_near && frames_[ply].moves.size() == 1 && room ? 1 : 0;
}

// What the value says about a quiet position off the principal variation: a result that stands for a search, or else
// which of its moves need no search.
AlphaBeta::Pruning AlphaBeta::prune(int ply, int depth, Score alpha, Score beta) {
  Pruning pruning;
  const Frame& frame = frames_[ply];
  if (hooks_.value == nullptr || slow_ || frame.threatened || beta - alpha > 1 || decided(alpha) || decided(beta)) {
    return pruning;
  }
  if (options_.futility && depth <= counted_depth) pruning.most = first_moves + static_cast<std::size_t>(depth * depth);
  if (!options_.futility || depth > high_depth) return pruning;
  const Score value = evaluate(*frame.state);
  if (shifted(value, -high_margin * depth) >= beta) {
    pruning.result = Result{value, false};
  } else if (depth <= low_depth && shifted(value, low_margin * depth) <= alpha) {
    pruning.quiet = false;
    if (depth > razored_depth || !quiesces_) return pruning;
    const Result noisy = quiesce(ply, options_.quiescence, alpha, beta);
    if (noisy.score <= alpha) pruning.result = noisy;
  }
  return pruning;
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
  if (!slow_) find_threats(ply);  // while the prefetch is under way
  TableData known;
  if (hash != 0 && table_->find(hash, known)) {
    // No cutoffs on the principal variation, so that its line stays complete.
    const bool main_line = options_.pvs && beta - alpha > 1;
    const Score score = seen_from_root(known.score, ply);
    if (!main_line && settles(known, score, depth, alpha, beta)) return {score, known.certain};
  }

  const int mover = state.player();
  if (slow_) find_threats(ply);
  const bool blind = hash != 0 && known.move == no_move && hooks_.move_ordering == nullptr && !frames_[ply].threatened;
  if (options_.reductions && blind && depth >= blind_depth && !decided(alpha)) --depth;
  const Pruning pruning = prune(ply, depth, alpha, beta);
  if (pruning.result) return *pruning.result;
  // The table's move is searched before the others are listed: it often makes them unnecessary.
  bool listed = slow_ || frames_[ply].threatened || known.move == no_move || !state.legal(known.move);
  if (listed) {
    order_moves(ply, depth, mover, known.move);
  } else {
    begin_with(ply, known.move);
  }
  const int extended = depth + extension_of(ply, depth);
  const Score floor = alpha;
  Result best{-infinite_score, true};
  Move best_move = no_move;
  MovesInProgress* const team = team_ != nullptr && hash != 0 && depth >= shared_depth ? &team_->moves : nullptr;
  for (std::size_t place = 0;; ++place) {
    if (place == 1 && !listed) {
      order_moves(ply, depth, mover, known.move);
      frames_[ply].order.at(0);
      listed = true;
    }
    if (place == frames_[ply].moves.size()) {
      if (frames_[ply].only_near || frames_[ply].set_aside.empty()) break;
      if (!loses(best.score)) {
        best.certain = false;  // the moves set aside have not been searched
        break;
      }
      bring_back(frames_[ply]);
    }
    const Move move = frames_[ply].moves[frames_[ply].order.at(place)];
    const bool quiet = frames_[ply].order.rank(place) < second_killer_rank;
    if (quiet && place > 0 && (!pruning.quiet || place >= pruning.most) && !loses(best.score)) {
      best.certain = false;
      break;  // the moves after it are quiet, too
    }
    MoveInProgress search(team, hash, move, depth);
    if (place > 0 && search.taken() && frames_[ply].order.postpone(place)) {
      --place;
      continue;
    }
    search.begin();
    const Step step = play(ply, move, mover);
    const Result result =
        search_move(ply, step, extended, alpha, beta, place == 0, reduction_of(frames_[ply], place, depth, alpha));
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
  const bool kept = slow_ && (hooks_.value != nullptr || quiesces_);
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

// Quiescence search with stand-pat, unless the noisy moves are the only ones that do not lose at once.
AlphaBeta::Result AlphaBeta::quiesce(int ply, int left, Score alpha, Score beta) {
  Frame& frame = frames_[ply];
  const bool forced = left > 0 && frame.support->must_be_noisy();
  Score best = forced ? -(win_score - (ply + 2)) : evaluate(*frame.state);
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
  return {best, (wins(best) && best >= beta) || loses(best)};
}

Score AlphaBeta::evaluate(const State& state) const {
  return hooks_.value == nullptr ? 0 : score_of_value(hooks_.value->value(state, state.player()));
}

void AlphaBeta::set_line(int ply, Move move) {
  MoveList& line = frames_[ply].line;
  line.clear();
  line.push_back(move);
  line.insert(line.end(), frames_[ply + 1].line.begin(), frames_[ply + 1].line.end());
}

std::uint64_t AlphaBeta::hash_of(const Frame& frame) const {
  if (table_ == nullptr) return 0;
  return hooks_.tablebase == nullptr || frame.support == nullptr ? frame.state->hash() : frame.support->full_hash();
}

void AlphaBeta::store(std::uint64_t hash, int ply, TableData known) {
  known.score = seen_from_position(known.score, ply);
  table_->store(hash, known);
}

}  // namespace tesuji
