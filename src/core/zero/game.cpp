#include "zero/game.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "zero/noise.hpp"

namespace tesuji::zero {

namespace {

// A kept tree may have all the visits that are wanted: so large a part of them is made anew all the same.
constexpr int new_part = 4;
// Where positions are proven without the network, a game ends soon; then it is the next game's turn.
constexpr int most_moves_at_once = 512;
constexpr int far_away = 2;  // cells; more is distant
// Smaller parts of a target are left out: Gumbel's has one for every move, most of them next to nothing.
constexpr double least_share = 2e-4;

std::size_t draw(const std::vector<double>& weights, Random& random) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  double left = random.uniform() * sum;
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    last = i;
    if ((left -= weights[i]) < 0) break;
  }
  return last;
}

}  // namespace

void Counters::add(const Counters& other) {
  games += other.games;
  plies += other.plies;
  simulations += other.simulations;
  evaluations += other.evaluations;
  first_player_wins += other.first_player_wins;
  draws += other.draws;
  placed += other.placed;
  distant += other.distant;
  border += other.border;
  top_share += other.top_share;
  full += other.full;
  resigned += other.resigned;
  control += other.control;
  control_wrong += other.control_wrong;
}

GameInPlay::GameInPlay(const Setting& setting, std::uint64_t number, std::uint64_t count)
    : setting_(setting),
      options_(setting.options),
      number_(number),
      count_(count),
      search_(setting.search, setting.hooks),
      priors_(*setting.planes),
      slots_(static_cast<std::size_t>(setting.search.leaves)),
      image_(setting.planes->size()) {
  begin_game();
}

void GameInPlay::begin_game() {
  random_ = Random(options_.seed, number_);
  number_ += count_;
  search_.forget();
  while (!play_opening()) {
  }
  policy_plies_ = random_.below(static_cast<std::uint32_t>(options_.policy_plies) + 1);
  // Whatever the planes make of a position once and keep up to date from then on, the search's states inherit.
  setting_.planes->encode(*state_, image_.data());
  may_resign_ = random_.uniform() >= options_.resign_control;
  low_moves_[0] = low_moves_[1] = 0;
  would_have_resigned_ = -1;
}

// Random moves, near to what is there where the hooks know what that is. False where they ended the game.
bool GameInPlay::play_opening() {
  played_ = {};
  state_ = setting_.start();
  const std::uint32_t plies = random_.below(static_cast<std::uint32_t>(options_.opening_plies) + 1);
  MoveList moves;
  std::vector<float> near;
  for (std::uint32_t ply = 0; ply < plies; ++ply) {
    state_->moves(moves);
    std::vector<double> weights(moves.size(), 1.0);
    if (setting_.hooks.proximity != nullptr) {
      setting_.hooks.proximity->weigh(*state_, moves, true, near);
      weights.assign(near.begin(), near.end());
    }
    const Move move = moves[draw(weights, random_)];
    state_->play(move);
    played_.moves.push_back(move);
    if (state_->over()) return false;
  }
  played_.opening = plies;
  return true;
}

void GameInPlay::restart_search() {
  for (Slot& slot : slots_) slot.waits = false;
  waiting_ = 0;
  searching_ = false;
  search_.forget();
}

void GameInPlay::adopt(const PlayedGame& played) {
  if (played.opening > played.moves.size() || played.searched.size() != played.moves.size() - played.opening) {
    throw std::invalid_argument("a game in progress must have one search for each move after the opening");
  }
  for (const Searched& search : played.searched) {
    if (search.first > played.targets.size() || search.count > played.targets.size() - search.first) {
      throw std::invalid_argument("a search names targets that are not there");
    }
  }
  std::unique_ptr<State> state = setting_.start();
  for (const Move move : played.moves) {
    if (!state->legal(move)) throw std::invalid_argument("illegal move " + std::to_string(move));
    state->play(move);
  }
  if (state->over()) throw std::invalid_argument("a game in progress must not be over");
  restart_search();
  played_ = played;
  state_ = std::move(state);
  setting_.planes->encode(*state_, image_.data());
}

void GameInPlay::advance(const Rows& rows) {
  const auto policy_size = static_cast<std::size_t>(setting_.planes->policy_size());
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    if (!slots_[slot].waits) continue;
    priors_.read({rows.policy + slot * policy_size, rows.value[slot], slots_[slot].symmetry});
    search_.resume(static_cast<int>(slot), priors_, win_probability(rows.value[slot]));
    slots_[slot].waits = false;
    ++counters_.evaluations;
  }
  waiting_ = 0;
  for (int moves = 0; moves < most_moves_at_once; ++moves) {
    if (!searching_) begin_search();
    if (send_down(rows)) return;
    if (policy_plies_ > 0) {
      make_policy_move();
    } else {
      make_move();
    }
  }
}

