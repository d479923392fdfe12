// Control flow of a search: preparing the root, running the workers, budgets.
#include "search/mcts.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <thread>
#include <utility>

#include "search/atomics.hpp"

namespace tesuji {

namespace {

constexpr int simulations_between_clock_reads = 16;
constexpr int max_comparisons = 5000;  // of positions, when looking for the new root in the old tree
constexpr std::uint64_t claim_size = 16;
constexpr std::uint64_t max_visits = 4'000'000'000;  // a node's counter has 32 bits
constexpr Move widest_narrow_move = 0xFFFF;

// With asynchronous evaluation a leaf is expanded when its evaluation arrives, whatever the other options say.
SearchOptions consistent(SearchOptions options) {
  if (options.leaves > 0) {
    options.threads = 1;
    options.rave = Rave::off;
    options.expand_after = std::numeric_limits<std::uint32_t>::max();
    if (options.first_play_reduction >= 0) options.first_play = 0;
  }
  return options;
}

}  // namespace

Mcts::Mcts(const SearchOptions& options, Hooks hooks)
    : options_(consistent(options)), hooks_(std::move(hooks)), rule_(options_), orderer_(hooks_, options_) {}

Mcts::~Mcts() = default;

void Mcts::reset() {
  forget();
  provers_.clear();
}

void Mcts::forget() {
  tree_.reset();
  root_ = no_index;
  workers_.clear();
  root_state_.reset();
  global_amaf_.clear();
}

// Finds the node of a position at most one round of moves below the root, by iterative deepening and most visited
// children first. Gives up after max_comparisons: with hundreds of moves per position a new search is cheaper.
Index Mcts::find_descendant(const State& wanted) {
  const auto rounds = static_cast<std::size_t>(std::max(2, root_state_->players()));
  std::vector<std::unique_ptr<State>> path;
  while (path.size() <= rounds) path.push_back(root_state_->clone());
  int comparisons_left = max_comparisons;
  for (std::size_t depth = 0; depth <= rounds; ++depth) {
    const Index found = find_below(root_, wanted, depth, path.data(), comparisons_left);
    if (found != no_index) return found;
  }
  return no_index;
}

// Searches exactly `depth` moves below a node whose state is path[0]; the other states of `path` are scratch space.
Index Mcts::find_below(Index index, const State& wanted, std::size_t depth, std::unique_ptr<State>* path,
                       int& comparisons_left) {
  if (depth == 0) return --comparisons_left >= 0 && path[0]->same_position(wanted) ? index : no_index;
  const Index edges = tree_->node(index).edges.load();
  if (edges == no_index) return no_index;
  const Edges& of = tree_->edges(edges);
  std::vector<Index> children;
  for (std::uint32_t i = 0; i < of.total; ++i) {
    const Index child = tree_->child_at(of, i);
    if (child != no_index && tree_->node(child).visits.load() > 0) children.push_back(child);
  }
  std::stable_sort(children.begin(), children.end(),
                   [this](Index a, Index b) { return tree_->node(a).visits.load() > tree_->node(b).visits.load(); });
  for (const Index child : children) {
    if (comparisons_left <= 0) break;
    path[1]->assign(*path[0]);
    path[1]->play(tree_->node(child).move);
    const Index found = find_below(child, wanted, depth - 1, path + 1, comparisons_left);
    if (found != no_index) return found;
  }
  return no_index;
}

void Mcts::prepare_root(const State& root, bool reuse) {
  hidden_ = root.has_hidden_information();
  solver_ = options_.solver && !hidden_;
  if (root.player() == chance_player) throw std::invalid_argument("cannot search at a chance node");
  if (hidden_ && options_.threads > 1) {
    throw std::invalid_argument("a game with hidden information needs threads=1");
  }
  if (options_.threats_at_root_only && hooks_.threat_response != nullptr && !hidden_) {
    // A kept node was not ordered as a root.
    ThreatReplies threat;
    hooks_.threat_response->respond(root, threat);
    reuse = reuse && threat.moves.empty();
  }
  Index kept = no_index;
  if (reuse && !hidden_ && tree_ != nullptr && root_state_->players() == root.players()) kept = find_descendant(root);
  if (kept == no_index) {
    forget();
    outcomes_ = std::make_unique<Outcomes>(root.players());
  }
  root_state_ = root.clone();
  grow_global_amaf();
  for (int i = static_cast<int>(workers_.size()); i < std::max(options_.threads, options_.leaves); ++i) {
    workers_.push_back(std::make_unique<Worker>(root, options_.seed, static_cast<std::uint64_t>(i)));
  }
  for (std::size_t i = 0; hooks_.prover != nullptr && solver_ && i < workers_.size(); ++i) {
    if (i == provers_.size()) provers_.push_back(hooks_.prover->open());
    workers_[i]->prover = provers_[i].get();
  }
  for (auto& worker : workers_) {
    worker->claimed = 0;
    worker->pending.fill({});
    worker->completed.store(0);
    worker->state->assign(*root_state_);
    worker->scratch->assign(*root_state_);
  }
  if (kept == no_index || kept != root_) rebuild_tree(kept);
  if (!hidden_) root_state_->become_root(hooks_.ask());
  caches_positions_ = root_state_->cache_bytes() > 0;
  root_win_.reset();

  Worker& first = *workers_.front();
  Node& node = tree_->node(root_);
  node.player.store(static_cast<std::int8_t>(root.player()));
  node.outcome.store(unproven);
  if (node.edges.load() == no_index) {
    if (options_.leaves > 0) return;  // resume() expands it
    if (hidden_) {
      determinize(first);
    } else {
      first.state->assign(*root_state_);
    }
    if (expand(first, node, true, hooks_.move_ordering.get()) == no_index) {
      throw std::length_error("the search's memory is too small for one position");
    }
  }
  probe_root_moves(first);
}

// Makes a new tree from the subtree of `kept`, or with a root alone. The time spent counts against the budget.
void Mcts::rebuild_tree(Index kept) {
  const bool wide = root_state_->move_limit() > widest_narrow_move;
  TableShape shape = rule_.shape();
  shape.available = hidden_;
  auto fresh = std::make_unique<Tree>(options_.memory, shape, wide);
  for (auto& worker : workers_) worker->allocator.reset();
  Tree::Allocator& allocator = workers_.front()->allocator;
  const auto enough = [this] { return out_of_time() || cancelled_.load(relaxed); };
  root_ =
      kept == no_index ? fresh->new_node(allocator, no_move, 1.0F) : fresh->copy_from(*tree_, kept, allocator, enough);
  tree_ = std::move(fresh);
}

// Includes the game's caches. Only Python games have such caches, and they are searched by one thread.
void Mcts::check_memory() {
  if (!caches_positions_ || (!tree_->full() && tree_->bytes() + root_state_->cache_bytes() <= options_.memory)) return;
  tree_->close();
  root_state_->stop_caching();
}

void Mcts::stop(Stop reason) {
  Stop none = Stop::none;
  stop_.compare_exchange_strong(none, reason);
}

bool Mcts::out_of_time() const {
  return budget_.seconds > 0 && std::chrono::duration<double>(Clock::now() - began_).count() >= budget_.seconds;
}

bool Mcts::stopped() const { return cancelled_.load(relaxed) || stop_.load(relaxed) != Stop::none || out_of_time(); }

// Whether the worker may run another simulation. Simulations are claimed in blocks, to reduce contention.
bool Mcts::within_budget(Worker& worker) {
  if (stop_.load(relaxed) != Stop::none) return false;
  if (cancelled_.load(relaxed)) {
    stop(Stop::cancelled);
  } else if (solver_ && tree_->node(root_).outcome.load(acquire) != unproven) {
    stop(Stop::proven);
  } else if (options_.stop_when_full && tree_->full()) {
    stop(Stop::memory);
  } else if (budget_.iterations == 0 || worker.claimed > 0) {
    if (worker.claimed > 0) --worker.claimed;
    return true;
  } else {
    const std::uint64_t first = claimed_.fetch_add(claim_size, relaxed);
    if (first >= budget_.iterations) return false;
    worker.claimed = std::min(claim_size, budget_.iterations - first) - 1;
    return true;
  }
  return false;
}

void Mcts::run(Worker& worker, SearchMonitor& monitor, bool calling_thread) {
  const int between = monitor.slow() ? 1 : simulations_between_clock_reads;
  auto last_poll = Clock::now();
  bool in_batch = false;
  try {
    monitor.begin_batch();
    in_batch = true;
    for (int count = 0; within_budget(worker);) {
      if (simulate(worker)) add(worker.completed, 1, false);
      if (++count < between) continue;
      count = 0;
      const auto now = Clock::now();
      if (out_of_time()) stop(Stop::seconds);
      if (root_visits(worker) > max_visits) stop(Stop::iterations);
      if (now - last_poll < poll_interval) continue;
      monitor.end_batch();
      in_batch = false;
      if (calling_thread && !monitor.poll()) stop(Stop::cancelled);
      monitor.begin_batch();
      in_batch = true;
      last_poll = now;
    }
    for (Worker::Pending& pending : worker.pending) flush(pending);
  } catch (...) {
    const std::lock_guard<std::mutex> lock(error_mutex_);
    if (error_ == nullptr) error_ = std::current_exception();
    stop(Stop::cancelled);
  }
  if (in_batch) monitor.end_batch();
}

ReportBuilder Mcts::report_builder() const {
  return {*tree_,
          *outcomes_,
          global_amaf_,
          hooks_.tablebase.get(),
          {*root_state_, tree_->node(root_), root_threat_, root_win_, hidden_}};
}

Move Mcts::choice() const { return root_win_ ? root_win_->line.front() : report_builder().best_move(); }

Report Mcts::report() const {
  Report report;
  for (const auto& worker : workers_) {
    report.iterations += worker->completed.load();
    report.nodes += worker->allocator.nodes.load();
  }
  report.bytes = tree_->bytes() + root_state_->cache_bytes();
  report.seconds = seconds();
  report.stop = stop_.load();
  report.memory_full = tree_->full();
  report_builder().fill(report);
  return report;
}

Report Mcts::search(const State& root, const Budget& budget, SearchMonitor& monitor, bool reuse) {
  budget_ = budget;
  began_ = Clock::now();
  monitor_ = &monitor;
  slow_ = monitor.slow();
  claimed_.store(0);
  stop_.store(Stop::none);
  cancelled_.store(false);
  error_ = nullptr;

  monitor.begin_batch();
  try {
    if (root.over()) throw std::invalid_argument("the game is over: there is no move to search for");
    prepare_root(root, reuse);
    prove_root_win(monitor, budget_.seconds);
    if (slow_ && tree_->node(root_).outcome.load() == unproven && out_of_time()) stop(Stop::seconds);
  } catch (...) {
    forget();
    monitor.end_batch();
    throw;
  }
  monitor.end_batch();

  {
    std::vector<std::thread> threads;
    // Also joins if a thread could not be started.
    const struct Join {
      std::vector<std::thread>& all;
      ~Join() {
        for (std::thread& thread : all) thread.join();
      }
    } join{threads};
    try {
      for (std::size_t i = 1; i < workers_.size(); ++i) {
        threads.emplace_back([this, &monitor, i] { run(*workers_[i], monitor, false); });
      }
      run(*workers_.front(), monitor, true);
    } catch (...) {
      stop(Stop::cancelled);
      throw;
    }
  }
  stop(Stop::iterations);  // unless already stopped

  if (error_ != nullptr) {
    // The failed simulation may have left the tree inconsistent.
    monitor.begin_batch();
    forget();
    monitor.end_batch();
    std::rethrow_exception(std::exchange(error_, nullptr));
  }
  return report();
}

}  // namespace tesuji
