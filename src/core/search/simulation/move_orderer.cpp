#include "search/simulation/move_orderer.hpp"

#include <algorithm>
#include <limits>

namespace tesuji {

namespace {

// Lower bounds of soft proximity's factor and of the resulting prior: every move that may be tried has a positive
// prior.
constexpr float min_proximity = 1e-6F;
constexpr float min_prior = std::numeric_limits<float>::min();

}  // namespace

std::uint32_t MoveOrderer::order(Worker& worker, const MoveOrdering* ordering, bool at_root,
                                 const std::function<bool()>& stopped) const {
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
  const bool asks = threats_first_ && (!threats_at_root_only_ || at_root);
  if (hooks_.threat_response != nullptr && asks) limit = order_threat_replies_first(worker, limit, stopped);
  return limit;
}

// Multiplies the priors by the proximity and sorts; returns how many moves may be tried for now.
std::uint32_t MoveOrderer::order_by_proximity(Worker& worker) const {
  const std::size_t count = worker.moves.size();
  std::vector<float>& weights = worker.weights;
  hooks_.proximity->weigh(*worker.state, worker.moves, hard_proximity_, worker.nearness);
  if (weights.empty()) weights.assign(count, 1.0F);
  float sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    float& weight = worker.nearness[i];
    if (weight == 0 && hard_proximity_) continue;
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
std::uint32_t MoveOrderer::order_threat_replies_first(Worker& worker, std::uint32_t near,
                                                      const std::function<bool()>& stopped) const {
  ThreatReplies& threat = worker.threat;
  hooks_.threat_response->respond(*worker.state, threat);
  if (threat.moves.empty()) return near;
  const auto far = worker.moves.begin() + near;
  near += static_cast<std::uint32_t>(std::count_if(far, worker.moves.end(), [&](Move move) {
    return std::find(threat.moves.begin(), threat.moves.end(), move) != threat.moves.end();
  }));
  // Immediate wins come before replies to a threat. If there was no time to find them all, no move is set aside.
  MoveList wins;
  const bool look = threat.urgent && !hooks_.threat_response->includes_own_wins();
  const bool narrows = threat.urgent && (!look || find_immediate_wins(worker, wins, stopped));
  const std::uint32_t placed = move_to_front(worker, threat.moves, move_to_front(worker, wins, 0));
  return narrows ? placed : near;
}

// Moves `chosen` to the front, from `placed` on, keeping their relative order; returns the end of them.
std::uint32_t MoveOrderer::move_to_front(Worker& worker, const MoveList& chosen, std::uint32_t placed) {
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

// Returns false if the search was stopped meanwhile.
bool MoveOrderer::find_immediate_wins(Worker& worker, MoveList& wins, const std::function<bool()>& stopped) {
  const int mover = worker.state->player();
  for (const Move move : worker.moves) {
    if (stopped()) return false;
    worker.scratch->assign(*worker.state);
    worker.scratch->play(move);
    if (worker.scratch->over() && worker.scratch->scores()[mover] >= 1.0) wins.push_back(move);
  }
  return true;
}

}  // namespace tesuji
