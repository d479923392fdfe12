// The root: preparing it, and its moves' immediate results.
#include <algorithm>
#include <stdexcept>

#include "search/tree_search.hpp"

namespace tesuji {

namespace {

constexpr Move widest_narrow_move = 0xFFFF;
constexpr std::uint32_t probes_between_clock_reads = 16;  // for native games
// When looking for a position in the last tree: with hundreds of moves per position a new search is cheaper than more
// comparisons.
constexpr int max_comparisons = 5000;

class Finder {
 public:
  Finder(const Tree& tree, const State& wanted) : tree_(tree), wanted_(wanted) {}

  // Searches exactly `depth` moves below a node whose state is path[0], most visited children first; the other states
  // of `path` are scratch space.
  Index find(Index index, std::size_t depth, std::unique_ptr<State>* path) {
    if (depth == 0) return --comparisons_left_ >= 0 && path[0]->same_position(wanted_) ? index : no_index;
    const Index edges = tree_.node(index).edges.load();
    if (edges == no_index) return no_index;
    const Edges& of = tree_.edges(edges);
    std::vector<Index> children;
    for (std::uint32_t i = 0; i < of.total; ++i) {
      const Index child = tree_.child_at(of, i);
      if (child != no_index && tree_.node(child).visits.load() > 0) children.push_back(child);
    }
    std::stable_sort(children.begin(), children.end(),
                     [this](Index a, Index b) { return tree_.node(a).visits.load() > tree_.node(b).visits.load(); });
    for (const Index child : children) {
      if (comparisons_left_ <= 0) break;
      path[1]->assign(*path[0]);
      path[1]->play(tree_.node(child).move);
      const Index found = find(child, depth - 1, path + 1);
      if (found != no_index) return found;
    }
    return no_index;
  }

