#include "zero/selfplay_game.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "zero/noise.hpp"

namespace tesuji::zero {

namespace {

// A reused tree may have all the visits already; at least this fraction (1 / new_part) is searched anyway.
constexpr int new_part = 4;
// Per call of advance(), for positions that are proven without the network.
constexpr int max_moves_per_advance = 512;
// Moves chosen in one search, until the prover does not refute one; the last is played anyway.
constexpr int max_chosen = 8;
// After this many unbalanced openings the most balanced of them is played.
constexpr int max_openings_tried = 32;

}  // namespace

SelfPlayGame::SelfPlayGame(const SelfPlayConfig& config, std::uint64_t number, std::uint64_t count)
    : config_(config),
      options_(config.options),
      number_(number),
      count_(count),
      search_(config.search, config.hooks),
      priors_(*config.planes),
      leaves_(static_cast<std::size_t>(config.search.batch_size)),
      image_(config.planes->size()) {
  begin_game();
}

void SelfPlayGame::begin_game() {
  random_ = Random(options_.seed, number_);
  number_ += count_;
  starts_tried_ = 0;
  if (options_.balance > 0) favoured_ = static_cast<int>(random_.below(2));
  best_start_.reset();
  board_ = 0;
  if (config_.boards.size() > 1) {
    std::vector<double> shares;
    shares.reserve(config_.boards.size());
    for (const SelfPlayConfig::Board& board : config_.boards) shares.push_back(board.weight);
    board_ = static_cast<std::uint8_t>(sample_index(shares, random_));
  }
  may_resign_ = random_.uniform() >= options_.resign_control;
  begin_opening();
}

void SelfPlayGame::begin_opening() {
  search_.forget();
  searching_ = false;
  while (!play_random_moves()) {
  }
  policy_plies_ = random_.below(static_cast<std::uint32_t>(options_.policy_plies) + 1);
  start_accepted_ = options_.balance <= 0;
  // Fills the state's caches (Gomoku's patterns), which the search's states inherit.
  config_.planes->encode(*state_, image_.data());
  no_win_found_ = false;
  low_moves_[0] = low_moves_[1] = 0;
  would_have_resigned_ = -1;
}

// Weighted by proximity, after the first move by its square: stones anywhere, but mostly near each other. Returns false
// if the game ended.
bool SelfPlayGame::play_random_moves() {
  played_ = {};
  played_.board = board_;
  state_ = config_.boards[board_].start();
  if (state_->dealt_start() != nullptr) {
    played_.deal = 1 + random_.below(std::numeric_limits<std::uint32_t>::max());
    deal(*state_, played_.deal);
  }
  const std::uint32_t plies = random_.below(static_cast<std::uint32_t>(options_.opening_plies) + 1);
  MoveList moves;
  std::vector<float> near;
  for (std::uint32_t ply = 0; ply < plies; ++ply) {
    state_->moves(moves);
    std::vector<double> weights(moves.size(), 1.0);
    if (config_.openings != nullptr) {
      config_.openings->weigh(*state_, moves, false, near);
      std::transform(near.begin(), near.end(), weights.begin(),
                     [&](float weight) { return ply == 0 ? weight : double{weight} * weight; });
    }
    const Move move = moves[sample_index(weights, random_)];
    state_->play(move);
    played_.moves.push_back(move);
    if (state_->over()) return false;
  }
  played_.opening = plies;
  return true;
}

// Whether the opening is balanced enough, by the network's value; called once per opening.
//
// Most openings favour the first player, and on small boards nearly all are decided. So every game draws the player who
// may have the advantage, and takes no opening that favours the other: on any board both win about equally often.
bool SelfPlayGame::accept_start() {
  ++counters_.starts;
  const auto rank = [&] {
    const double value = search_.root_proven().value_or(search_.root_estimate());
    const double bias = (2 * value - 1) * (state_->player() == favoured_ ? 1 : -1);
    return std::pair(bias < 0, std::abs(bias));
  };
  const auto [favours_other, bias] = rank();
  const double chance = favours_other || search_.root_proven() ? 0 : std::pow(1 - bias * bias, options_.balance);
  if (random_.uniform() < chance) {
    prove_root();
    if (!search_.root_proven()) return true;
  }
  if (!best_start_ || rank() < best_start_->rank) best_start_ = {rank(), played_};
  ++starts_tried_;
  return false;
}

// Draws another opening or, after many, goes back to the best of them.
void SelfPlayGame::replace_start() {
  if (starts_tried_ < max_openings_tried) return begin_opening();
  adopt(best_start_->opening);
  policy_plies_ = 0;
  start_accepted_ = true;
}

void SelfPlayGame::restart_search() {
  for (Leaf& leaf : leaves_) leaf.waits = false;
  waiting_ = 0;
  searching_ = false;
  search_.forget();
}

void SelfPlayGame::adopt(const PlayedGame& played) {
  if (played.opening > played.moves.size() || played.searched.size() != played.moves.size() - played.opening) {
    throw std::invalid_argument("a game in progress needs one search per move after the opening");
  }
  for (const SearchedPly& search : played.searched) {
    if (search.first > played.targets.size() || search.count > played.targets.size() - search.first) {
      throw std::invalid_argument("a search refers to missing targets");
    }
  }
  if (played.board >= config_.boards.size()) throw std::invalid_argument("a game in progress is on an unknown board");
  std::unique_ptr<State> state = config_.boards[played.board].start();
  deal(*state, played.deal);
  for (const Move move : played.moves) {
    if (!state->legal(move)) throw std::invalid_argument("illegal move " + std::to_string(move));
    state->play(move);
  }
  if (state->over()) throw std::invalid_argument("a game in progress must not be over");
  restart_search();
  no_win_found_ = false;
  if (!played.searched.empty()) {  // past its opening
    policy_plies_ = 0;
    start_accepted_ = true;
  }
  played_ = played;
  board_ = played.board;
  state_ = std::move(state);
  config_.planes->encode(*state_, image_.data());
}

void SelfPlayGame::advance(const Batch& rows) {
  const auto policy_size = static_cast<std::size_t>(config_.planes->policy_size());
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    if (!leaves_[i].waits) continue;
    const int row = static_cast<int>(i);
    priors_.read({rows.policy + i * policy_size, rows.value[i], leaves_[i].symmetry});
    search_.resume(row, priors_, value_of(*config_.planes, search_.leaf(row), rows.value[i]));
    leaves_[i].waits = false;
    ++counters_.evaluations;
  }
  waiting_ = 0;
  for (int moves = 0; moves < max_moves_per_advance; ++moves) {
    if (!searching_) begin_search();
    if (fill_batch(rows)) return;
    if (!start_accepted_ && policy_plies_ == 0) {
      replace_start();
    } else if (policy_plies_ > 0) {
      make_policy_move();
    } else {
      make_move();
    }
  }
}

