// New nodes: the side to move or an exact result at the first visit, the moves and their order at the expansion.
#include <algorithm>
#include <limits>
#include <stdexcept>

#include "search/tree_search.hpp"

namespace tesuji {

namespace {

// Initial capacity of a node's table: most nodes are never visited more often.
constexpr std::uint32_t first_capacity = 8;

// Lower bounds of soft proximity's factor and of the resulting prior: every move that may be tried has a positive
// prior.
constexpr float min_proximity = 1e-6F;
constexpr float min_prior = std::numeric_limits<float>::min();

// Moves `chosen` to the front, from `placed` on, keeping their relative order; returns the end of them.
std::uint32_t move_to_front(Worker& worker, const MoveList& chosen, std::uint32_t placed) {
  for (std::size_t at = placed; at < worker.moves.size(); ++at) {
    if (std::find(chosen.begin(), chosen.end(), worker.moves[at]) == chosen.end()) continue;
    const auto bring = [&](auto& list) {
      const auto begin = list.begin();
      std::rotate(begin + placed, begin + static_cast<std::ptrdiff_t>(at), begin + static_cast<std::ptrdiff_t>(at) + 1);
    };
    bring(worker.moves);
    if (!worker.weights.empty()) bring(worker.weights);
    ++placed;
  }
  return placed;
}

}  // namespace

bool TreeSearch::initialize(Worker& worker, Node& node, Scores& result, bool ask_prover) {
  if (worker.state->over()) {
    result = worker.state->scores();
    node.outcome.store(outcomes_->intern(result), release);
    return true;
  }
  const int player = worker.state->player();
  if (player == chance_player && batch_size_ > 0) {
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

bool TreeSearch::set_exact_result(Node& node, int player, const ExactResult& known, Scores& result) {
  result = scores_of_two(player, known.score);
  node.outcome.store(outcomes_->intern(result), release);
  return true;
}

std::uint32_t TreeSearch::order_moves(Worker& worker, const MoveOrdering* ordering, bool at_root) const {
  if (ordering != nullptr) {
    ordering->order(*worker.state, worker.moves, worker.weights, worker.random);
    float sum = 0;
    for (const float weight : worker.weights) sum += weight;
    for (float& weight : worker.weights) weight /= sum;
  } else {
    shuffle(worker.moves, worker.random);
  }
  auto limit = static_cast<std::uint32_t>(worker.moves.size());
  if (hooks_.proximity != nullptr) limit = order_by_proximity(worker);
  const bool asks = threats_ == Threats::at_every_node || (threats_ == Threats::at_root && at_root);
  if (hooks_.threat_response != nullptr && asks) limit = order_threat_replies_first(worker, limit);
  return limit;
}

Index TreeSearch::expand(Worker& worker, Node& node, bool whole_table, const MoveOrdering* ordering) {
  Tree& tree = *tree_;
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
  if (!chance) limit = order_moves(worker, ordering, &node == &root_node());
  // A move set aside in one determinization may be fine in another.
  if (hidden_) limit = static_cast<std::uint32_t>(worker.moves.size());
  const Exploration* const hook = hooks_.exploration.get();
  const double exploration = hook != nullptr && !chance ? hook->exploration(state) : formula_.exploration();
  const bool rave = formula_.uses_rave();
  const Index edges =
      tree.new_edges(worker.allocator, worker.moves, worker.weights, limit, static_cast<float>(exploration),
                     whole_table || rave ? Tree::no_position : first_capacity);
  const Move once = state.unrepeatable_move();
  if (rave && edges != no_index && once != no_move) {
    const auto at = std::find(worker.moves.begin(), worker.moves.end(), once) - worker.moves.begin();
    formula_.exclude_from_rave(tree.table(tree.edges(edges)), static_cast<std::uint32_t>(at));
  }
  node.edges.store(edges, release);
  if (edges == no_index) node.busy.store(0, release);
  return edges;
}

// Multiplies the priors by the proximity and sorts; returns how many moves may be tried for now.
std::uint32_t TreeSearch::order_by_proximity(Worker& worker) const {
  const std::size_t count = worker.moves.size();
  std::vector<float>& weights = worker.weights;
  hooks_.proximity->weigh(*worker.state, worker.moves, options_.hard_proximity, worker.nearness);
  if (weights.empty()) weights.assign(count, 1.0F);
  float sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    float& weight = worker.nearness[i];
    if (weight == 0 && options_.hard_proximity) continue;
    weight = std::max(std::max(weight, min_proximity) * weights[i], min_prior);
    sum += weight;
  }
  const std::vector<std::uint32_t>& ranked = worker.ranking.order(worker.nearness);
  worker.unordered = worker.moves;
  std::uint32_t near = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const float weight = worker.nearness[ranked[i]];
    weights[i] = weight / sum;
    worker.moves[i] = worker.unordered[ranked[i]];
    if (weight > 0) ++near;
  }
  return near;
}

// Moves the replies to a threat to the front; returns how many moves may be tried for now, so far the first `near`.
std::uint32_t TreeSearch::order_threat_replies_first(Worker& worker, std::uint32_t near) const {
  ThreatReplies& threat = worker.threat;
  hooks_.threat_response->respond(*worker.state, threat);
  if (threat.moves.empty()) return near;
  const auto far = worker.moves.begin() + near;
  near += static_cast<std::uint32_t>(
      std::count_if(far, worker.moves.end(), [&](Move move) { return threat.answered_by(move); }));
  // Immediate wins come before replies to a threat. If there was no time to find them all, no move is set aside.
  MoveList wins;
  const bool look = threat.urgent && !hooks_.threat_response->includes_own_wins();
  const bool narrows = threat.urgent && (!look || find_immediate_wins(worker, wins));
  const std::uint32_t placed = move_to_front(worker, threat.moves, move_to_front(worker, wins, 0));
  return narrows ? placed : near;
}

// Returns false if the search was stopped meanwhile.
bool TreeSearch::find_immediate_wins(Worker& worker, MoveList& wins) const {
  const int mover = worker.state->player();
  for (const Move move : worker.moves) {
    if (limits_.slow() && limits_.stopped()) return false;
    worker.scratch->assign(*worker.state);
    worker.scratch->play(move);
    if (worker.scratch->over() && worker.scratch->scores()[mover] >= 1.0) wins.push_back(move);
  }
  return true;
}

}  // namespace tesuji
