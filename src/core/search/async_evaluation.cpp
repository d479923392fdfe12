#include "search/async_evaluation.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "base/atomics.hpp"

namespace tesuji {

namespace {

// A leaf is expanded when its evaluation arrives, whatever the other options say.
SearchOptions consistent(SearchOptions options) {
  options.leaves = std::max(1, options.leaves);
  options.threads = 1;
  options.rave = Rave::off;
  options.expand_after = std::numeric_limits<std::uint32_t>::max();
  if (options.first_play_reduction >= 0) options.first_play = 0;
  return options;
}

}  // namespace

AsyncMcts::AsyncMcts(const SearchOptions& options, Hooks hooks) : search_(consistent(options), std::move(hooks)) {}

void AsyncMcts::start(const State& root, bool reuse, const Budget& budget, SearchMonitor* monitor) {
  if (root.over()) throw std::invalid_argument("the game is over: there is no move to search for");
  if (root.hidden_information() != nullptr)
    throw std::invalid_argument("a search with a network cannot play games with hidden information");
  if (root.players() != 2) throw std::invalid_argument("a search with a network needs a game of two players");
  context().limits.begin(budget, monitor);
  context().pending_leaves = 0;
  collision_count_ = 0;
  search_.prepare_root(root, reuse);
}

AsyncMcts::LeafStatus AsyncMcts::descend(int slot, std::uint32_t position, bool keep_collision) {
  Worker& worker = *context().workers[slot];
  worker.root_position = position;
  Scores result{};
  const DescentEnd end = search_.descent.descend(worker, result);
  if (end == DescentEnd::blocked) return LeafStatus::blocked;
  if (end == DescentEnd::exact) {
    search_.back_up(worker, result);
    add(context().workers.front()->completed, 1, false);
    return LeafStatus::counted;
  }
  Node& node = context().tree->node(worker.path.back().node);
  if (node.busy.exchange(1, relaxed) != 0) {
    if (keep_collision) {
      if (collision_count_ == collisions_.size()) collisions_.emplace_back();
      collisions_[collision_count_++].swap(worker.path);
    } else {
      search_.statistics.undo(worker);
    }
    return LeafStatus::blocked;
  }
  ++context().pending_leaves;
  return LeafStatus::pending;
}

void AsyncMcts::undo_collisions() {
  Worker& worker = *context().workers.front();
  for (; collision_count_ > 0; --collision_count_) {
    std::vector<Worker::Step>& path = collisions_[collision_count_ - 1];
    worker.path.swap(path);
    search_.statistics.undo(worker);
    worker.path.swap(path);
  }
}

void AsyncMcts::resume(int slot, const MoveOrdering& priors, double value) {
  Worker& worker = *context().workers[slot];
  const Index at = worker.path.back().node;
  Node& node = context().tree->node(at);
  node.estimate = static_cast<float>(value);
  node.busy.store(0, relaxed);
  --context().pending_leaves;
  const Index edges = search_.expansion.expand(worker, node, at == context().root, &priors);
  if (at == context().root) {
    if (edges == no_index) throw std::length_error("the search's memory is too small for one position");
    search_.root.probe_moves(worker);
    return;
  }
  Scores result{};
  const int mover = node.player.load(relaxed);
  result[mover] = value;
  result[1 - mover] = 1.0 - value;
  search_.back_up(worker, result);
  context().check_memory();
  add(context().workers.front()->completed, 1, false);
}

std::optional<double> AsyncMcts::root_proven() const {
  const Node& node = context().root_node();
  const int mover = node.player.load(relaxed);
  const Outcome known = node.outcome.load(acquire);
  if (!context().outcomes->known(known, mover)) return std::nullopt;
  return context().outcomes->score(known, mover);
}

void AsyncMcts::probe_root_win() {
  if (context().provers.empty()) return;
  const std::optional<ExactResult> known = context().provers.front()->probe(*context().root_state);
  if (!known || known->score < 1.0) return;
  SearchMonitor monitor;
  prove_root_win(monitor, {});
}

void AsyncMcts::verify_choice(SearchMonitor& monitor, const Budget& budget, double share) {
  const double playouts = share * static_cast<double>(budget.iterations) * playouts_per_evaluation;
  search_.root.verify(choice(), monitor, {share * budget.seconds, static_cast<std::uint64_t>(playouts)});
}

AsyncMcts::RootMove AsyncMcts::root_move(std::uint32_t position) const {
  const Node& root = context().root_node();
  const Edges& edges = context().tree->edges(root.edges.load(acquire));
  const int mover = root.player.load(relaxed);
  RootMove move{context().tree->move_at(edges, position), context().tree->prior_at(edges, position),
                position >= edges.limit.load(relaxed)};
  const Index child = context().tree->child_at(edges, position);
  if (child == no_index) return move;
  const Node& node = context().tree->node(child);
  const Outcome known = node.outcome.load(acquire);
  move.visits = node.visits.load(relaxed);
  if (move.visits > 0) move.value = node.mean(move.visits);
  if (context().outcomes->known(known, mover)) move.value = *(move.proven = context().outcomes->score(known, mover));
  return move;
}

void AsyncMcts::root_moves(std::vector<RootMove>& moves) const {
  moves.clear();
  if (!root_evaluated()) return;
  const std::uint32_t total = context().tree->edges(context().root_node().edges.load(acquire)).total;
  for (std::uint32_t position = 0; position < total; ++position) moves.push_back(root_move(position));
}

void AsyncMcts::set_root_priors(const std::vector<float>& priors) {
  const Node& root = context().root_node();
  const Index edges_index = root.edges.load(acquire);
  Edges& edges = context().tree->edges(edges_index);
  context().tree->set_priors(context().workers.front()->allocator, edges, priors);
  for (std::uint32_t i = 0; i < edges.total; ++i) {
    const Index child = context().tree->child_at(edges, i);
    if (child != no_index) search_.statistics.refresh(edges_index, i, child, root.player.load(relaxed));
  }
}

}  // namespace tesuji
