// The course of an alpha-beta search: the root, the depths, the budgets, and what is reported.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "search/alphabeta.hpp"

namespace tesuji {

namespace {

constexpr auto poll_interval = std::chrono::milliseconds(5);
constexpr std::uint64_t nodes_between_looks = 1024;
constexpr std::size_t longest_line = 24;
// For the positions that a game keeps (bindings/python_game), where there is no table.
constexpr std::size_t memory_without_table = std::size_t{64} << 20;

}  // namespace

// The stretch of work between two polls; ended however the search is left.
class AlphaBeta::Batch {
 public:
  explicit Batch(Host& host) : host_(host) { begin(); }
  ~Batch() {
    if (running_) host_.end_batch();
  }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  bool poll() {
    running_ = false;
    host_.end_batch();
    const bool go_on = host_.poll();
    begin();
    return go_on;
  }

 private:
  void begin() {
    host_.begin_batch();
    running_ = true;
  }

  Host& host_;
  bool running_ = false;
};

AlphaBeta::AlphaBeta(const AlphaBetaOptions& options, Hooks hooks)
    : options_(options),
      value_(std::move(hooks.value)),
      ordering_(std::move(hooks.move_ordering)),
      threats_(std::move(hooks.threat_response)),
      proximity_(std::move(hooks.proximity)),
      tablebase_(std::move(hooks.tablebase)),
      provers_(std::move(hooks.prover)) {
  forget();
}

AlphaBeta::~AlphaBeta() = default;

void AlphaBeta::forget() {
  table_.reset();
  frames_.clear();
  random_ = Random(options_.seed);
  prover_ = provers_ != nullptr ? provers_->open() : nullptr;
}

void AlphaBeta::interrupt(AlphaBetaStop reason) {
  stop_ = reason;
  throw Interrupted{};
}

void AlphaBeta::look_around() {
  if (budget_.nodes > 0 && nodes_ >= budget_.nodes) interrupt(AlphaBetaStop::nodes);
  next_look_ = nodes_ + (slow_ ? 1 : nodes_between_looks);
  if (budget_.nodes > 0) next_look_ = std::min(next_look_, budget_.nodes);
  if (cancelled_.load(std::memory_order_relaxed)) interrupt(AlphaBetaStop::cancelled);
  const auto now = Clock::now();
  if (budget_.seconds > 0 && std::chrono::duration<double>(now - began_).count() >= budget_.seconds) {
    interrupt(AlphaBetaStop::seconds);
  }
  if (!memory_full_ && frames_.front().state->kept_bytes() > kept_memory_) {
    frames_.front().state->stop_keeping();
    memory_full_ = true;
  }
  if (now - last_poll_ < poll_interval) return;
  last_poll_ = now;
  if (!batch_->poll()) interrupt(AlphaBetaStop::cancelled);
}

void AlphaBeta::make_frames(int count) {
  while (frames_.size() < static_cast<std::size_t>(count)) {
    frames_.emplace_back();
    frames_.back().state = frames_.front().state->clone();
  }
}

void AlphaBeta::prepare(const State& root) {
  if (root.players() != 2) throw std::invalid_argument("alphabeta plays games of two players");
  if (root.over()) throw std::invalid_argument("the game is over: there is no move to search for");
  if (root.player() == chance_player) throw std::invalid_argument("alphabeta cannot search a game with chance moves");
  frames_.clear();
  frames_.emplace_back();
  Frame& frame = frames_.front();
  frame.state = root.clone();
  frame.state->become_root(true);
  past_counts_ = root.past_counts();
  // A tablebase's wins are far away: what has been repeated since the last search may be in their way.
  if (!options_.reuse || (tablebase_ != nullptr && past_counts_)) table_.reset();
  // The other half is for the positions that the game keeps.
  const bool keeps = frame.state->kept_bytes() > 0;
  kept_memory_ = options_.memory > 0 ? options_.memory / 2 : memory_without_table;
  memory_full_ = false;
  if (table_ == nullptr && options_.memory > 0 && frame.state->hash() != 0) {
    table_ = std::make_unique<TranspositionTable>(keeps ? options_.memory / 2 : options_.memory);
  }
  if (table_ != nullptr) table_->grow_older();
  history_.clear();
  names_noisy_ = frame.state->noisy_moves(frame.noisy);
  quiesces_ = names_noisy_ && options_.quiescence > 0;

  frame.state->moves(frame.moves);
  if (frame.moves.empty()) {
    throw std::invalid_argument("moves() is empty but scores() is None: the game is neither going on nor over");
  }
  shuffle(frame.moves, random_);  // equally good moves: the seed decides
  frame.weights.clear();
  if (ordering_ != nullptr) ordering_->order(*frame.state, frame.moves, frame.weights, random_);
  double sum = 0;
  for (const float weight : frame.weights) sum += weight;
  std::vector<float> nearness;
  if (proximity_ != nullptr) proximity_->weigh(*frame.state, frame.moves, options_.hard_proximity, nearness);
  root_moves_.clear();
  set_aside_.clear();
  for (std::size_t i = 0; i < frame.moves.size(); ++i) {
    RootMove made;
    made.move = frame.moves[i];
    made.prior = sum > 0 ? frame.weights[i] / sum : 1.0 / static_cast<double>(frame.moves.size());
    made.line = {made.move};
    const bool near = nearness.empty() || !options_.hard_proximity || nearness[i] > 0;
    (near ? root_moves_ : set_aside_).push_back(std::move(made));
  }
}

AlphaBetaReport AlphaBeta::search(const State& root, const AlphaBetaBudget& budget, Host& host) {
  budget_ = budget;
  slow_ = host.slow();
  began_ = last_poll_ = Clock::now();
  nodes_ = 0;
  next_look_ = slow_ ? 1 : nodes_between_looks;
  if (budget_.nodes > 0) next_look_ = std::min(next_look_, budget_.nodes);
  depth_ = 0;
  proven_.reset();
  settled_ = false;
  stop_ = AlphaBetaStop::none;
  cancelled_.store(false);

  Batch batch(host);
  batch_ = &batch;
  prepare(root);
  try {
    if (!prove_win()) deepen();
  } catch (const Interrupted&) {
  }
  kept_bytes_ = frames_.front().state->kept_bytes();
  frames_.clear();
  return report();
}

// A win that the game's own prover finds ends the search before it begins.
bool AlphaBeta::prove_win() {
  if (prover_ == nullptr) return false;
  const auto go_on = [this] { return batch_->poll() && !cancelled_.load(std::memory_order_relaxed); };
  const std::optional<Prover::Win> win = prover_->prove(*frames_.front().state, prover_share * budget_.seconds, go_on);
  if (!win) return false;
  const auto proven = std::find_if(root_moves_.begin(), root_moves_.end(),
                                   [&](const RootMove& move) { return move.move == win->line.front(); });
  if (proven == root_moves_.end()) return false;
  proven->score = win_score - win->plies;
  proven->depth = win->plies;
  proven->exact = proven->certain = true;
  proven->line = win->line;
  std::rotate(root_moves_.begin(), proven, proven + 1);
  proven_ = 1.0;
  stop_ = AlphaBetaStop::proven;
  return true;
}

void AlphaBeta::deepen() {
  const int limit = budget_.depth > 0 ? std::min(budget_.depth, most_depth) : most_depth;
  while (depth_ < limit) {
    const int depth = depth_ + 1;
    make_frames(2 * depth + options_.quiescence + 2);  // extensions may double the depth
    search_root(depth);
    depth_ = depth;
    if (settled_) {
      stop_ = AlphaBetaStop::proven;
      return;
    }
  }
  stop_ = AlphaBetaStop::depth;
}

// One depth. The moves with exact scores come to the front, best first; the others keep their order. The first depth
// is cheap and gives every move an exact score, for a good order to begin with.
void AlphaBeta::search_root(int depth) {
  const std::size_t count = root_moves_.size();
  const std::size_t lines = depth == 1 ? count : std::min(count, static_cast<std::size_t>(options_.lines));
  bool all_certain = true;
  for (std::size_t i = 0; i < count; ++i) {
    RootMove& move = root_moves_[i];
    const Score alpha = i < lines ? -infinite_score : root_moves_[lines - 1].score;
    const Result result = search_root_move(move, depth, alpha, i < lines);
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
  conclude(depth, all_certain);
}

AlphaBeta::Result AlphaBeta::search_root_move(RootMove& move, int depth, Score alpha, bool first) {
  // Counted also where the search is interrupted.
  const struct Spent {
    std::uint64_t& total;
    const std::uint64_t& now;
    std::uint64_t before;
    ~Spent() { total += now - before; }
  } spent{move.nodes, nodes_, nodes_};
  const int mover = frames_.front().state->player();
  const Step step = play(0, move.move, mover);
  return search_move(0, step, depth, alpha, infinite_score, first, 0);
}

// What the whole depth has proven, and whether a deeper one could still find a shorter win or a longer defence.
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
    settled_ = all_certain || plies_of(best.score) <= depth;
  } else if (all_certain) {
    proven_ = value_of_score(best.score);
    settled_ = true;
  }
  const std::uint64_t hash = hash_of(*frames_.front().state);
  if (hash != 0) remember(hash, 0, {best.score, best.move, depth, Bound::exact, settled_});
}

