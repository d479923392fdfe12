#include "search/network_search.hpp"

#include <stdexcept>

namespace tesuji {

void NetworkSearch::start(const State& root, bool reuse, const Budget& budget, SearchMonitor* monitor) {
  if (root.over()) throw std::invalid_argument("the game is over: there is no move to search for");
  if (root.hidden_information() != nullptr)
    throw std::invalid_argument("a search with a network cannot play games with hidden information");
  if (root.players() != 2) throw std::invalid_argument("a search with a network needs a game of two players");
  limits_.begin(budget, monitor);
  waiting_ = 0;
  collision_count_ = 0;
  prepare_root(root, reuse);
}

NetworkSearch::LeafStatus NetworkSearch::simulate(int row, std::uint32_t position, bool keep_collision) {
  Worker& worker = *workers_[row];
  worker.root_position = position;
  Scores result;
  const DescentEnd end = descend(worker, result);
  if (end == DescentEnd::blocked) return LeafStatus::blocked;
  if (end == DescentEnd::exact) {
    back_up(worker, result);
    add(workers_.front()->completed, 1, false);
    return LeafStatus::counted;
  }
  Node& node = tree_->node(worker.path.back().node);
  if (node.busy.exchange(1, relaxed) != 0) {
    if (keep_collision) {
      if (collision_count_ == collisions_.size()) collisions_.emplace_back();
      collisions_[collision_count_++].swap(worker.path);
    } else {
      undo(worker, worker.path);
    }
    return LeafStatus::blocked;
  }
  ++waiting_;
  return LeafStatus::waiting;
}

void NetworkSearch::undo_collisions() {
  Worker& worker = *workers_.front();
  for (; collision_count_ > 0; --collision_count_) {
    undo(worker, collisions_[collision_count_ - 1]);
  }
}

void NetworkSearch::resume(int row, const MoveOrdering& priors, double value) {
  Worker& worker = *workers_[row];
  const Index at = worker.path.back().node;
  Node& node = tree_->node(at);
  node.estimate = static_cast<float>(value);
  node.busy.store(0, relaxed);
  --waiting_;
  const Index edges = expand(worker, node, at == root_, &priors);
  if (at == root_) {
    if (edges == no_index) throw std::length_error("the search's memory is too small for one position");
    probe_moves(worker);
    return;
  }
  back_up(worker, scores_of_two(node.player.load(relaxed), value));
  check_memory();
  add(workers_.front()->completed, 1, false);
}

std::optional<double> NetworkSearch::root_proven() const {
  const Node& node = root_node();
  const int mover = node.player.load(relaxed);
  const Outcome known = node.outcome.load(acquire);
  if (!outcomes_->known(known, mover)) return std::nullopt;
  return outcomes_->score(known, mover);
}

void NetworkSearch::probe_root_win() {
  if (provers_.empty()) return;
  const std::optional<ExactResult> known = provers_.front()->probe(*root_state_);
  if (!known || known->score < 1.0) return;
  SearchMonitor monitor;
  prove_root_win(monitor, {});
}

void NetworkSearch::prove_root_shortly(std::uint64_t effort) {
  if (provers_.empty() || root_node().outcome.load() != unproven) return;
  const std::optional<Prover::Win> win =
      provers_.front()->prove(*root_state_, Prover::Purpose::selfplay, {0, effort}, {});
  if (win) mark_root_move(win->line.front(), 1.0);
}

bool NetworkSearch::refute_shortly(Move move, std::uint64_t effort) {
  if (provers_.empty() || root_node().outcome.load() != unproven) return false;
  const std::unique_ptr<State> after = root_state_->clone();
  after->play(move);
  if (after->over() || !provers_.front()->prove(*after, Prover::Purpose::selfplay, {0, effort}, {})) return false;
  mark_root_move(move, 0.0);
  return true;
}

void NetworkSearch::verify_choice(SearchMonitor& monitor, const Budget& budget, double share) {
  const double playouts = share * static_cast<double>(budget.iterations) * playouts_per_evaluation;
  verify(choice(), monitor, {share * budget.seconds, static_cast<std::uint64_t>(playouts)});
}

NetworkSearch::RootMove NetworkSearch::root_move(std::uint32_t position) const {
  const Node& root = root_node();
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

void NetworkSearch::root_moves(std::vector<RootMove>& moves) const {
  moves.clear();
  if (!root_evaluated()) return;
  const std::uint32_t total = tree_->edges(root_node().edges.load(acquire)).total;
  for (std::uint32_t position = 0; position < total; ++position) moves.push_back(root_move(position));
}

void NetworkSearch::set_root_priors(const std::vector<float>& priors) {
  const Node& root = root_node();
  const Index edges_index = root.edges.load(acquire);
  Edges& edges = tree_->edges(edges_index);
  tree_->set_priors(workers_.front()->allocator, edges, priors);
  for (std::uint32_t i = 0; i < edges.total; ++i) {
    const Index child = tree_->child_at(edges, i);
    if (child != no_index) refresh(edges_index, i, child, root.player.load(relaxed));
  }
}

}  // namespace tesuji
