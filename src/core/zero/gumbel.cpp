#include "zero/gumbel.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "zero/noise.hpp"

namespace tesuji::zero {

namespace {

double logit(float prior) { return std::log(std::max(static_cast<double>(prior), 1e-9)); }

// Sequential halving as a schedule: simulation i goes to the best move that has turns[i] visits.
void sequential_halving(std::uint32_t moves, std::uint32_t simulations, std::vector<std::uint32_t>& turns) {
  turns.clear();
  const auto rounds = std::max(1U, static_cast<std::uint32_t>(std::bit_width(moves - 1)));
  std::uint32_t visits = 0;
  for (std::uint32_t left = moves; turns.size() < simulations; left = std::max(std::min(2U, moves), left / 2)) {
    const std::uint32_t each = std::max(1U, simulations / (rounds * left));
    for (std::uint32_t i = 0; i < each; ++i, ++visits) turns.insert(turns.end(), left, visits);
  }
  turns.resize(simulations);
}

}  // namespace

void GumbelRoot::begin(const NetworkSearch& search, int simulations, const SelfPlayOptions& options, Random& random) {
  visits_constant_ = options.gumbel_visits;
  scale_ = options.gumbel_scale;
  std::vector<NetworkSearch::RootMove> moves;
  search.root_moves(moves);
  considered_.clear();
  for (std::uint32_t i = 0; i < moves.size(); ++i) {
    const bool lost = moves[i].proven == 0.0 && search.root_proven() != 0.0;
    if (!moves[i].set_aside && !lost) considered_.push_back({i, gumbel(random) + logit(moves[i].prior)});
  }
  std::stable_sort(considered_.begin(), considered_.end(),
                   [](const Considered& a, const Considered& b) { return a.score > b.score; });
  const auto most = static_cast<std::size_t>(std::min(options.gumbel_moves, simulations));
  if (considered_.size() > most) considered_.resize(most);
  sequential_halving(static_cast<std::uint32_t>(considered_.size()), static_cast<std::uint32_t>(simulations), turns_);
  turn_ = 0;
}

// The best considered move with this many visits; of all if there is none.
const GumbelRoot::Considered& GumbelRoot::best(const NetworkSearch& search, std::uint32_t visits) const {
  std::uint32_t most = 0;
  moves_.clear();
  for (const Considered& one : considered_) {
    moves_.push_back(search.root_move(one.position));
    most = std::max(most, moves_.back().visits);
  }
  const Considered* found = nullptr;
  double top = 0;
  for (const bool any : {false, true}) {
    for (std::size_t i = 0; i < considered_.size(); ++i) {
      const Considered& one = considered_[i];
      if (!any && one.visits != visits) continue;
      const NetworkSearch::RootMove& move = moves_[i];
      const double value = move.visits > 0 || move.proven ? move.value : search.root_estimate();
      const double score = one.score + improvement(value, most);
      if (found == nullptr || score > top) {
        found = &one;
        top = score;
      }
    }
    if (found != nullptr) break;
  }
  return *found;
}

std::uint32_t GumbelRoot::next(const NetworkSearch& search) {
  const std::uint32_t visits = turns_[std::min(turn_++, turns_.size() - 1)];
  const Considered& chosen = best(search, visits);
  ++considered_[static_cast<std::size_t>(&chosen - considered_.data())].visits;
  return chosen.position;
}

Move GumbelRoot::choice(const NetworkSearch& search) const {
  std::uint32_t most = 0;
  for (const Considered& one : considered_) most = std::max(most, one.visits);
  return search.root_move(best(search, most).position).move;
}

void GumbelRoot::target(const std::vector<NetworkSearch::RootMove>& moves, double estimate,
                        std::vector<double>& shares) const {
  std::uint32_t most = 0;
  double visits = 0;
  double tried = 0;    // Σ P over the tried moves
  double quality = 0;  // Σ P·q over the tried moves
  for (const NetworkSearch::RootMove& move : moves) {
    most = std::max(most, move.visits);
    visits += move.visits;
    if (move.visits == 0) continue;
    tried += move.prior;
    quality += move.prior * move.value;
  }
  const double mixed = tried > 0 ? (estimate + visits * quality / tried) / (1.0 + visits) : estimate;
  shares.clear();
  double top = -1e300;
  for (const NetworkSearch::RootMove& move : moves) {
    const double value = move.visits > 0 || move.proven ? move.value : mixed;
    shares.push_back(move.set_aside ? -1e300 : logit(move.prior) + improvement(value, most));
    top = std::max(top, shares.back());
  }
  double sum = 0;
  for (double& share : shares) sum += share = std::exp(share - top);
  for (double& share : shares) share /= sum;
}

}  // namespace tesuji::zero