void GameInPlay::begin_search() {
  full_ = random_.uniform() < options_.full_share;
  search_.start(*state_, options_.reuse);
  searching_ = true;
  root_prepared_ = false;
}

// Once the root's priors are there.
void GameInPlay::prepare_root() {
  root_prepared_ = true;
  search_.prove_root_win_in_sight();
  search_.root_moves(root_);
  raw_priors_.clear();
  for (const Mcts::RootMove& move : root_) raw_priors_.emplace_back(move.move, move.prior);
  if (search_.root_proven()) policy_plies_ = 0;  // what is decided is no opening
  target_ = 0;
  if (policy_plies_ > 0) return;
  const auto wanted = static_cast<std::uint64_t>(std::max(1, full_ ? options_.visits : options_.fast_visits));
  const std::uint64_t kept = search_.kept_visits();
  target_ = std::max(wanted > kept ? wanted - kept : 0, (wanted + new_part - 1) / new_part);
  if (options_.gumbel) {
    gumbel_.begin(search_, static_cast<int>(target_), options_, random_);
  } else if (full_ && options_.noise > 0) {
    add_noise();
  }
}

void GameInPlay::add_noise() {
  const auto open = static_cast<std::size_t>(
      std::count_if(root_.begin(), root_.end(), [](const Mcts::RootMove& move) { return !move.set_aside; }));
  std::vector<double> shares(open);
  dirichlet(options_.noise_total / static_cast<double>(open), random_, shares);
  std::vector<float> priors;
  for (std::size_t i = 0, next = 0; i < root_.size(); ++i) {
    const double noise = root_[i].set_aside ? root_[i].prior : shares[next++];
    priors.push_back(static_cast<float>((1.0 - options_.noise) * root_[i].prior + options_.noise * noise));
  }
  search_.set_root_priors(priors);
}

bool GameInPlay::wants_more() const {
  return !search_.root_proven() && search_.simulations() + static_cast<std::uint64_t>(waiting_) < target_;
}

// Simulations, until every slot waits or enough are on their way. False when none waits: the search is done.
bool GameInPlay::send_down(const Rows& rows) {
  if (!root_prepared_) {
    if (!search_.root_known()) {
      search_.descend(0);
      send(0, rows);
      return true;
    }
    prepare_root();
  }
  for (int slot = 0; slot < static_cast<int>(slots_.size()); ++slot) {
    while (!slots_[static_cast<std::size_t>(slot)].waits && wants_more()) {
      const std::uint32_t position = options_.gumbel ? gumbel_.next(search_) : Tree::no_position;
      const Mcts::Descent descent = search_.descend(slot, position);
      if (descent == Mcts::Descent::blocked) return waiting_ > 0;
      if (descent == Mcts::Descent::waits) send(slot, rows);
    }
  }
  return waiting_ > 0;
}

// Writes the leaf into its row.
void GameInPlay::send(int slot, const Rows& rows) {
  const Planes& planes = *setting_.planes;
  Slot& at = slots_[static_cast<std::size_t>(slot)];
  float* const row = rows.planes + static_cast<std::size_t>(slot) * planes.size();
  at.waits = true;
  at.symmetry =
      options_.symmetries ? static_cast<int>(random_.below(static_cast<std::uint32_t>(planes.symmetries()))) : 0;
  ++waiting_;
  if (at.symmetry == 0) {
    planes.encode(search_.leaf(slot), row);
  } else {
    planes.encode(search_.leaf(slot), image_.data());
    planes.transform_planes(at.symmetry, image_.data(), row);
  }
}

// A win on the spot. Who only knows that a move wins may win for ever.
std::optional<Move> GameInPlay::finishing_move() const {
  if (search_.root_proven() != 1.0) return std::nullopt;
  const std::unique_ptr<State> after = state_->clone();
  for (const Mcts::RootMove& move : root_) {
    if (move.proven != 1.0) continue;
    after->follow(*state_, move.move);
    if (after->over()) return move.move;
  }
  return std::nullopt;
}