void SelfPlayGame::begin_search() {
  full_ = random_.uniform() < options_.full_share;
  search_.probe_root_moves(false);  // asks for the moves that hold instead
  search_.start(*state_, options_.reuse);
  searching_ = true;
  root_prepared_ = false;
}

// Called once the root has been evaluated.
void SelfPlayGame::prepare_root() {
  root_prepared_ = true;
  search_.probe_root_win();
  search_.root_moves(root_);
  raw_priors_.clear();
  for (const NetworkSearch::RootMove& move : root_) raw_priors_.emplace_back(move.move, move.prior);
  if (search_.root_proven()) policy_plies_ = 0;  // do not sample opening moves in decided positions
  target_ = 0;
  if (policy_plies_ > 0) return;
  if (!start_accepted_) {
    if (!(start_accepted_ = accept_start())) return;
  } else {
    prove_root();
  }
  if (search_.root_proven() == 1.0) ++counters_.proven;
  const bool forced = std::count_if(root_.begin(), root_.end(), [](const NetworkSearch::RootMove& move) {
                        return !move.set_aside && move.proven != 0.0;
                      }) == 1;
  if (forced) full_ = false;  // nothing to choose, nothing to learn
  const int visits = forced ? 1 : full_ ? options_.visits : options_.fast_visits;
  const auto wanted = static_cast<std::uint64_t>(std::max(1, visits));
  const std::uint64_t kept = search_.kept_visits();
  target_ = std::max(wanted > kept ? wanted - kept : 0, (wanted + new_part - 1) / new_part);
  if (options_.gumbel) {
    gumbel_.begin(search_, static_cast<int>(target_), options_, random_);
  } else if (full_ && options_.noise > 0) {
    add_noise();
  }
}

// Looks further than the quick probe. A win that is known needs no simulations, and is an exact target.
void SelfPlayGame::prove_root() {
  if (options_.proof_effort > 0 && !no_win_found_) search_.prove_root_shortly(options_.proof_effort);
}

