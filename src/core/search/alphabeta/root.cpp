// Control flow of an alpha-beta search: the root, iterative deepening, limits and the report.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "search/alphabeta/alphabeta.hpp"

namespace tesuji {

namespace {

constexpr auto poll_interval = std::chrono::milliseconds(5);
constexpr auto check_interval = std::chrono::milliseconds(1);
constexpr std::size_t longest_line = 24;
// For the game's caches (bindings/python/game), if there is no transposition table.
constexpr std::size_t memory_without_table = std::size_t{64} << 20;

}  // namespace

AlphaBeta::AlphaBeta(const AlphaBetaOptions& options, Hooks hooks) : options_(options), hooks_(std::move(hooks)) {
  reset();
}

AlphaBeta::~AlphaBeta() = default;

void AlphaBeta::reset() {
  table_.reset();
  frames_.clear();
  random_ = Random(options_.seed);
  prover_ = hooks_.prover != nullptr ? hooks_.prover->open(false) : nullptr;
}

void AlphaBeta::interrupt(Stop reason) {
  stop_ = reason;
  throw Interrupted{};
}

void AlphaBeta::check_limits() {
  if (helper_) return check_as_helper();
  const std::uint64_t total = total_nodes();
  if (budget_.nodes > 0 && total >= budget_.nodes) interrupt(Stop::nodes);
  if (cancelled_.load(std::memory_order_relaxed)) interrupt(Stop::cancelled);
  const auto now = Clock::now();
  nodes_to_check_ = now - last_check_ > check_interval ? std::max<std::uint64_t>(nodes_to_check_ / 2, 1)
                                                       : std::min(2 * nodes_to_check_, most_between_checks());
  last_check_ = now;
  next_check_ = nodes_ + nodes_to_check_;
  if (budget_.nodes > 0) next_check_ = std::min(next_check_, nodes_ + (budget_.nodes - total));
  if (budget_.seconds > 0 && std::chrono::duration<double>(now - began_).count() >= budget_.seconds) {
    interrupt(Stop::seconds);
  }
  if (table_ != nullptr) table_->use_huge_pages(now - began_);
  if (!memory_full_ && cache_ != nullptr && cache_->cache_bytes() > cache_limit_) {
    cache_->stop_caching();
    memory_full_ = true;
  }
  if (now - last_poll_ < poll_interval) return;
  last_poll_ = now;
  if (!poll_within_batch(*monitor_)) interrupt(Stop::cancelled);
}

void AlphaBeta::make_frames(int count) {
  while (frames_.size() < static_cast<std::size_t>(count)) {
    frames_.emplace_back(frames_.front().state->clone());
  }
}

void AlphaBeta::prepare(const State& root) {
  if (root.players() != 2) throw std::invalid_argument("alphabeta needs a game of two players");
  if (root.over()) throw std::invalid_argument("the game is over: there is no move to search for");
  if (root.player() == chance_player) throw std::invalid_argument("alphabeta cannot search games with chance moves");
  frames_.clear();
  frames_.emplace_back(root.clone());
  Frame& frame = frames_.front();
  cache_ = frame.state->position_cache();
  if (cache_ != nullptr) {
    cache_->become_root(true);
    if (!slow_) evaluate(*frame.state);  // what the value needs is computed here and inherited by copies
  }
  path_dependent_ = frame.support != nullptr && frame.support->path_dependent();
  if (!helper_) prepare_table();
  history_.clear();
  has_noisy_moves_ = frame.support != nullptr && frame.support->noisy_moves(frame.noisy);
  quiesces_ = has_noisy_moves_ && options_.quiescence > 0;

  frame.state->moves(frame.moves);
  if (frame.moves.empty()) {
    throw std::invalid_argument("moves() is empty but scores() is None");
  }
  scores_moves_ =
      hooks_.move_ordering != nullptr && hooks_.move_ordering->logits(*frame.state, frame.moves, frame.logits);
  shuffle(frame.moves, random_);  // break ties by the seed
  frame.weights.clear();
  if (hooks_.move_ordering != nullptr) hooks_.move_ordering->order(*frame.state, frame.moves, frame.weights, random_);
  double sum = 0;
  for (const float weight : frame.weights) sum += weight;
  std::vector<float> nearness;
  if (hooks_.proximity != nullptr)
    hooks_.proximity->weigh(*frame.state, frame.moves, options_.hard_proximity, nearness);
  if (hooks_.threat_response != nullptr && hooks_.threat_response->includes_own_wins()) find_threats(0);
  root_moves_.clear();
  set_aside_.clear();
  for (std::size_t i = 0; i < frame.moves.size(); ++i) {
    RootMove made;
    made.move = frame.moves[i];
    made.prior = sum > 0 ? frame.weights[i] / sum : 1.0 / static_cast<double>(frame.moves.size());
    made.line = {made.move};
    if (frame.only_near && !frame.threat.answered_by(made.move)) {
      made.score = -(win_score - 2);  // the opponent wins at once; this counts if the search does not reach the move
      made.certain = true;
    }
    const bool near = nearness.empty() || !options_.hard_proximity || nearness[i] > 0;
    (near ? root_moves_ : set_aside_).push_back(std::move(made));
  }
}

void AlphaBeta::prepare_table() {
  // Positions repeated since the last search may block a tablebase's distant win.
  if (!options_.reuse || (hooks_.tablebase != nullptr && path_dependent_)) table_.reset();
  // The other half is for the game's caches.
  const bool keeps = cache_ != nullptr && cache_->cache_bytes() > 0;
  cache_limit_ = options_.memory > 0 ? options_.memory / 2 : memory_without_table;
  memory_full_ = false;
  if (table_ == nullptr && options_.memory > 0 && frames_.front().state->hash() != 0) {
    table_ = std::make_unique<TranspositionTable>(keeps ? options_.memory / 2 : options_.memory);
  }
  if (table_ != nullptr) table_->new_search();
}

Report AlphaBeta::search(const State& root, const AlphaBetaBudget& budget, SearchMonitor& monitor) {
  budget_ = budget;
  slow_ = monitor.slow();
  began_ = last_poll_ = last_check_ = Clock::now();
  nodes_ = 0;
  next_check_ = nodes_to_check_ = std::min(first_check, most_between_checks());
  if (budget_.nodes > 0) next_check_ = std::min(next_check_, budget_.nodes);
  depth_ = 0;
  proven_.reset();
  finished_ = false;
  stop_ = Stop::none;
  cancelled_.store(false);
  team_ = options_.threads > 1 ? std::make_shared<AlphaBetaTeam>() : nullptr;

  monitor_ = &monitor;
  const SearchBatch batch(monitor);
  prepare(root);
  try {
    if (!prove_win()) team_ != nullptr ? deepen_with_helpers(root) : deepen();
  } catch (const Interrupted&) {
  }
  cache_bytes_ = cache_ != nullptr ? cache_->cache_bytes() : 0;
  frames_.clear();
  cache_ = nullptr;
  return report();
}

// A win found by the prover makes the search unnecessary. Scores need its length.
bool AlphaBeta::prove_win() {
  if (prover_ == nullptr || !hooks_.prover->knows_length()) return false;
  const auto go_on = [this] { return poll_within_batch(*monitor_) && !cancelled_.load(std::memory_order_relaxed); };
  const std::optional<Prover::Win> win = prover_->prove(*frames_.front().state, Prover::Purpose::root,
                                                        prover_share(budget_.seconds, budget_.nodes), go_on);
  if (!win || !win->plies) return false;
  const auto proven = std::find_if(root_moves_.begin(), root_moves_.end(),
                                   [&](const RootMove& move) { return move.move == win->line.front(); });
  if (proven == root_moves_.end()) return false;
  proven->score = win_score - *win->plies;
  proven->depth = *win->plies;
  proven->exact = proven->certain = true;
  proven->line = win->line;
  std::rotate(root_moves_.begin(), proven, proven + 1);
  proven_ = 1.0;
  stop_ = Stop::proven;
  return true;
}

void AlphaBeta::deepen() {
  const int limit = budget_.depth > 0 ? std::min(budget_.depth, max_depth) : max_depth;
  while (depth_ < limit) {
    const int depth = depth_ + 1;
    make_frames(2 * depth + options_.quiescence + 2);  // extensions can double the depth
    search_root(depth);
    depth_ = depth;
    if (finished_) {
      stop_ = Stop::proven;
      return;
    }
  }
  stop_ = Stop::depth;
}

// One iteration. Depth 1 gives every move an exact score, for a good initial order. How long a lost move lasts matters
// only if all moves lose: to find it out takes a search without reductions.
void AlphaBeta::search_root(int depth) {
  const std::size_t lines = depth == 1 ? root_moves_.size() : static_cast<std::size_t>(options_.lines);
  const auto lost = [this] { return loses(root_moves_.front().score); };
  const bool window = options_.aspiration && depth > 1 && lines == 1 && !lost();
  bool all_certain = window && search_root_moves(depth, lines, lowest_undecided);
  if (!window || lost()) all_certain = search_root_moves(depth, lines, -infinite_score);
  conclude(depth, all_certain);
}

// Searches the moves for scores above `floor`; returns whether all results are certain. Moves with exact scores are
// sorted to the front; the others keep their order.
bool AlphaBeta::search_root_moves(int depth, std::size_t lines, Score floor) {
  const std::size_t count = root_moves_.size();
  lines = std::min(count, lines);
  bool all_certain = true;
  for (std::size_t i = 0; i < count; ++i) {
    RootMove& move = root_moves_[i];
    const Score alpha = i < lines ? floor : std::max(floor, root_moves_[lines - 1].score);
    const Result result = search_root_move(move, depth, alpha, alpha == floor);
    move.score = result.score;
    move.depth = depth;
    move.exact = result.score > alpha;
    move.certain = result.certain;
    move.line = {move.move};
    if (move.exact) {
      move.line.insert(move.line.end(), frames_[1].line.begin(), frames_[1].line.end());
    } else {
      extend_line(move.line);
    }
    all_certain = all_certain && result.certain;
    if (!move.exact) continue;
    const auto end = root_moves_.begin() + static_cast<std::ptrdiff_t>(i);
    const auto place =
        std::find_if(root_moves_.begin(), end, [&](const RootMove& other) { return other.score < result.score; });
    std::rotate(place, end, end + 1);
  }
  return all_certain;
}

AlphaBeta::Result AlphaBeta::search_root_move(RootMove& move, int depth, Score alpha, bool first) {
  // Also counts if the search is interrupted.
  const struct Spent {
    std::uint64_t& total;
    const std::uint64_t& now;
    std::uint64_t before;
    ~Spent() { total += now - before; }
  } spent{move.nodes, nodes_, nodes_};
  const int mover = frames_.front().state->player();
  const Step step = play(0, move.move, mover);
  if (options_.aspiration && !decided(alpha)) {
    // The distance of a win is not asked for before there is one.
    const Result result = search_move(0, step, depth, alpha, highest_undecided, first, 0);
    if (result.score < highest_undecided) return result;
  }
  return search_move(0, step, depth, alpha, infinite_score, first, 0);
}

// What the iteration has proven, and whether a deeper one could still find a shorter win or a longer defence.
void AlphaBeta::conclude(int depth, bool all_certain) {
  const RootMove& best = root_moves_.front();
  all_certain = all_certain && set_aside_.empty();
  if (loses(best.score) && !set_aside_.empty()) {
    root_moves_.insert(root_moves_.end(), set_aside_.begin(), set_aside_.end());  // one of them may be a defence
    set_aside_.clear();
    return;
  }
  if (decided(best.score)) {
    proven_ = value_of_score(best.score);
    finished_ = all_certain || plies_of(best.score) <= depth;
  } else if (all_certain) {
    proven_ = value_of_score(best.score);
    finished_ = true;
  }
  const std::uint64_t hash = hash_of(frames_.front());
  if (hash != 0) store(hash, 0, {best.score, best.move, depth, Bound::exact, finished_});
}

// The line after a move that failed low, from the transposition table.
void AlphaBeta::extend_line(MoveList& line) {
  for (std::size_t ply = 1; ply + 1 < frames_.size() && line.size() < longest_line; ++ply) {
    const State& state = *frames_[ply].state;
    TableData known;
    const std::uint64_t hash = state.over() ? 0 : hash_of(frames_[ply]);
    if (hash == 0 || !table_->find(hash, known) || known.move == no_move || !state.legal(known.move)) return;
    line.push_back(known.move);
    frames_[ply + 1].state->assign_after(state, known.move);
  }
}

std::optional<double> RootMove::proven() const {
  if (depth == 0) return std::nullopt;
  if (loses(score)) return 0.0;
  return exact && (certain || wins(score)) ? std::optional<double>(value_of_score(score)) : std::nullopt;
}

std::optional<int> RootMove::plies() const {
  return proven() && decided(score) ? std::optional<int>(plies_of(score)) : std::nullopt;
}

Report AlphaBeta::report() const {
  std::vector<RootMove> moves = root_moves_;
  moves.insert(moves.end(), set_aside_.begin(), set_aside_.end());
  for (RootMove& move : moves) {
    if (move.depth == 0 && move.certain) move.depth = plies_of(move.score);
  }
  // If interrupted within an iteration, the first move may be known to lose while others were better before, or were
  // not reached.
  const auto first = [&moves](auto&& wanted) {
    const auto found = std::find_if(moves.begin(), moves.end(), wanted);
    if (found != moves.end()) std::rotate(moves.begin(), found, found + 1);
    return found != moves.end();
  };
  if (!first([](const RootMove& move) { return move.depth > 0 && !loses(move.score); })) {
    first([](const RootMove& move) { return move.depth == 0; });
  }
  std::stable_sort(moves.begin() + 1, moves.end(), [](const RootMove& a, const RootMove& b) {
    if ((a.depth > 0) != (b.depth > 0)) return a.depth > 0;
    return a.depth > 0 && a.score > b.score;
  });
  Report report;
  for (RootMove& move : moves) {
    Candidate candidate;
    candidate.move = move.move;
    candidate.visits = move.nodes;
    candidate.value = move.depth > 0 ? value_of_score(move.score) : 0.0;
    candidate.prior = move.prior;
    candidate.proven = move.proven();
    candidate.plies = move.plies();
    candidate.line = std::move(move.line);
    candidate.exact = move.depth > 0 && move.exact;
    report.candidates.push_back(std::move(candidate));
  }
  const RootMove& best = moves.front();
  report.move = best.move;
  report.value = best.depth > 0 ? value_of_score(best.score) : 0.5;
  const bool certain = best.depth > 0 && decided(best.score);  // if it loses, so do all others
  report.proven = certain ? best.proven() : proven_;
  // How long a loss takes is known when an iteration is complete.
  if (certain && report.proven && (proven_ || wins(best.score))) report.plies = plies_of(best.score);
  report.depth = depth_;
  report.iterations = report.visits = report.nodes = total_nodes();
  report.bytes = (table_ != nullptr ? table_->bytes() : 0) + cache_bytes_;
  report.memory_full = memory_full_;
  report.seconds = std::chrono::duration<double>(Clock::now() - began_).count();
  report.stop = stop_;
  return report;
}

}  // namespace tesuji