// The move, and beside the root's moves the policy target. A certain win is the only target; moves that certainly lose
// are none, as long as there are others.
Move GameInPlay::choose(std::vector<double>& shares) {
  const Move best = finishing_move().value_or(search_.choice());
  const auto place = std::find_if(root_.begin(), root_.end(), [&](const auto& move) { return move.move == best; });
  shares.assign(root_.size(), 0.0);
  const bool certain = place->proven && *place->proven >= 1.0;
  const bool lost = search_.root_proven() == 0.0;
  double visits = 0;
  for (const Mcts::RootMove& move : root_) visits += move.proven == 0.0 && !lost ? 0 : move.visits;
  if (certain || visits <= 0) {
    shares[static_cast<std::size_t>(place - root_.begin())] = 1.0;
    // A lost position in which nothing was tried teaches nothing.
    full_ = full_ && (certain || !lost);
    return best;
  }
  if (options_.gumbel) {
    gumbel_.target(root_, search_.root_estimate(), shares);
    return search_.root_proven() ? best : gumbel_.choice(search_);
  }
  for (std::size_t i = 0; i < root_.size(); ++i) {
    if (root_[i].proven != 0.0 || lost) shares[i] = root_[i].visits / visits;
  }
  const double past = std::pow(0.5, static_cast<double>(played_.moves.size()) / options_.temperature_plies);
  const double temperature = options_.last_temperature + (options_.temperature - options_.last_temperature) * past;
  if (search_.root_proven() || temperature < 0.01) return best;
  std::vector<double> chances;
  const double top = *std::max_element(shares.begin(), shares.end());
  for (const double share : shares) chances.push_back(std::pow(share / top, 1.0 / temperature));
  return root_[draw(chances, random_)].move;
}

// A move of the opening, by the policy alone. Where it ends the game, that game has not happened.
void GameInPlay::make_policy_move() {
  searching_ = false;
  --policy_plies_;
  std::vector<double> weights;
  for (const auto& [move, prior] : raw_priors_) weights.push_back(prior);
  const Move move = raw_priors_[draw(weights, random_)].first;
  state_->play(move);
  played_.moves.push_back(move);
  ++played_.opening;
  if (state_->over()) begin_game();
}

void GameInPlay::make_move() {
  searching_ = false;
  counters_.simulations += search_.simulations();
  search_.root_moves(root_);
  std::vector<double> shares;
  const Move move = choose(shares);
  const int player = state_->player();
  record(shares);
  count_place(move);
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

void GameInPlay::record(const std::vector<double>& shares) {
  Searched found;
  found.first = static_cast<std::uint32_t>(played_.targets.size());
  // What the target's policy is worth, as far as its moves were tried: with raw visits, their mean.
  double tried = 0;
  double sum = 0;
  double kept = 0;
  for (std::size_t i = 0; i < root_.size(); ++i) {
    if (shares[i] >= least_share) kept += shares[i];
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
      if (shares[i] < least_share) continue;
      const auto prior = std::find_if(raw_priors_.begin(), raw_priors_.end(),
                                      [&](const auto& raw) { return raw.first == root_[i].move; });
      found.surprise += static_cast<float>(shares[i] * std::log(shares[i] / std::max(prior->second, 1e-9F)));
      const int index = setting_.planes->index(*state_, root_[i].move);
      played_.targets.emplace_back(static_cast<std::uint32_t>(index), static_cast<float>(shares[i] / kept));
    }
  }
  found.surprise = std::max(found.surprise, 0.0F);  // rounding may leave it a little below
  found.count = static_cast<std::uint32_t>(played_.targets.size()) - found.first;
  played_.searched.push_back(found);
}

// Where stones go: what proximity is meant to change. For games whose moves are cells.
void GameInPlay::count_place(Move move) {
  const Planes& planes = *setting_.planes;
  const auto cells = static_cast<Move>(planes.cells());
  if (planes.policy_planes() != 1 || move >= cells || played_.moves.empty()) return;
  const int columns = planes.columns();
  const auto row = static_cast<int>(move) / columns;
  const auto column = static_cast<int>(move) % columns;
  ++counters_.placed;
  if (row == 0 || column == 0 || row == planes.rows() - 1 || column == columns - 1) ++counters_.border;
  const bool near = std::any_of(played_.moves.begin(), played_.moves.end(), [&](Move other) {
    return other < cells && std::abs(static_cast<int>(other) / columns - row) <= far_away &&
           std::abs(static_cast<int>(other) % columns - column) <= far_away;
  });
  if (!near) ++counters_.distant;
}

bool GameInPlay::resigns(int player, double value) {
  if (options_.resign <= 0) return false;
  low_moves_[player] = value < options_.resign ? low_moves_[player] + 1 : 0;
  if (low_moves_[player] < options_.resign_moves || would_have_resigned_ >= 0) return false;
  if (may_resign_) return true;
  would_have_resigned_ = player;
  return false;
}

void GameInPlay::finish_game(const Scores& scores, int resigned_by) {
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
