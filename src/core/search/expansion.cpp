// A node gets its moves: listed, and put in the order in which they are to be tried.
#include <algorithm>
#include <limits>
#include <stdexcept>

#include "search/atomics.hpp"
#include "search/mcts.hpp"

namespace tesuji {

namespace {

// Room for so many children in a family's first table: most positions are never visited more often.
constexpr std::uint32_t first_capacity = 8;

// Proximity leaves a move this part of its prior at least, unless it sets the move aside; and a positive one, however
// small the product is: what may be tried has a prior.
constexpr float least_nearness = 1e-6F;
constexpr float least_prior = std::numeric_limits<float>::min();

}  // namespace

Index Mcts::expand(Worker& worker, Node& node, bool whole_table, const MoveOrdering* ordering) {
  if (tree_->full() || node.busy.exchange(1, acquire) != 0) {
    return node.family.load(acquire);
  }
  State& state = *worker.state;
  state.moves(worker.moves);
  if (worker.moves.empty()) {
    throw std::invalid_argument("moves() is empty but scores() is None: the game is neither going on nor over");
  }
  worker.weights.clear();
  const bool chance = node.player.load(relaxed) == chance_player;
  auto limit = static_cast<std::uint32_t>(worker.moves.size());
  if (!chance) limit = put_in_order(worker, ordering);
  // What is set aside in one imagined position need not be in another.
  if (hidden_) limit = static_cast<std::uint32_t>(worker.moves.size());
  const double exploration =
      hooks_.exploration != nullptr && !chance ? hooks_.exploration->exploration(state) : options_.exploration;
  const bool whole = whole_table || options_.rave != Rave::off;
  const Index family = tree_->new_family(worker.allocator, worker.moves, worker.weights, limit,
                                         static_cast<float>(exploration), whole ? Tree::no_position : first_capacity);
  const Move once = state.once_only();
  if (options_.rave != Rave::off && family != no_index && once != no_move) {
    const auto at = std::find(worker.moves.begin(), worker.moves.end(), once) - worker.moves.begin();
    rule_.set_apart(tree_->table(tree_->family(family)), static_cast<std::uint32_t>(at));
  }
  node.family.store(family, release);
  if (family == no_index) node.busy.store(0, release);
  return family;
}

// Puts the moves in the order in which they are to be tried, with their priors; returns how many may be tried for now.
std::uint32_t Mcts::put_in_order(Worker& worker, const MoveOrdering* ordering) {
  if (ordering != nullptr) {
    ordering->order(*worker.state, worker.moves, worker.weights, worker.random);
    float sum = 0;
    for (const float weight : worker.weights) sum += weight;
    for (float& weight : worker.weights) weight /= sum;
  } else {
    shuffle(worker.moves, worker.random);
  }
  auto limit = static_cast<std::uint32_t>(worker.moves.size());
  if (hooks_.proximity != nullptr) limit = put_near_first(worker);
  if (hooks_.threat_response != nullptr) limit = put_threats_first(worker, limit);
  return limit;
}

// Multiplies the priors by nearness and orders the moves by them; returns how many may be tried for now.
std::uint32_t Mcts::put_near_first(Worker& worker) {
  const std::size_t count = worker.moves.size();
  std::vector<float>& weights = worker.weights;
  hooks_.proximity->weigh(*worker.state, worker.moves, options_.hard_proximity, worker.nearness);
  if (weights.empty()) weights.assign(count, 1.0F);
  float sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    float& weight = worker.nearness[i];
    if (weight == 0 && options_.hard_proximity) continue;
    weight = std::max(std::max(weight, least_nearness) * weights[i], least_prior);
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

// Puts the answers to a threat before the other moves; returns how many moves may be tried for now. Until here the
// first `near` might be.
std::uint32_t Mcts::put_threats_first(Worker& worker, std::uint32_t near) {
  Threat& threat = worker.threat;
  hooks_.threat_response->respond(*worker.state, threat);
  if (threat.moves.empty()) return near;
  const auto far = worker.moves.begin() + near;
  near += static_cast<std::uint32_t>(std::count_if(far, worker.moves.end(), [&](Move move) {
    return std::find(threat.moves.begin(), threat.moves.end(), move) != threat.moves.end();
  }));
  // An own win on the spot outranks every answer to a threat. Where there was no time to look for all of them, nothing
  // is left out.
  MoveList wins;
  const bool look = threat.urgent && !hooks_.threat_response->finds_own_wins();
  const bool narrows = threat.urgent && (!look || find_own_wins(worker, wins));
  const std::uint32_t placed = put_first(worker, threat.moves, put_first(worker, wins, 0));
  return narrows ? placed : near;
}

// Brings these moves to the front, from `placed` on, and returns where they end. Among them the order stays as it was:
// a threat says which moves answer it, the ordering (or chance) which of them comes first.
std::uint32_t Mcts::put_first(Worker& worker, const MoveList& chosen, std::uint32_t placed) {
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

// False where the search was stopped on the way.
bool Mcts::find_own_wins(Worker& worker, MoveList& wins) const {
  const int mover = worker.state->player();
  for (const Move move : worker.moves) {
    if (slow_ && stopped()) return false;
    worker.scratch->assign(*worker.state);
    worker.scratch->play(move);
    if (worker.scratch->over() && worker.scratch->scores()[mover] >= 1.0) wins.push_back(move);
  }
  return true;
}

}  // namespace tesuji
