// One simulation: down the tree, a playout, and back up.
#include <algorithm>
#include <stdexcept>
#include <thread>

#include "search/atomics.hpp"
#include "search/mcts.hpp"

namespace tesuji {

namespace {

// Where threads share the tree, what one writes the others must fetch again. A busy node hardly changes by one more
// visit, so a worker tells the tree of eight at a time. Two threads against one on Hex 11×11: plain UCT 1.8 times as
// fast, the default bot 1.6 times; telling each visit at once, 1.0 to 1.8 and 0.4 to 1.3, as the machine places its
// cores.
constexpr std::uint32_t busy_from = 256;
constexpr std::uint32_t told_at_once = 8;

}  // namespace

// The root's visits as one worker knows them: it counts its own and takes the others to be as quick. With one thread
// this is exact, and with many nobody has to write to the one place that all read.
std::uint64_t Mcts::root_visits(const Worker& worker) const {
  if (options_.leaves > 0) return kept_visits_ + workers_.front()->completed.load(relaxed) + waiting_;
  return kept_visits_ + worker.completed.load(relaxed) * static_cast<std::uint64_t>(options_.threads);
}

bool Mcts::simulate(Worker& worker) {
  Scores result;
  const Way way = hidden_ ? descend_hidden(worker, result) : descend(worker, result);
  if (way == Way::blocked) {
    ++worker.claimed;  // the turn after it is ours
    std::this_thread::yield();
    return false;
  }
  if (way == Way::leaf && !evaluate(worker, result)) {
    abandon(worker);
    return false;
  }
  back_up(worker, result);
  watch_memory();
  return true;
}

// Where it is blocked, nothing has been counted, and the caller goes on: nobody waits here, so that every stop is seen.
Mcts::Way Mcts::descend(Worker& worker, Scores& result) {
  const bool rave = options_.rave != Rave::off;
  worker.state->assign(*root_state_);
  worker.trace.clear();
  worker.path.assign(1, {root_, no_index, 0, unproven});
  auto visits = static_cast<std::uint32_t>(root_visits(worker) + 1);
  for (Index at = root_;;) {
    Node& node = tree_->node(at);
    Index family = node.family.load(acquire);
    if (family == no_index && visits > options_.expand_after) {
      family = expand(worker, node, false, hooks_.move_ordering.get());
    }
    Outcome instead = unproven;
    std::uint32_t position = at == root_ ? worker.root_position : Tree::no_position;
    if (family != no_index && position == Tree::no_position) {
      position = select(worker, node, tree_->family(family), visits, instead);
    }
    const Index next = position == Tree::no_position
                           ? no_index
                           : tree_->ensure_child(worker.allocator, tree_->family(family), position);
    if (next == no_index) {
      // All of the root's children exist, as far as there was memory: another thread is just taking the next one.
      return at == root_ && family != no_index && !tree_->full() ? Way::blocked : Way::leaf;
    }
    Node& child = tree_->node(next);
    worker.path.push_back({next, family, position, instead});
    visits = count_visit(worker, worker.path.back(), node.player.load(relaxed));
    const Outcome known = child.outcome.load(acquire);
    if (rave) worker.trace.push_back({child.move, node.player.load(relaxed)});
    if (outcomes_->complete(known)) {
      // Another thread may have proven it just now, and looked at the parent before a sibling's proof had arrived.
      if (solver_) prove(at);
      result = outcomes_->scores(known);
      return Way::certain;
    }
    worker.state->play(child.move);
    if (child.player.load(relaxed) == player_unknown && arrive(worker, child, result, true)) {
      if (solver_ && child.outcome.load(acquire) != unproven) {
        for (std::size_t i = worker.path.size() - 1; i-- > 0 && prove(worker.path[i].node);) {
        }
      }
      return Way::certain;
    }
    at = next;
  }
}

// First visit: who acts here, or how it ended. True at the end of a game, or where the end is known.
bool Mcts::arrive(Worker& worker, Node& node, Scores& result, bool ask_prover) {
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
    const std::optional<Known> known = hooks_.tablebase->probe(*worker.state);
    if (known) return know(node, player, *known, result);
  }
  if (ask_prover && worker.prover != nullptr && player != chance_player) {
    if (const std::optional<Known> known = worker.prover->probe(*worker.state))
      return know(node, player, *known, result);
  }
  node.player.store(static_cast<std::int8_t>(player), relaxed);
  return false;
}

bool Mcts::know(Node& node, int player, const Known& known, Scores& result) {
  result[player] = known.score;
  result[1 - player] = 1.0 - known.score;
  node.outcome.store(outcomes_->intern(result), release);
  return true;
}

