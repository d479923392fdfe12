// The move and the policy target of a finished search.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "zero/noise.hpp"
#include "zero/selfplay_game.hpp"

namespace tesuji::zero {

namespace {

constexpr int near_distance = 2;  // in cells
// Smaller shares of a policy target are dropped: Gumbel's has one for every move, most of them negligible.
constexpr double min_share = 1e-3;

}  // namespace

// The network's prior of a root move, without noise; positive, so that its logarithm is finite.
double SelfPlayGame::raw_prior(Move move) const {
  const auto at =
      std::find_if(raw_priors_.begin(), raw_priors_.end(), [&](const auto& raw) { return raw.first == move; });
  return std::max(1e-9, static_cast<double>(at->second));
}

// An immediate win: choosing among proven wins alone need not make progress.
std::optional<Move> SelfPlayGame::finishing_move() const {
  if (search_.root_proven() != 1.0) return std::nullopt;
  const std::unique_ptr<State> after = state_->clone();
  for (const NetworkSearch::RootMove& move : root_) {
    if (move.proven != 1.0) continue;
    after->assign_after(*state_, move.move);
    if (after->over()) return move.move;
  }
  return std::nullopt;
}

// Whether the prover finds a win of the opponent after this move, further ahead than the search has seen. Then the move
// is lost, and another one has to be chosen: neither the game nor the policy target has it.
bool SelfPlayGame::refutes(Move move) {
  no_win_found_ = false;
  if (options_.proof_effort == 0 || search_.root_proven()) return false;
  no_win_found_ = !search_.refute_shortly(move, options_.proof_effort);
  if (!no_win_found_) ++counters_.refuted;
  return !no_win_found_;
}

// The move to play, and the policy target in parallel to the root moves. A proven win gets the whole target; proven
// losses get nothing unless all moves lose.
Move SelfPlayGame::choose(std::vector<double>& shares) {
  const Move best = finishing_move().value_or(search_.choice());
  const auto place = std::find_if(root_.begin(), root_.end(), [&](const auto& move) { return move.move == best; });
  shares.assign(root_.size(), 0.0);
  const bool certain = place->proven && *place->proven >= 1.0;
  const bool lost = search_.root_proven() == 0.0;
  double visits = 0;
  for (const NetworkSearch::RootMove& move : root_) visits += move.proven == 0.0 ? 0 : move.visits;
  if (certain) {
    shares[static_cast<std::size_t>(place - root_.begin())] = 1.0;
    return best;
  }
  if (lost || visits <= 0) {
    // Visits of a lost position are meaningless: keep the network's policy.
    double sum = 0;
    for (std::size_t i = 0; i < root_.size(); ++i) {
      if (root_[i].proven != 0.0 || lost) sum += shares[i] = raw_prior(root_[i].move);
    }
    for (double& share : shares) share /= sum;
    const auto likely = std::max_element(shares.begin(), shares.end()) - shares.begin();
    return root_[static_cast<std::size_t>(likely)].move;
  }
  if (options_.gumbel) {
    gumbel_.target(root_, search_.root_estimate(), shares);
    const Move chosen = gumbel_.choice(search_);
    const bool loses = std::any_of(root_.begin(), root_.end(), [&](const NetworkSearch::RootMove& move) {
      return move.move == chosen && move.proven == 0.0;
    });
    return search_.root_proven() || loses ? best : chosen;
  }
  for (std::size_t i = 0; i < root_.size(); ++i) {
    if (root_[i].proven != 0.0) shares[i] = root_[i].visits / visits;
  }
  const double past = std::pow(0.5, static_cast<double>(played_.moves.size()) / options_.temperature_plies);
  const double temperature = options_.last_temperature + (options_.temperature - options_.last_temperature) * past;
  if (search_.root_proven() || temperature < 0.01) return best;
  std::vector<double> chances;
  chances.reserve(shares.size());
  const double top = *std::max_element(shares.begin(), shares.end());
  for (const double share : shares) chances.push_back(std::pow(share / top, 1.0 / temperature));
  return root_[sample_index(chances, random_)].move;
}

void SelfPlayGame::record(const std::vector<double>& shares) {
  SearchedPly found;
  found.first = static_cast<std::uint32_t>(played_.targets.size());
  // The expected value of the target policy over the tried moves.
  double tried = 0;
  double sum = 0;
  double kept = 0;
  for (std::size_t i = 0; i < root_.size(); ++i) {
    if (shares[i] >= min_share) kept += shares[i];
    if (root_[i].visits == 0) continue;
    tried += shares[i];
    sum += shares[i] * root_[i].value;
  }
  const double mean = tried > 0 ? sum / tried : search_.root_estimate();
  found.value = static_cast<float>(search_.root_proven().value_or(mean));
  found.full = full_;
  if (full_) {
    ++counters_.full;
    counters_.top_share += *std::max_element(shares.begin(), shares.end());
    for (std::size_t i = 0; i < root_.size(); ++i) {
      if (shares[i] < min_share) continue;
      found.surprise += static_cast<float>(shares[i] * std::log(shares[i] / raw_prior(root_[i].move)));
      const int index = config_.planes->index(*state_, root_[i].move);
      played_.targets.emplace_back(static_cast<std::uint32_t>(index), static_cast<float>(shares[i] / kept));
    }
  }
  found.surprise = std::max(found.surprise, 0.0F);  // rounding error
  found.count = static_cast<std::uint32_t>(played_.targets.size()) - found.first;
  played_.searched.push_back(found);
}

// Statistics of where stones are placed, for games whose moves are cells.
void SelfPlayGame::count_placement(Move move) {
  const SelfPlayConfig::Board& board = config_.boards[played_.board];
  const auto cells = static_cast<Move>(board.rows * board.columns);
  if (config_.planes->policy_planes() != 1 || move >= cells || played_.moves.empty()) return;
  const int columns = board.columns;
  const auto row = static_cast<int>(move) / columns;
  const auto column = static_cast<int>(move) % columns;
  ++counters_.placed;
  if (row == 0 || column == 0 || row == board.rows - 1 || column == columns - 1) ++counters_.border;
  const bool near = std::any_of(played_.moves.begin(), played_.moves.end(), [&](Move other) {
    return other < cells && std::abs(static_cast<int>(other) / columns - row) <= near_distance &&
           std::abs(static_cast<int>(other) % columns - column) <= near_distance;
  });
  if (!near) ++counters_.distant;
}

}  // namespace tesuji::zero