void SelfPlayGame::add_noise() {
  const auto open = static_cast<std::size_t>(
      std::count_if(root_.begin(), root_.end(), [](const NetworkSearch::RootMove& move) { return !move.set_aside; }));
  std::vector<double> shares(open);
  dirichlet(options_.noise_total / static_cast<double>(open), random_, shares);
  std::vector<float> priors;
  for (std::size_t i = 0, next = 0; i < root_.size(); ++i) {
    const double noise = root_[i].set_aside ? root_[i].prior : shares[next++];
    priors.push_back(static_cast<float>((1.0 - options_.noise) * root_[i].prior + options_.noise * noise));
  }
  search_.set_root_priors(priors);
}

bool SelfPlayGame::needs_simulations() const {
  return !search_.root_proven() && search_.simulations() + static_cast<std::uint64_t>(waiting_) < target_;
}

// Runs simulations until every row has a waiting leaf or the search has enough. Returns false if the search is
// finished.
bool SelfPlayGame::fill_batch(const Batch& rows) {
  if (!root_prepared_) {
    if (!search_.root_evaluated()) {
      search_.simulate(0);
      encode_leaf(0, rows);
      return true;
    }
    prepare_root();
  }
  for (int row = 0; row < static_cast<int>(leaves_.size()); ++row) {
    while (!leaves_[static_cast<std::size_t>(row)].waits && needs_simulations()) {
      const std::uint32_t position = options_.gumbel ? gumbel_.next(search_) : Tree::no_position;
      const NetworkSearch::LeafStatus status = search_.simulate(row, position);
      if (status == NetworkSearch::LeafStatus::blocked) return waiting_ > 0;
      if (status == NetworkSearch::LeafStatus::waiting) encode_leaf(row, rows);
    }
  }
  return waiting_ > 0;
}

// Encodes a waiting leaf into its row.
void SelfPlayGame::encode_leaf(int row, const Batch& rows) {
  const Planes& planes = *config_.planes;
  Leaf& leaf = leaves_[static_cast<std::size_t>(row)];
  float* const image = rows.planes + static_cast<std::size_t>(row) * planes.size();
  leaf.waits = true;
  leaf.symmetry =
      options_.symmetries ? static_cast<int>(random_.below(static_cast<std::uint32_t>(planes.symmetries()))) : 0;
  ++waiting_;
  planes.encode_turned(search_.leaf(row), leaf.symmetry, image);
}

// Samples an opening move from the policy. If it ends the game, a new opening begins.
void SelfPlayGame::make_policy_move() {
  searching_ = false;
  --policy_plies_;
  std::vector<double> weights;
  weights.reserve(raw_priors_.size());
  for (const auto& [move, prior] : raw_priors_) {
    weights.push_back(std::pow(static_cast<double>(prior), 1.0 / options_.policy_temperature));
  }
  const Move move = raw_priors_[sample_index(weights, random_)].first;
  state_->play(move);
  played_.moves.push_back(move);
  ++played_.opening;
  if (state_->over()) begin_opening();
}

void SelfPlayGame::make_move() {
  searching_ = false;
  counters_.simulations += search_.simulations();
  std::vector<double> shares;
  Move move = no_move;
  int chosen = 0;
  do {
    search_.root_moves(root_);
    move = choose(shares);
  } while (refutes(move) && ++chosen < max_chosen);
  const int player = state_->player();
  record(shares);
  count_placement(move);
  state_->play(move);
  played_.moves.push_back(move);
  ++counters_.plies;
  if (state_->over()) {
    finish_game(state_->scores(), -1);
  } else if (resigns(player, played_.searched.back().value)) {
    Scores scores{};
    scores[1 - player] = 1.0;
    ++counters_.resigned;
    finish_game(scores, player);
  }
}

bool SelfPlayGame::resigns(int player, double value) {
  if (options_.resign <= 0) return false;
  low_moves_[player] = value < options_.resign ? low_moves_[player] + 1 : 0;
  if (low_moves_[player] < options_.resign_moves || would_have_resigned_ >= 0) return false;
  if (may_resign_) return true;
  would_have_resigned_ = player;
  return false;
}

void SelfPlayGame::finish_game(const Scores& scores, int resigned_by) {
  played_.scores = scores;
  played_.resigned_by = resigned_by;
  ++counters_.games;
  if (scores[0] == 1.0) ++counters_.first_player_wins;
  if (scores[0] == 0.5) ++counters_.draws;
  if (would_have_resigned_ >= 0) {
    ++counters_.control;
    if (scores[would_have_resigned_] > 0.0) ++counters_.control_wrong;
  }
  finished_.push_back(std::move(played_));
  begin_game();
}

}  // namespace tesuji::zero