 private:
  const Tree& tree_;
  const State& wanted_;
  int comparisons_left_ = max_comparisons;
};

}  // namespace

TreeSearch::TreeSearch(const PlayoutOptions& options, Hooks hooks)
    : options_(options),
      formula_(options),
      hooks_(std::move(hooks)),
      threads_(options.threads),
      batch_size_(0),
      evaluations_at_once_(1),
      expand_after_(options.expand_after),
      threats_(options.threats_at_root_only ? Threats::at_root : Threats::at_every_node) {
  proof_search_at_.fill(never);
}

// A leaf is expanded when its evaluation arrives.
TreeSearch::TreeSearch(const NetworkOptions& options, Hooks hooks)
    : options_(options),
      formula_(options),
      hooks_(std::move(hooks)),
      threads_(1),
      batch_size_(std::max(1, options.batch_size)),
      evaluations_at_once_(options.evaluations_at_once),
      expand_after_(std::numeric_limits<std::uint32_t>::max()),
      threats_(Threats::not_asked) {
  proof_search_at_.fill(never);
}

void TreeSearch::reset() {
  forget();
  provers_.clear();
}

void TreeSearch::forget() {
  tree_.reset();
  root_ = no_index;
  workers_.clear();
  root_state_.reset();
  counted_cache_ = nullptr;
}

void TreeSearch::prepare_root(const State& state, bool reuse) {
  hidden_ = state.hidden_information() != nullptr;
  solver_ = options_.solver && !hidden_;
  if (state.player() == chance_player) throw std::invalid_argument("cannot search at a chance node");
  if (hidden_ && threads_ > 1) {
    throw std::invalid_argument("a game with hidden information needs threads=1");
  }
  if (threats_ == Threats::at_root && hooks_.threat_response != nullptr && !hidden_) {
    // A kept node was not ordered as a root.
    ThreatReplies threat;
    hooks_.threat_response->respond(state, threat);
    reuse = reuse && threat.moves.empty();
  }
  Index kept = no_index;
  if (reuse && !hidden_ && tree_ != nullptr && root_state_->players() == state.players()) {
    kept = find_descendant(state);
  }
  if (kept == no_index) {
    forget();
    outcomes_ = std::make_unique<Outcomes>(state.players());
  }
  root_state_ = state.clone();
  make_workers();
  if (kept == no_index || kept != root_) rebuild_tree(kept);
  PositionCache* const cache = root_state_->position_cache();
  if (cache != nullptr && !hidden_) {
    cache->become_root(hooks_.ask());
    // What the value needs is computed here and inherited by copies.
    if (hooks_.value != nullptr) hooks_.value->value(*root_state_, state.player());
  }
  counted_cache_ = cache != nullptr && cache->cache_bytes() > 0 ? cache : nullptr;
  win_.reset();
  verified_.clear();

  Worker& first = *workers_.front();
  Node& node = root_node();
  node.player.store(static_cast<std::int8_t>(state.player()));
  node.outcome.store(unproven);
  if (node.edges.load() == no_index) {
    if (batch_size_ > 0) return;  // expanded when its evaluation arrives
    if (hidden_) {
      determinize(first);
    } else {
      first.state->assign(*root_state_);
    }
    if (expand(first, node, true, hooks_.move_ordering.get()) == no_index) {
      throw std::length_error("the search's memory is too small for one position");
    }
  }
  probe_moves(first);
}

void TreeSearch::make_workers() {
  for (int i = static_cast<int>(workers_.size()); i < std::max(threads_, batch_size_); ++i) {
    workers_.push_back(std::make_unique<Worker>(*root_state_, options_.seed, static_cast<std::uint64_t>(i)));
  }
  for (std::size_t i = 0; hooks_.prover != nullptr && solver_ && i < workers_.size(); ++i) {
    const std::size_t thread = batch_size_ > 0 ? 0 : i;  // waiting simulations belong to one thread
    if (thread == provers_.size()) {
      provers_.push_back(hooks_.prover->open(evaluations_at_once_ >= many_evaluations));
    }
    workers_[i]->prover = provers_[thread].get();
  }
  for (auto& worker : workers_) {
    worker->claimed = 0;
    worker->pending_visits = {};
    for (PendingSamples& pending : worker->pending_samples) pending.samples = 0;
    worker->completed.store(0);
    worker->state->assign(*root_state_);
    worker->scratch->assign(*root_state_);
  }
}

// Makes a new tree from the subtree of `kept`, or with a root alone. The time spent counts against the budget.
void TreeSearch::rebuild_tree(Index kept) {
  const bool wide = root_state_->move_limit() > widest_narrow_move;
  ChildTableShape shape = formula_.shape();
  shape.available = hidden_;
  auto fresh = std::make_unique<Tree>(options_.memory, shape, wide);
  for (auto& worker : workers_) worker->allocator.reset();
  Tree::Allocator& allocator = workers_.front()->allocator;
  const auto enough = [this] { return limits_.out_of_time() || limits_.cancelled(); };
  root_ =
      kept == no_index ? fresh->new_node(allocator, no_move, 1.0F) : fresh->copy_from(*tree_, kept, allocator, enough);
  tree_ = std::move(fresh);
}

void TreeSearch::check_memory() {
  if (counted_cache_ == nullptr) return;
  if (!tree_->full() && tree_->bytes() + counted_cache_->cache_bytes() <= options_.memory) return;
  tree_->close();
  counted_cache_->stop_caching();
}

Index TreeSearch::find_descendant(const State& wanted) const {
  const auto rounds = static_cast<std::size_t>(std::max(2, root_state_->players()));
  std::vector<std::unique_ptr<State>> path;
  while (path.size() <= rounds) path.push_back(root_state_->clone());
  Finder finder(*tree_, wanted);
  for (std::size_t depth = 0; depth <= rounds; ++depth) {
    const Index found = finder.find(root_, depth, path.data());
    if (found != no_index) return found;
  }
  return no_index;
}

// Whether there is time to probe another move. At least a few milliseconds are used: enough for all moves of a native
// game.
bool TreeSearch::may_probe(std::uint32_t probes) {
  SearchLimits& limits = limits_;
  if (limits.cancelled()) return false;
  if (!limits.slow() && probes % probes_between_clock_reads != 0) return true;
  const auto now = SearchLimits::Clock::now();
  if (now - last_poll_ < SearchLimits::poll_interval) return true;
  if (limits.out_of_time()) return false;
  last_poll_ = now;
  if (limits.monitor() != nullptr && !poll_within_batch(*limits.monitor())) limits.cancel();
  return !limits.cancelled();
}

void TreeSearch::probe_moves(Worker& worker) {
  Tree& tree = *tree_;
  const ThreatResponse* const threats = hooks_.threat_response.get();
  Node& node = root_node();
  threat_ = {};
  if (threats != nullptr && !hidden_) {
    worker.state->assign(*root_state_);
    threats->respond(*worker.state, threat_);
  }
  const Index edges_index = node.edges.load();
  Edges& edges = tree.edges(edges_index);
  const std::uint32_t limit = edges.limit.load(relaxed);
  std::uint32_t probes = 0;
  last_poll_ = SearchLimits::Clock::now();
  const auto look = [&](std::uint32_t position, bool again) {
    const Index index = tree.child_at(edges, position);
    if (index == no_index) return;
    Node& child = tree.node(index);
    const bool unknown = again || child.player.load() == player_unknown;
    if (unknown && (again || probe_root_moves_) && !hidden_ && child.outcome.load() == unproven &&
        may_probe(probes++)) {
      worker.state->assign(*root_state_);
      worker.state->play(child.move);
      Scores ignored;
      initialize(worker, child, ignored, again || position < limit);
    }
    check_memory();
    refresh(edges_index, position, index, node.player.load());
  };
  // All children first, so that a report during the probes is complete.
  kept_visits_ = 0;
  for (std::uint32_t i = 0; i < edges.total; ++i) {
    const Index index = tree.ensure_child(worker.allocator, edges, i);
    if (index != no_index) kept_visits_ += tree.node(index).visits.load();
  }
  begin_amaf();
  if (!probe_root_moves_ && worker.prover != nullptr && solver_) mark_losing_moves(worker);
  for (std::uint32_t i = 0; i < edges.total; ++i) look(i, false);
  if (!solver_ || prove(root_)) return;
  // All other moves lose: probe those that were set aside.
  if (worker.prover == nullptr || edges.limit.load(relaxed) == limit) return;
  for (std::uint32_t i = limit; i < edges.total; ++i) look(i, true);
  prove(root_);
}

}  // namespace tesuji
