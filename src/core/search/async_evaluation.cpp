// Asynchronous evaluation: the caller evaluates leaves in batches, for example by a network.
//
// Each slot is a worker that keeps its path while its leaf is pending. The others see its visits without its score
// (virtual loss). A simulation that reaches a pending leaf is undone.
//
// The root is evaluated first, which does not count as a simulation. Every leaf is expanded when its evaluation
// arrives, in the order of the priors.
#include <stdexcept>

#include "search/atomics.hpp"
#include "search/mcts.hpp"

namespace tesuji {

void Mcts::start(const State& root, bool reuse, const Budget& budget, SearchMonitor* monitor) {
  if (root.over()) throw std::invalid_argument("the game is over: there is no move to search for");
  if (root.has_hidden_information())
    throw std::invalid_argument("a search with a network cannot play games with hidden information");
  if (root.players() != 2) throw std::invalid_argument("a search with a network needs a game of two players");
  budget_ = budget;
  began_ = Clock::now();
  monitor_ = monitor;
  slow_ = monitor != nullptr && monitor->slow();
  stop_.store(Stop::none);
  cancelled_.store(false);
  waiting_ = 0;
  prepare_root(root, reuse);
}

Mcts::LeafStatus Mcts::descend(int slot, std::uint32_t position) {
  Worker& worker = *workers_[slot];
  worker.root_position = position;
  Scores result{};
  const DescentEnd end = descend(worker, result);
  if (end == DescentEnd::blocked) return LeafStatus::blocked;
  if (end == DescentEnd::exact) {
    back_up(worker, result);
    add(workers_.front()->completed, 1, false);
    return LeafStatus::counted;
  }
  Node& node = tree_->node(worker.path.back().node);
  if (node.busy.exchange(1, relaxed) != 0) {
    abandon(worker);
    return LeafStatus::blocked;
  }
  ++waiting_;
  return LeafStatus::pending;
}

void Mcts::resume(int slot, const MoveOrdering& priors, double value) {
  Worker& worker = *workers_[slot];
  const Index at = worker.path.back().node;
  Node& node = tree_->node(at);
  node.estimate = static_cast<float>(value);
  node.busy.store(0, relaxed);
  --waiting_;
  const Index edges = expand(worker, node, at == root_, &priors);
  if (at == root_) {
    if (edges == no_index) throw std::length_error("the search's memory is too small for one position");
    probe_root_moves(worker);
    return;
  }
  Scores result{};
  const int mover = node.player.load(relaxed);
  result[mover] = value;
  result[1 - mover] = 1.0 - value;
  back_up(worker, result);
  check_memory();
  add(workers_.front()->completed, 1, false);
}

std::optional<double> Mcts::root_proven() const {
  const Node& node = tree_->node(root_);
  const int mover = node.player.load(relaxed);
  const Outcome known = node.outcome.load(acquire);
  if (!outcomes_->known(known, mover)) return std::nullopt;
  return outcomes_->score(known, mover);
}

void Mcts::probe_root_win() {
  if (provers_.empty()) return;
  const std::optional<ExactResult> known = provers_.front()->probe(*root_state_);
  if (!known || known->score < 1.0) return;
  SearchMonitor monitor;
  prove_root_win(monitor, 0);
}

Mcts::RootMove Mcts::root_move(std::uint32_t position) const {
  const Node& root = tree_->node(root_);
  const Edges& edges = tree_->edges(root.edges.load(acquire));
  const int mover = root.player.load(relaxed);
  RootMove move{tree_->move_at(edges, position), tree_->prior_at(edges, position),
                position >= edges.limit.load(relaxed)};
  const Index child = tree_->child_at(edges, position);
  if (child == no_index) return move;
  const Node& node = tree_->node(child);
  const Outcome known = node.outcome.load(acquire);
  move.visits = node.visits.load(relaxed);
  if (move.visits > 0) move.value = node.mean(move.visits);
  if (outcomes_->known(known, mover)) move.value = *(move.proven = outcomes_->score(known, mover));
  return move;
}

void Mcts::root_moves(std::vector<RootMove>& moves) const {
  moves.clear();
  if (!root_evaluated()) return;
  const std::uint32_t total = tree_->edges(tree_->node(root_).edges.load(acquire)).total;
  for (std::uint32_t position = 0; position < total; ++position) moves.push_back(root_move(position));
}

void Mcts::set_root_priors(const std::vector<float>& priors) {
  const Node& root = tree_->node(root_);
  const Index edges_index = root.edges.load(acquire);
  Edges& edges = tree_->edges(edges_index);
  tree_->set_priors(workers_.front()->allocator, edges, priors);
  for (std::uint32_t i = 0; i < edges.total; ++i) {
    const Index child = tree_->child_at(edges, i);
    if (child != no_index) refresh(edges_index, i, child, root.player.load(relaxed));
  }
}

}  // namespace tesuji
