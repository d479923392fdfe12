// Expansion of a node.
#include <algorithm>
#include <stdexcept>

#include "search/atomics.hpp"
#include "search/mcts.hpp"

namespace tesuji {

namespace {

// Initial capacity of a node's table: most nodes are never visited more often.
constexpr std::uint32_t first_capacity = 8;

}  // namespace

Index Mcts::expand(Worker& worker, Node& node, bool whole_table, const MoveOrdering* ordering) {
  if (tree_->full() || node.busy.exchange(1, acquire) != 0) {
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
  if (!chance)
    limit = orderer_.order(worker, ordering, &node == &tree_->node(root_), [this] { return slow_ && stopped(); });
  // A move set aside in one determinization may be fine in another.
  if (hidden_) limit = static_cast<std::uint32_t>(worker.moves.size());
  const double exploration =
      hooks_.exploration != nullptr && !chance ? hooks_.exploration->exploration(state) : options_.exploration;
  const bool whole = whole_table || options_.rave != Rave::off;
  const Index edges = tree_->new_edges(worker.allocator, worker.moves, worker.weights, limit,
                                       static_cast<float>(exploration), whole ? Tree::no_position : first_capacity);
  const Move once = state.unrepeatable_move();
  if (options_.rave != Rave::off && edges != no_index && once != no_move) {
    const auto at = std::find(worker.moves.begin(), worker.moves.end(), once) - worker.moves.begin();
    rule_.exclude_from_rave(tree_->table(tree_->edges(edges)), static_cast<std::uint32_t>(at));
  }
  node.edges.store(edges, release);
  if (edges == no_index) node.busy.store(0, release);
  return edges;
}

}  // namespace tesuji
