// One simulation: descent, evaluation, backup.
#include <algorithm>
#include <stdexcept>
#include <thread>

#include "search/atomics.hpp"
#include "search/mcts.hpp"

namespace tesuji {

namespace {

// To reduce cache-line contention between threads, a worker writes the visits of busy nodes in batches of eight. Two
// threads against one on Hex 11×11: plain UCT is 1.8 times as fast, the default bot 1.6 times; without batches 1.0 to
// 1.8 and 0.4 to 1.3 times, depending on the cores.
constexpr std::uint32_t batch_visits_from = 256;
constexpr std::uint32_t visit_batch = 8;

}  // namespace

// The root's visits, estimated from this worker's share: exact with one thread, and no shared counter with many.
std::uint64_t Mcts::root_visits(const Worker& worker) const {
  if (options_.leaves > 0) return kept_visits_ + workers_.front()->completed.load(relaxed) + waiting_;
  return kept_visits_ + worker.completed.load(relaxed) * static_cast<std::uint64_t>(options_.threads);
}

bool Mcts::simulate(Worker& worker) {
  Scores result;
  const DescentEnd end = hidden_ ? descend_information_set(worker, result) : descend(worker, result);
  if (end == DescentEnd::blocked) {
    ++worker.claimed;  // keep the claimed simulation
    std::this_thread::yield();
    return false;
  }
  if (end == DescentEnd::leaf && !evaluate(worker, result)) {
    abandon(worker);
    return false;
  }
  back_up(worker, result);
  check_memory();
  return true;
}

// Never waits: if blocked, nothing has been counted, and the caller checks its limits and retries.
Mcts::DescentEnd Mcts::descend(Worker& worker, Scores& result) {
  const bool rave = options_.rave != Rave::off;
  worker.state->assign(*root_state_);
  worker.trace.clear();
  worker.path.assign(1, {root_, no_index, 0, unproven});
  auto visits = static_cast<std::uint32_t>(root_visits(worker) + 1);
  for (Index at = root_;;) {
    Node& node = tree_->node(at);
    Index edges = node.edges.load(acquire);
    if (edges == no_index && visits > options_.expand_after) {
      edges = expand(worker, node, false, hooks_.move_ordering.get());
    }
    Outcome proven_best = unproven;
    std::uint32_t position = at == root_ ? worker.root_position : Tree::no_position;
    if (edges != no_index && position == Tree::no_position) {
      position = select(worker, node, tree_->edges(edges), visits, proven_best);
    }
    const Index next =
        position == Tree::no_position ? no_index : tree_->ensure_child(worker.allocator, tree_->edges(edges), position);
    if (next == no_index) {
      // All of the root's children exist unless memory ran out: another thread is adding the next one.
      return at == root_ && edges != no_index && !tree_->full() ? DescentEnd::blocked : DescentEnd::leaf;
    }
    Node& child = tree_->node(next);
    worker.path.push_back({next, edges, position, proven_best});
    visits = count_visit(worker, worker.path.back(), node.player.load(relaxed));
    const Outcome known = child.outcome.load(acquire);
    if (rave) worker.trace.push_back({child.move, node.player.load(relaxed)});
    if (outcomes_->complete(known)) {
      // Another thread may have proven this child but checked the parent before a sibling's proof arrived.
      if (solver_) prove(at);
      result = outcomes_->scores(known);
      return DescentEnd::exact;
    }
    worker.state->play(child.move);
    if (child.player.load(relaxed) == player_unknown && initialize_node(worker, child, result, true)) {
      if (solver_ && child.outcome.load(acquire) != unproven) {
        for (std::size_t i = worker.path.size() - 1; i-- > 0 && prove(worker.path[i].node);) {
        }
      }
      return DescentEnd::exact;
    }
    at = next;
  }
}

// At the first visit: sets the side to move, or the exact result. Returns true if the result is exact.
bool Mcts::initialize_node(Worker& worker, Node& node, Scores& result, bool ask_prover) {
  if (worker.state->over()) {
    result = worker.state->scores();
    node.outcome.store(outcomes_->intern(result), release);
    return true;
  }
  const int player = worker.state->player();
  if (player == chance_player && options_.leaves > 0) {
    throw std::invalid_argument("a search with a network cannot play games with chance moves");
  }
  if (hooks_.tablebase != nullptr && player != chance_player) {
    const std::optional<ExactResult> known = hooks_.tablebase->probe(*worker.state);
    if (known) return set_exact_result(node, player, *known, result);
  }
  if (ask_prover && worker.prover != nullptr && player != chance_player) {
    if (const std::optional<ExactResult> known = worker.prover->probe(*worker.state))
      return set_exact_result(node, player, *known, result);
  }
  node.player.store(static_cast<std::int8_t>(player), relaxed);
  return false;
}

bool Mcts::set_exact_result(Node& node, int player, const ExactResult& known, Scores& result) {
  result[player] = known.score;
  result[1 - player] = 1.0 - known.score;
  node.outcome.store(outcomes_->intern(result), release);
  return true;
}

// The position of the child to descend into, or no_position if there is none and no memory for another.
//
// If the best child is proven, another visit would teach nothing. The best unproven child is explored then, while the
// nodes above receive the proven result (`proven_best`): their statistics do not change, and the node gets closer to a
// proof.
std::uint32_t Mcts::select(Worker& worker, const Node& node, Edges& edges, std::uint32_t visits, Outcome& proven_best) {
  const int mover = node.player.load(relaxed);
  if (mover == chance_player) return sample_chance_move(worker, edges);
  const std::uint32_t limit = edges.limit.load(relaxed);
  const std::uint32_t tried = std::min(edges.tried.load(acquire), limit);
  if (tried < limit && rule_.each_once_first()) {
    const std::uint32_t next = tree_->try_next(worker.allocator, edges);
    if (next != Tree::no_position) return next;
  }
  // With RAVE every move has an AMAF value; without it only the tried moves and the next untried one compete.
  const bool rave = options_.rave != Rave::off;
  const Table table = tree_->table(edges);
  const std::uint32_t count = rave && !rule_.each_once_first() ? limit : std::min(tried, table.capacity);
  SelectionRule::AtNode at = rule_.at_node(visits, edges);
  if (rule_.first_play_is_relative()) {
    at.first_play = rule_.relative_first_play(node.estimate, tree_->prior_sum(edges, tried));
  }
  if (count == 0) return rule_.each_once_first() ? Tree::no_position : tree_->try_next(worker.allocator, edges);
  const float* means = options_.rave == Rave::global ? global_means(worker, edges, mover, count) : nullptr;
  const SelectionRule::Best best = rule_.best(at, table, count, means, worker.scores);
  if (!rave && tried < limit && rule_.untried(at, tree_->prior_at(edges, tried)) > best.score) {
    const std::uint32_t next = tree_->try_next(worker.allocator, edges);
    if (next != Tree::no_position) return next;
  }
  if (!solver_) return best.position;
  const Index child = table.child[best.position].load(acquire);
  const Outcome known = child == no_index ? unproven : tree_->node(child).outcome.load(acquire);
  if (!outcomes_->complete(known)) return best.position;
  const std::uint32_t other =
      !rave && tried < limit ? tree_->try_next(worker.allocator, edges) : best_unproven(worker, edges, mover, count);
  if (other == Tree::no_position) return best.position;
  proven_best = known;
  return other;
}

std::uint32_t Mcts::sample_chance_move(Worker& worker, const Edges& edges) const {
  const Move move = worker.state->sample_chance(worker.random);
  std::uint32_t position = Tree::no_position;
  tree_->with_moves(edges, [&](const auto* moves) {
    position = static_cast<std::uint32_t>(std::find(moves, moves + edges.total, move) - moves);
  });
  if (position == edges.total) throw std::invalid_argument("a chance outcome is not among moves()");
  return position;
}

// Updates a child's entry in its parent's table.
void Mcts::refresh(Index edges, std::uint32_t position, Index child, int mover) {
  if (mover == chance_player) return;
  const Table table = tree_->table(tree_->edges(edges));
  if (position >= table.capacity) return;
  const Node& node = tree_->node(child);
  const Outcome known = node.outcome.load(acquire);
  const std::uint32_t visits = node.visits.load(relaxed);
  if (solver_ && outcomes_->known(known, mover)) {
    rule_.set_proven(table, position, outcomes_->score(known, mover));
  } else if (visits > 0) {
    rule_.update(table, position, node);
  } else {
    rule_.make_untried(table, position, node);
  }
}

// Counts a visit during the descent (virtual loss); returns the node's visits.
std::uint32_t Mcts::count_visit(Worker& worker, const Worker::Step& step, int chooser) {
  Node& node = tree_->node(step.node);
  if (options_.threads == 1) {
    const std::uint32_t before = add(node.visits, 1, false);
    if (options_.leaves > 1) refresh(step.edges, step.position, step.node, chooser);
    return before + 1;
  }
  const std::size_t depth = worker.path.size() - 1;
  const std::uint32_t counted = node.visits.load(relaxed);
  if (counted < batch_visits_from || depth >= worker.pending.size()) {
    add(node.visits, 1, true);
    refresh(step.edges, step.position, step.node, chooser);
    return counted + 1;
  }
  Worker::Pending& pending = worker.pending[depth];
  if (pending.step.node != step.node || pending.visits == visit_batch) {
    flush(pending);
    pending.step = step;
    pending.chooser = chooser;
  }
  ++pending.visits;
  return counted + pending.visits;
}

// Whether the current simulation's visit at this depth has not been written to the tree yet.
bool Mcts::is_pending(const Worker& worker, std::size_t depth) const {
  return depth < worker.pending.size() && worker.pending[depth].visits > 0 &&
         worker.pending[depth].step.node == worker.path[depth].node;
}

void Mcts::flush(Worker::Pending& pending) {
  if (pending.visits > 0) {
    Node& node = tree_->node(pending.step.node);
    node.visits.fetch_add(pending.visits, relaxed);
    node.score_sum.fetch_add(pending.score_sum, relaxed);
    refresh(pending.step.edges, pending.step.position, pending.step.node, pending.chooser);
  }
  pending = {};
}

// Runs a playout, up to the cut-off if there is one. Returns false if the search was stopped meanwhile.
bool Mcts::evaluate(Worker& worker, Scores& result) {
  State& state = *worker.state;
  if (options_.playout_depth != 0) state.begin_playout();
  PlayoutRequest request;
  request.max_plies = options_.playout_depth;
  request.trace = options_.rave != Rave::off ? &worker.trace : nullptr;
  struct Asked {
    const Mcts& search;
    bool stopped = false;
  } asked{*this};
  request.stopped_context = &asked;
  request.stopped = [](void* context) {
    auto& [search, stopped] = *static_cast<Asked*>(context);
    return stopped = search.stopped();
  };
  if (hooks_.playout_policy == nullptr) {
    state.playout(worker.random, request);
  } else if (!hooks_.playout_policy->play_out(state, worker.random, request)) {
    for (int plies = 0; plies != request.max_plies && !state.over(); ++plies) {
      if (state.player() == chance_player) {
        state.play(state.sample_chance(worker.random));
      } else {
        state.moves(worker.moves);
        const Move move = hooks_.playout_policy->choose(state, worker.moves, worker.random);
        if (request.trace != nullptr) request.trace->push_back({move, state.player()});
        state.play(move);
      }
      if (plies % 64 == 63 && request.stopped(&asked)) break;
    }
  }
  if (state.over()) {
    result = state.scores();
    return true;
  }
  if (asked.stopped || request.max_plies < 0) return false;
  const int players = state.players();
  if (hooks_.value == nullptr) {
    result.fill(players == 1 ? 0.5 : 1.0 / players);
  } else if (players == 2) {
    const int mover = std::max(state.player(), 0);  // at a chance node, either player
    result[mover] = hooks_.value->value(state, mover);
    result[1 - mover] = 1.0 - result[mover];
  } else {
    for (int player = 0; player < players; ++player) result[player] = hooks_.value->value(state, player);
  }
  return true;
}

void Mcts::back_up(Worker& worker, const Scores& result) {
  const bool shared = options_.threads > 1;
  const Scores* scores = &result;
  // Not the root: it needs no score, and all threads would contend for it.
  for (std::size_t i = worker.path.size(); --i > 0;) {
    const Worker::Step& step = worker.path[i];
    const int chooser = tree_->node(worker.path[i - 1].node).player.load(relaxed);
    Node& node = tree_->node(step.node);
    const bool waits = shared && is_pending(worker, i);
    const std::uint64_t score = chooser == chance_player ? 0 : to_fixed((*scores)[chooser]);
    if (waits) {
      worker.pending[i].score_sum += score;
    } else {
      add(node.score_sum, score, shared);
    }
    // Proofs are written immediately.
    if (!waits || node.outcome.load(acquire) != unproven) refresh(step.edges, step.position, step.node, chooser);
    if (step.proven_best != unproven) scores = &outcomes_->scores(step.proven_best);
  }
  if (options_.rave != Rave::off) learn_amaf(worker, result);
}

void Mcts::abandon(Worker& worker) {
  for (std::size_t i = 1; i < worker.path.size(); ++i) {
    if (options_.threads > 1 && is_pending(worker, i)) {
      --worker.pending[i].visits;
    } else {
      const Worker::Step& step = worker.path[i];
      tree_->node(step.node).visits.fetch_sub(1, relaxed);
      refresh(step.edges, step.position, step.node, tree_->node(worker.path[i - 1].node).player.load(relaxed));
    }
  }
}

}  // namespace tesuji
