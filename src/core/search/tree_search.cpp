#include "search/tree_search.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/atomics.hpp"
#include "search/tree/tree_reuse.hpp"

namespace tesuji {

namespace {

constexpr Move widest_narrow_move = 0xFFFF;

}  // namespace

TreeSearch::TreeSearch(const SearchOptions& options, Hooks hooks)
    : context(options, std::move(hooks)),
      statistics(context),
      solver(context),
      study(context, statistics, solver),
      amaf(context),
      expansion(context),
      descent(context, expansion, statistics, solver, study, amaf),
      information_set(context, expansion, statistics, amaf),
      root(context, expansion, statistics, solver, study, amaf) {}

void TreeSearch::reset() {
  forget();
  context.provers.clear();
}

void TreeSearch::forget() {
  context.tree.reset();
  context.root = no_index;
  context.workers.clear();
  context.root_state.reset();
  context.counted_cache = nullptr;
}

void TreeSearch::prepare_root(const State& state, bool reuse) {
  context.hidden = state.hidden_information() != nullptr;
  context.solver = context.options.solver && !context.hidden;
  if (state.player() == chance_player) throw std::invalid_argument("cannot search at a chance node");
  if (context.hidden && context.options.threads > 1) {
    throw std::invalid_argument("a game with hidden information needs threads=1");
  }
  if (context.options.threats_at_root_only && context.hooks.threat_response != nullptr && !context.hidden) {
    // A kept node was not ordered as a root.
    ThreatReplies threat;
    context.hooks.threat_response->respond(state, threat);
    reuse = reuse && threat.moves.empty();
  }
  Index kept = no_index;
  if (reuse && !context.hidden && context.tree != nullptr && context.root_state->players() == state.players()) {
    kept = find_descendant(*context.tree, context.root, *context.root_state, state);
  }
  if (kept == no_index) {
    forget();
    context.outcomes = std::make_unique<Outcomes>(state.players());
  }
  context.root_state = state.clone();
  make_workers();
  if (kept == no_index || kept != context.root) rebuild_tree(kept);
  PositionCache* const cache = context.root_state->position_cache();
  if (cache != nullptr && !context.hidden) {
    cache->become_root(context.hooks.ask());
    // What the value needs is computed here and inherited by copies.
    if (context.hooks.value != nullptr) context.hooks.value->value(*context.root_state, state.player());
  }
  context.counted_cache = cache != nullptr && cache->cache_bytes() > 0 ? cache : nullptr;
  root.forget();

  Worker& first = *context.workers.front();
  Node& node = context.root_node();
  node.player.store(static_cast<std::int8_t>(state.player()));
  node.outcome.store(unproven);
  if (node.edges.load() == no_index) {
    if (context.options.leaves > 0) return;  // expanded when its evaluation arrives
    if (context.hidden) {
      information_set.determinize(first);
    } else {
      first.state->assign(*context.root_state);
    }
    if (expansion.expand(first, node, true, context.hooks.move_ordering.get()) == no_index) {
      throw std::length_error("the search's memory is too small for one position");
    }
  }
  root.probe_moves(first);
}

void TreeSearch::make_workers() {
  const SearchOptions& options = context.options;
  auto& workers = context.workers;
  auto& provers = context.provers;
  for (int i = static_cast<int>(workers.size()); i < std::max(options.threads, options.leaves); ++i) {
    workers.push_back(std::make_unique<Worker>(*context.root_state, options.seed, static_cast<std::uint64_t>(i)));
  }
  for (std::size_t i = 0; context.hooks.prover != nullptr && context.solver && i < workers.size(); ++i) {
    const std::size_t thread = options.leaves > 0 ? 0 : i;  // pending leaves belong to one thread
    if (thread == provers.size()) {
      provers.push_back(context.hooks.prover->open(options.evaluations_at_once >= many_evaluations));
    }
    workers[i]->prover = provers[thread].get();
  }
  for (auto& worker : workers) {
    worker->claimed = 0;
    worker->held_visits = {};
    for (HeldSamples& held : worker->held_samples) held.samples = 0;
    worker->completed.store(0);
    worker->state->assign(*context.root_state);
    worker->scratch->assign(*context.root_state);
  }
}

// Makes a new tree from the subtree of `kept`, or with a root alone. The time spent counts against the budget.
void TreeSearch::rebuild_tree(Index kept) {
  const bool wide = context.root_state->move_limit() > widest_narrow_move;
  TableShape shape = context.rule.shape();
  shape.available = context.hidden;
  auto fresh = std::make_unique<Tree>(context.options.memory, shape, wide);
  for (auto& worker : context.workers) worker->allocator.reset();
  Tree::Allocator& allocator = context.workers.front()->allocator;
  const auto enough = [this] { return context.limits.out_of_time() || context.limits.cancelled(); };
  context.root = kept == no_index ? fresh->new_node(allocator, no_move, 1.0F)
                                  : fresh->copy_from(*context.tree, kept, allocator, enough);
  context.tree = std::move(fresh);
}

ReportBuilder TreeSearch::report_builder() const {
  return {*context.tree,
          *context.outcomes,
          amaf.global(),
          context.hooks.tablebase.get(),
          {*context.root_state, context.root_node(), root.threat(), root.win(), context.hidden}};
}

Move TreeSearch::choice() const { return root.win() ? root.win()->line.front() : report_builder().best_move(); }

Report TreeSearch::report() const {
  Report report;
  for (const auto& worker : context.workers) {
    report.iterations += worker->completed.load();
    report.nodes += worker->allocator.nodes.load();
  }
  const PositionCache* const cache = context.root_state->position_cache();
  report.bytes = context.tree->bytes() + (cache != nullptr ? cache->cache_bytes() : 0);
  report.seconds = context.limits.seconds();
  report.stop = context.limits.reason();
  report.memory_full = context.tree->full();
  report_builder().fill(report);
  return report;
}

}  // namespace tesuji
