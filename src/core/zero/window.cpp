#include "zero/window.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "base/threads.hpp"

namespace tesuji::zero {

namespace {

constexpr float share_unit = 65535.0F;
constexpr std::size_t max_moves = 65535;
// Rows per task.
constexpr std::size_t chunk_size = 32;

[[noreturn]] void fail(const std::string& message) { throw std::invalid_argument(message); }

void check_options(const WindowOptions& options) {
  if (options.capacity < 1) fail("the window's capacity must be at least 1");
  if (!(options.surprise >= 0 && options.surprise <= 1)) fail("surprise must be from 0 to 1");
  if (!(options.fast_search_weight >= 0 && options.fast_search_weight <= 1))
    fail("fast_search_weight must be from 0 to 1");
}

std::unique_ptr<float[]> zeros(std::size_t count) { return std::make_unique<float[]>(count); }

}  // namespace

TrainingBatch::TrainingBatch(std::size_t count, const Planes& by)
    : rows(count),
      planes(new float[count * by.size()]),  // uninitialized: every element is written
      policy(zeros(count * static_cast<std::size_t>(by.policy_size()))),
      policy_weight(zeros(count)),
      value(zeros(count)),
      value_weight(zeros(count)),
      root_value(zeros(count)),
      reply(zeros(count * static_cast<std::size_t>(by.policy_size()))),
      reply_weight(zeros(count)),
      moves_left(zeros(count)) {}

Window::Window(std::vector<std::unique_ptr<State>> starts, std::shared_ptr<const Planes> planes,
               const WindowOptions& options)
    : starts_(std::move(starts)), planes_(std::move(planes)), options_(options) {
  check_options(options);
  if (starts_.empty()) fail("a window needs at least one start position");
  for (const auto& start : starts_) {
    planes_->check(*start);
    if (start->players() != 2) fail("self-play needs a game of two players");
  }
  if (planes_->policy_size() > 65535) fail("a policy can have at most 65535 moves");
}

StoredGame Window::kept(const PlayedGame& game) const {
  if (game.moves.size() > max_moves) fail("a game can have at most 65535 moves");
  if (game.opening > game.moves.size()) fail("the opening is longer than the game");
  StoredGame result;
  result.board = game.board;
  result.deal = game.deal;
  for (const Move move : game.moves) {
    if (move > 65535) fail("illegal move " + std::to_string(move));
    result.moves.push_back(static_cast<std::uint16_t>(move));
  }
  result.opening = static_cast<std::uint16_t>(game.opening);
  for (const SearchedPly& ply : game.searched) {
    if (ply.first > game.targets.size() || ply.count > game.targets.size() - ply.first) {
      fail("a search refers to missing targets");
    }
    std::uint16_t count = 0;
    for (std::uint32_t i = ply.first; i < ply.first + ply.count; ++i) {
      const auto [index, share] = game.targets[i];
      if (index >= static_cast<std::uint32_t>(planes_->policy_size())) {
        fail("policy index " + std::to_string(index) + " is not below " + std::to_string(planes_->policy_size()));
      }
      if (!(share >= 0 && share <= 1.0001F)) fail("a share must be from 0 to 1, not " + std::to_string(share));
      const auto units = static_cast<std::uint16_t>(std::lround(std::min(share, 1.0F) * share_unit));
      if (units == 0 || !ply.full) continue;  // only full searches train the policy
      result.indices.push_back(static_cast<std::uint16_t>(index));
      result.shares.push_back(units);
      ++count;
    }
    result.plies.push_back({ply.value, ply.surprise, count, ply.full});
  }
  result.score = static_cast<float>(game.scores[0]);
  result.resigned_by = static_cast<std::int8_t>(game.resigned_by);
  if (std::isnan(game.scores[0]) && std::isnan(game.scores[1])) return result;
  if (!(std::abs(game.scores[0] + game.scores[1] - 1) <= 1e-6)) fail("the scores of two players must add up to 1");
  return result;
}

PlayedGame Window::played(const StoredGame& game) {
  PlayedGame result;
  result.board = game.board;
  result.deal = game.deal;
  result.moves.assign(game.moves.begin(), game.moves.end());
  result.opening = game.opening;
  for (std::size_t i = 0; i < game.indices.size(); ++i) {
    result.targets.emplace_back(game.indices[i], static_cast<float>(game.shares[i]) / share_unit);
  }
  std::uint32_t first = 0;
  for (const StoredGame::Ply& ply : game.plies) {
    result.searched.push_back({first, ply.count, ply.value, ply.surprise, ply.full});
    first += ply.count;
  }
  result.scores = {static_cast<double>(game.score), 1.0 - static_cast<double>(game.score)};
  result.resigned_by = game.resigned_by;
  return result;
}

// A copy of the start position, to replay the game from.
std::unique_ptr<State> Window::start_of(const StoredGame& game) const {
  std::unique_ptr<State> state = starts_[game.board]->clone();
  deal(*state, game.deal);
  if (PositionCache* const cache = state->position_cache()) cache->begin_playout();
  return state;
}

// Checks everything that sampling relies on, and sets the players.
void Window::check(StoredGame& game) const {
  if (game.board >= starts_.size()) {
    fail("board " + std::to_string(game.board) + " is not below " + std::to_string(starts_.size()));
  }
  if (game.opening > game.moves.size() || game.plies.size() != game.moves.size() - game.opening) {
    fail("a game needs one search per move after the opening");
  }
  const bool ended = !std::isnan(game.score);
  if (ended && !(game.score >= 0 && game.score <= 1))
    fail("a score must be from 0 to 1, not " + std::to_string(game.score));
  if (game.resigned_by < -1 || game.resigned_by > 1) fail("there is no player " + std::to_string(game.resigned_by));
  std::size_t targets = 0;
  for (const StoredGame::Ply& ply : game.plies) {
    if (!(ply.value >= 0 && ply.value <= 1)) fail("a value must be from 0 to 1, not " + std::to_string(ply.value));
    if (!(ply.surprise >= 0 && std::isfinite(ply.surprise))) {
      fail("a surprise must be finite and at least 0, not " + std::to_string(ply.surprise));
    }
    if (ply.full && ply.count == 0) fail("a full search must have a target");
    targets += ply.count;
  }
  if (targets != game.indices.size() || targets != game.shares.size()) fail("the counts do not match the targets");
  for (const std::uint16_t index : game.indices) {
    if (index >= planes_->policy_size()) {
      fail("policy index " + std::to_string(index) + " is not below " + std::to_string(planes_->policy_size()));
    }
  }
  if (std::find(game.shares.begin(), game.shares.end(), 0) != game.shares.end()) fail("a target has no share");
  const std::unique_ptr<State> state = start_of(game);
  for (std::size_t i = 0; i < game.moves.size(); ++i) {
    if (!state->legal(game.moves[i])) {
      fail("move " + std::to_string(i + 1) + ": illegal move " + std::to_string(game.moves[i]));
    }
    if (i >= game.opening) game.plies[i - game.opening].player = static_cast<std::uint8_t>(state->player());
    state->play(game.moves[i]);
  }
  if (state->over() && !(std::abs(state->scores()[0] - static_cast<double>(game.score)) <= 1e-6)) {
    fail("the score differs from the result of the game");
  }
}

std::vector<StoredGame> Window::kept(const std::vector<PlayedGame>& games) const {
  std::vector<StoredGame> result;
  for (std::size_t i = 0; i < games.size(); ++i) {
    try {
      result.push_back(kept(games[i]));
    } catch (const std::invalid_argument& error) {
      fail("game " + std::to_string(i + 1) + ": " + error.what());
    }
  }
  return result;
}

void Window::add_unchecked(const std::vector<PlayedGame>& games) {
  for (StoredGame& game : kept(games)) games_.push_back(std::make_shared<const StoredGame>(std::move(game)));
}

Window::Games Window::checked(std::vector<StoredGame> games) const {
  Games result;
  for (std::size_t i = 0; i < games.size(); ++i) {
    try {
      check(games[i]);
    } catch (const std::invalid_argument& error) {
      fail("game " + std::to_string(i + 1) + ": " + error.what());
    }
    result.push_back(std::make_shared<const StoredGame>(std::move(games[i])));
  }
  return result;
}

void Window::add(Games games) {
  std::move(games.begin(), games.end(), std::back_inserter(games_));
  rebuild_index();
}

std::size_t Window::positions_of(const StoredGame& game) const {
  return static_cast<std::size_t>(
      std::count_if(game.plies.begin(), game.plies.end(), [&](const StoredGame::Ply& ply) { return drawn(ply); }));
}

// Drops the oldest games beyond the capacity and rebuilds the list of positions and weights.
void Window::rebuild_index() {
  std::size_t count = 0;
  std::size_t keep = 0;  // number of newest games to keep, at least one
  while (keep < games_.size()) {
    count += positions_of(*games_[games_.size() - 1 - keep]);
    if (count > options_.capacity && keep > 0) break;
    ++keep;
  }
  games_.erase(games_.begin(), games_.end() - static_cast<std::ptrdiff_t>(keep));

  rows_.clear();
  double total = 0;
  std::size_t full = 0;
  for (std::size_t game = 0; game < games_.size(); ++game) {
    std::uint32_t target = 0;
    for (std::size_t i = 0; i < games_[game]->plies.size(); ++i) {
      const StoredGame::Ply& ply = games_[game]->plies[i];
      if (drawn(ply)) rows_.push_back({static_cast<std::uint32_t>(game), static_cast<std::uint16_t>(i), target});
      if (ply.full) total += static_cast<double>(ply.surprise), ++full;
      target += ply.count;
    }
  }
  const double mean = full > 0 ? total / static_cast<double>(full) : 0;
  sums_.clear();
  double sum = 0;
  for (const Row& row : rows_) {
    const StoredGame::Ply& ply = games_[row.game]->plies[row.ply];
    const double relative = mean > 0 ? static_cast<double>(ply.surprise) / mean : 1.0;
    sum += ply.full ? 1 - options_.surprise + options_.surprise * relative : options_.fast_search_weight;
    sums_.push_back(sum);
  }
}

void Window::set_capacity(std::size_t capacity) {
  WindowOptions wanted = options_;
  wanted.capacity = capacity;
  check_options(wanted);
  options_ = wanted;
  rebuild_index();
}

std::vector<Window::Sample> Window::draw(std::size_t count, std::uint64_t seed) const {
  if (rows_.empty()) fail("the window has no position to sample");
  std::vector<Sample> samples;
  samples.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    Random random(seed, i);
    const auto found = std::upper_bound(sums_.begin(), sums_.end() - 1, random.uniform() * sums_.back());
    const int symmetry = static_cast<int>(random.below(static_cast<std::uint32_t>(planes_->symmetries())));
    const Row& row = rows_[static_cast<std::size_t>(found - sums_.begin())];
    samples.push_back({games_[row.game], row.ply, row.target, symmetry});
  }
  return samples;
}