// The position of the child to go to, or no_position when there is none and no memory for another.
//
// Where the best child is proven, going there again would teach nothing. The best of the others is looked into then,
// and the nodes above still get what is certain (`instead`): for them nothing changes, and the node comes closer to a
// proof.
std::uint32_t Mcts::select(Worker& worker, const Node& node, Family& family, std::uint32_t visits, Outcome& instead) {
  const int mover = node.player.load(relaxed);
  if (mover == chance_player) return draw(worker, family);
  const std::uint32_t limit = family.limit.load(relaxed);
  const std::uint32_t tried = std::min(family.tried.load(acquire), limit);
  if (tried < limit && rule_.each_once_first()) {
    const std::uint32_t next = tree_->try_next(worker.allocator, family);
    if (next != Tree::no_position) return next;
  }
  // With RAVE every move has an opinion to compete with; without it, those that were tried, and the next in order.
  const bool rave = options_.rave != Rave::off;
  const Table table = tree_->table(family);
  const std::uint32_t count = rave && !rule_.each_once_first() ? limit : std::min(tried, table.capacity);
  SelectionRule::AtNode at = rule_.at_node(visits, family.exploration);
  if (rule_.first_play_is_relative()) {
    at.first_play = rule_.relative_first_play(node.estimate, tree_->prior_sum(family, tried));
  }
  if (count == 0) return rule_.each_once_first() ? Tree::no_position : tree_->try_next(worker.allocator, family);
  const float* means = options_.rave == Rave::global ? global_means(worker, family, mover, count) : nullptr;
  const SelectionRule::Best best = rule_.best(at, table, count, means, worker.scores);
  if (!rave && tried < limit && rule_.untried(at, tree_->prior_at(family, tried)) > best.score) {
    const std::uint32_t next = tree_->try_next(worker.allocator, family);
    if (next != Tree::no_position) return next;
  }
  if (!solver_) return best.position;
  const Index child = table.child[best.position].load(acquire);
  const Outcome known = child == no_index ? unproven : tree_->node(child).outcome.load(acquire);
  if (!outcomes_->complete(known)) return best.position;
  const std::uint32_t other =
      !rave && tried < limit ? tree_->try_next(worker.allocator, family) : best_unproven(worker, family, mover, count);
  if (other == Tree::no_position) return best.position;
  instead = known;
  return other;
}

// Where nature moves, the outcome is drawn; nobody chooses it.
std::uint32_t Mcts::draw(Worker& worker, const Family& family) const {
  const Move move = worker.state->draw(worker.random);
  std::uint32_t position = Tree::no_position;
  tree_->with_moves(family, [&](const auto* moves) {
    position = static_cast<std::uint32_t>(std::find(moves, moves + family.total, move) - moves);
  });
  if (position == family.total) throw std::invalid_argument("an outcome was drawn that moves() does not list");
  return position;
}

// Brings a child's entry in its parent's table up to date.
void Mcts::refresh(Index family, std::uint32_t position, Index child, int mover) {
  if (mover == chance_player) return;
  const Table table = tree_->table(tree_->family(family));
  if (position >= table.capacity) return;
  const Node& node = tree_->node(child);
  const Outcome known = node.outcome.load(acquire);
  const std::uint32_t visits = node.visits.load(relaxed);
  if (solver_ && outcomes_->known(known, mover)) {
    rule_.settle(table, position, outcomes_->score(known, mover));
  } else if (visits > 0) {
    rule_.update(table, position, node);
  } else {
    rule_.make_untried(table, position, node);
  }
}

// Counts a visit on the way down, so that threads see each other coming; returns how many there are now.
std::uint32_t Mcts::count_visit(Worker& worker, const Worker::Step& step, int chooser) {
  Node& node = tree_->node(step.node);
  if (options_.threads == 1) {
    const std::uint32_t before = add(node.visits, 1, false);
    if (options_.leaves > 1) refresh(step.family, step.position, step.node, chooser);
    return before + 1;
  }
  const std::size_t depth = worker.path.size() - 1;
  const std::uint32_t told = node.visits.load(relaxed);
  if (told < busy_from || depth >= worker.pending.size()) {
    add(node.visits, 1, true);
    refresh(step.family, step.position, step.node, chooser);
    return told + 1;
  }
  Worker::Pending& pending = worker.pending[depth];
  if (pending.step.node != step.node || pending.visits == told_at_once) {
    tell(pending);
    pending.step = step;
    pending.chooser = chooser;
  }
  ++pending.visits;
  return told + pending.visits;
}

// Whether the present simulation's visit at this depth waits to be told.
bool Mcts::is_pending(const Worker& worker, std::size_t depth) const {
  return depth < worker.pending.size() && worker.pending[depth].visits > 0 &&
         worker.pending[depth].step.node == worker.path[depth].node;
}

void Mcts::tell(Worker::Pending& pending) {
  if (pending.visits > 0) {
    Node& node = tree_->node(pending.step.node);
    node.visits.fetch_add(pending.visits, relaxed);
    node.score_sum.fetch_add(pending.score_sum, relaxed);
    refresh(pending.step.family, pending.step.position, pending.step.node, pending.chooser);
  }
  pending = {};
}

// Plays the game out from here, or up to the cut-off. False when the search was stopped on the way.
bool Mcts::evaluate(Worker& worker, Scores& result) {
  State& state = *worker.state;
  if (options_.playout_depth != 0) state.leave_tree();
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
        state.play(state.draw(worker.random));
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
    const int mover = std::max(state.player(), 0);  // before a chance move, whichever
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
  // Not the root: nobody chooses it, and all threads would meet there.
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
    // A proof does not wait.
    if (!waits || node.outcome.load(acquire) != unproven) refresh(step.family, step.position, step.node, chooser);
    if (step.instead != unproven) scores = &outcomes_->scores(step.instead);
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
      refresh(step.family, step.position, step.node, tree_->node(worker.path[i - 1].node).player.load(relaxed));
    }
  }
}

}  // namespace tesuji