// The expected course after a move that was only refuted, as far as the table knows it.
void AlphaBeta::extend_line(MoveList& line) {
  for (std::size_t ply = 1; ply + 1 < frames_.size() && line.size() < longest_line; ++ply) {
    const State& state = *frames_[ply].state;
    Knowing known;
    const std::uint64_t hash = state.over() ? 0 : hash_of(state);
    if (hash == 0 || !table_->find(hash, known) || known.move == no_move || !state.legal(known.move)) return;
    line.push_back(known.move);
    frames_[ply + 1].state->follow(state, known.move);
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

AlphaBetaReport AlphaBeta::report() const {
  AlphaBetaReport report;
  report.moves = root_moves_;
  // Cut off within a depth, the first move may be known to lose while others were last seen to do better.
  const auto chosen = std::find_if(report.moves.begin(), report.moves.end(),
                                   [](const RootMove& move) { return move.depth == 0 || !loses(move.score); });
  if (chosen != report.moves.end()) std::rotate(report.moves.begin(), chosen, chosen + 1);
  std::stable_sort(report.moves.begin() + 1, report.moves.end(), [](const RootMove& a, const RootMove& b) {
    if ((a.depth > 0) != (b.depth > 0)) return a.depth > 0;
    return a.depth > 0 && a.score > b.score;
  });
  const RootMove& best = report.moves.front();
  report.proven = best.depth > 0 && wins(best.score) ? best.proven() : proven_;
  if (report.proven && best.depth > 0 && decided(best.score)) report.plies = plies_of(best.score);
  report.depth = depth_;
  report.nodes = nodes_;
  report.bytes = (table_ != nullptr ? table_->bytes() : 0) + kept_bytes_;
  report.memory_full = memory_full_;
  report.seconds = std::chrono::duration<double>(Clock::now() - began_).count();
  report.stop = stop_;
  return report;
}

}  // namespace tesuji