TrainingBatch Window::write(const std::vector<Sample>& samples, int threads, const std::function<void()>& poll) const {
  TrainingBatch batch(samples.size(), *planes_);
  const std::size_t chunks = (samples.size() + chunk_size - 1) / chunk_size;
  const auto work = [&](int number) {
    const std::size_t begin = static_cast<std::size_t>(number) * chunk_size;
    for (std::size_t i = begin; i < std::min(begin + chunk_size, samples.size()); ++i) write(samples[i], batch, i);
  };
  parallel_for(static_cast<int>(chunks), threads, work, poll);
  return batch;
}

void Window::write(const Sample& sample, TrainingBatch& batch, std::size_t to) const {
  const StoredGame& game = *sample.game;
  const StoredGame::Ply& ply = game.plies[sample.ply];
  const std::size_t at = static_cast<std::size_t>(game.opening) + sample.ply;
  const int symmetry = sample.symmetry;
  const std::unique_ptr<State> replayed = start_of(game);
  State& state = *replayed;
  for (std::size_t i = 0; i < at; ++i) state.play(game.moves[i]);
  planes_->encode_turned(state, symmetry, batch.planes.get() + to * planes_->size());

  const int mover = state.player();
  batch.value[to] = 0.5F;
  if (!std::isnan(game.score)) {
    batch.value[to] = mover == 0 ? game.score : 1 - game.score;
    batch.value_weight[to] = 1;
  }
  batch.root_value[to] = ply.value;
  batch.moves_left[to] = static_cast<float>(game.moves.size() - at);
  const auto write_policy = [&](std::size_t first, std::size_t count, auto&& seen, float* out) {
    out += to * static_cast<std::size_t>(planes_->policy_size());
    float whole = 0;
    for (std::size_t i = first; i < first + count; ++i) whole += game.shares[i];
    for (std::size_t i = first; i < first + count; ++i) {
      out[planes_->transform_index(symmetry, seen(game.indices[i]))] += game.shares[i] / whole;
    }
  };
  if (ply.full) {
    write_policy(sample.target, ply.count, [](int index) { return index; }, batch.policy.get());
    batch.policy_weight[to] = 1;
  }
  if (static_cast<std::size_t>(sample.ply) + 1 == game.plies.size()) return;
  const StoredGame::Ply& next = game.plies[sample.ply + std::size_t{1}];
  if (!next.full) return;
  state.play(game.moves[at]);
  if (state.player() == mover) return;
  const auto seen = [&](int index) { return planes_->reply_index(index); };
  write_policy(sample.target + ply.count, next.count, seen, batch.reply.get());
  batch.reply_weight[to] = 1;
}

}  // namespace tesuji::zero
