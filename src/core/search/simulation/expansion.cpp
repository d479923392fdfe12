#include "search/simulation/expansion.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/atomics.hpp"

namespace tesuji {

namespace {

// Initial capacity of a node's table: most nodes are never visited more often.
constexpr std::uint32_t first_capacity = 8;

}  // namespace

bool Expansion::initialize(Worker& worker, Node& node, Scores& result, bool ask_prover) {
  if (worker.state->over()) {
    result = worker.state->scores();
    node.outcome.store(context_.outcomes->intern(result), release);
    return true;
  }
  const int player = worker.state->player();
  if (player == chance_player && context_.options.leaves > 0) {
    throw std::invalid_argument("a search with a network cannot play games with chance moves");
  }
  if (context_.hooks.tablebase != nullptr && player != chance_player) {
    const std::optional<ExactResult> known = context_.hooks.tablebase->probe(*worker.state);
    if (known) return set_exact_result(node, player, *known, result);
  }
  if (ask_prover && worker.prover != nullptr && player != chance_player) {
    if (const std::optional<ExactResult> known = worker.prover->probe(*worker.state))
      return set_exact_result(node, player, *known, result);
  }
  node.player.store(static_cast<std::int8_t>(player), relaxed);
  return false;
}

bool Expansion::set_exact_result(Node& node, int player, const ExactResult& known, Scores& result) {
  result[player] = known.score;
  result[1 - player] = 1.0 - known.score;
  node.outcome.store(context_.outcomes->intern(result), release);
  return true;
}

std::uint32_t Expansion::order_moves(Worker& worker, const MoveOrdering* ordering, bool at_root) const {
  const SearchLimits& limits = context_.limits;
  return context_.orderer.order(worker, ordering, at_root, [&limits] { return limits.slow() && limits.stopped(); });
}

Index Expansion::expand(Worker& worker, Node& node, bool whole_table, const MoveOrdering* ordering) {
  Tree& tree = *context_.tree;
  if (tree.full() || node.busy.exchange(1, acquire) != 0) {
    return node.edges.load(acquire);
  }
  State& state = *worker.state;
  state.moves(worker.moves);
  if (worker.moves.empty()) {
    throw std::invalid_argument("moves() is empty but scores() is None");
  }
  worker.weights.clear();
  const bool chance = node.player.load(relaxed) == chance_player;
  auto limit = static_cast<std::uint32_t>(worker.moves.size());
  if (!chance) limit = order_moves(worker, ordering, &node == &context_.root_node());
  // A move set aside in one determinization may be fine in another.
  if (context_.hidden) limit = static_cast<std::uint32_t>(worker.moves.size());
  const Exploration* const hook = context_.hooks.exploration.get();
  const double exploration = hook != nullptr && !chance ? hook->exploration(state) : context_.options.exploration;
  const bool rave = context_.options.rave != Rave::off;
  const Index edges =
      tree.new_edges(worker.allocator, worker.moves, worker.weights, limit, static_cast<float>(exploration),
                     whole_table || rave ? Tree::no_position : first_capacity);
  const Move once = state.unrepeatable_move();
  if (rave && edges != no_index && once != no_move) {
    const auto at = std::find(worker.moves.begin(), worker.moves.end(), once) - worker.moves.begin();
    context_.rule.exclude_from_rave(tree.table(tree.edges(edges)), static_cast<std::uint32_t>(at));
  }
  node.edges.store(edges, release);
  if (edges == no_index) node.busy.store(0, release);
  return edges;
}

}  // namespace tesuji
