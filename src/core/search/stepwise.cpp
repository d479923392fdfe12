// A search whose leaves are evaluated outside, many at once: a simulation stops at its leaf, and goes on later.
//
// Each slot is a worker that keeps its way down while it waits. The others see its visits without its score, so they
// look elsewhere meanwhile (virtual loss). Where two meet at one leaf, the second turns back and has not happened.
//
// The root is evaluated first of all, which is no simulation. Every other leaf gets its children along with its
// evaluation, in the order of the priors.
#include <stdexcept>

#include "search/atomics.hpp"
#include "search/mcts.hpp"

namespace tesuji {

void Mcts::start(const State& root, bool reuse, const Budget& budget, Host* host) {
  if (root.over()) throw std::invalid_argument("the game is over: there is no move to search for");
  if (root.hides()) throw std::invalid_argument("a search with a network cannot play games with hidden information");
  if (root.players() != 2) throw std::invalid_argument("a search with a network plays games of two players");
  budget_ = budget;
  began_ = Clock::now();
  host_ = host;
  slow_ = host != nullptr && host->slow();
  stop_.store(Stop::none);
  cancelled_.store(false);
  waiting_ = 0;
  prepare_root(root, reuse);
}

Mcts::Descent Mcts::descend(int slot, std::uint32_t position) {
  Worker& worker = *workers_[slot];
  worker.root_position = position;
  Scores result{};
  const Way way = descend(worker, result);
  if (way == Way::blocked) return Descent::blocked;
  if (way == Way::certain) {
    back_up(worker, result);
    add(workers_.front()->completed, 1, false);
    return Descent::counted;
  }
  Node& node = tree_->node(worker.path.back().node);
  if (node.busy.exchange(1, relaxed) != 0) {
    abandon(worker);
    return Descent::blocked;
  }
  ++waiting_;
  return Descent::waits;
}

void Mcts::resume(int slot, const MoveOrdering& priors, double value) {
  Worker& worker = *workers_[slot];
  const Index at = worker.path.back().node;
  Node& node = tree_->node(at);
  node.estimate = static_cast<float>(value);
  node.busy.store(0, relaxed);
  --waiting_;
  const Index family = expand(worker, node, at == root_, &priors);
  if (at == root_) {
    if (family == no_index) throw std::length_error("the search's memory is too small for one position");
    look_at_root_moves(worker);
    return;
  }
  Scores result{};
  const int mover = node.player.load(relaxed);
  result[mover] = value;
  result[1 - mover] = 1.0 - value;
  back_up(worker, result);
  watch_memory();
  add(workers_.front()->completed, 1, false);
}

std::optional<double> Mcts::root_proven() const {
  const Node& node = tree_->node(root_);
  const int mover = node.player.load(relaxed);
  const Outcome known = node.outcome.load(acquire);
  if (!outcomes_->known(known, mover)) return std::nullopt;
  return outcomes_->score(known, mover);
}

void Mcts::prove_root_win_in_sight() {
  if (provers_.empty()) return;
  const std::optional<Known> known = provers_.front()->probe(*root_state_);
  if (!known || known->score < 1.0) return;
  Host host;
  prove_root_win(host, 0);
}

Mcts::RootMove Mcts::root_move(std::uint32_t position) const {
  const Node& root = tree_->node(root_);
  const Family& family = tree_->family(root.family.load(acquire));
  const int mover = root.player.load(relaxed);
  RootMove move{tree_->move_at(family, position), tree_->prior_at(family, position),
                position >= family.limit.load(relaxed)};
  const Index child = tree_->child_at(family, position);
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
  if (!root_known()) return;
  const std::uint32_t total = tree_->family(tree_->node(root_).family.load(acquire)).total;
  for (std::uint32_t position = 0; position < total; ++position) moves.push_back(root_move(position));
}

void Mcts::set_root_priors(const std::vector<float>& priors) {
  const Node& root = tree_->node(root_);
  const Index family_index = root.family.load(acquire);
  Family& family = tree_->family(family_index);
  tree_->set_priors(workers_.front()->allocator, family, priors);
  for (std::uint32_t i = 0; i < family.total; ++i) {
    const Index child = tree_->child_at(family, i);
    if (child != no_index) refresh(family_index, i, child, root.player.load(relaxed));
  }
}

}  // namespace tesuji
