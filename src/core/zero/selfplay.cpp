#include "zero/selfplay.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/thread_pool.hpp"

namespace tesuji::zero {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t max_boards = 255;

double since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

}  // namespace

SelfPlay::SelfPlay(SelfPlayConfig config) : config_(std::move(config)) {
  if (config_.boards.empty() || config_.boards.size() > max_boards) {
    throw std::invalid_argument("self-play needs from 1 to " + std::to_string(max_boards) + " boards");
  }
  for (SelfPlayConfig::Board& board : config_.boards) {
    const std::unique_ptr<State> start = board.start();
    config_.planes->check(*start);
    board.rows = config_.planes->rows();
    board.columns = config_.planes->columns();
    if (config_.planes->any_size()) {  // a square on which the first move may go anywhere
      MoveList moves;
      start->moves(moves);
      board.rows = board.columns = static_cast<int>(std::lround(std::sqrt(moves.size())));
    }
    if (config_.planes->exchange(*start) != Exchange::none) {
      throw std::invalid_argument("these planes have no index for the swap: train without it");
    }
  }
  if (config_.options.games < groups) throw std::invalid_argument("self-play needs at least two games at once");
  const auto each = static_cast<std::uint64_t>(config_.options.games / groups);
  batch_size_ = each * static_cast<std::uint64_t>(config_.search.batch_size);
  for (int group = 0; group < groups; ++group) {
    for (std::uint64_t game = 0; game < each; ++game) {
      const std::uint64_t number = game * groups + static_cast<std::uint64_t>(group);
      groups_[group].games.push_back(std::make_unique<SelfPlayGame>(config_, number, groups * each));
    }
    groups_[group].advanced.assign(each, 0);
  }
}

SelfPlay::~SelfPlay() = default;

void SelfPlay::advance(int group, std::size_t game) {
  const Batch& batch = groups_[group].batch;
  const std::size_t row = game * static_cast<std::size_t>(config_.search.batch_size);
  const auto policy_size = static_cast<std::size_t>(config_.planes->policy_size());
  SelfPlayGame& advanced = *groups_[group].games[game];
  advanced.advance({batch.planes + row * config_.planes->size(), batch.policy + row * policy_size, batch.value + row});
  groups_[group].advanced[game] = 1;
  if (!advanced.has_finished()) return;
  const std::lock_guard<std::mutex> lock(finishing_);
  groups_[group].finishing.push_back(game);
}

// Collects a group's finished games, in a fixed order; returns the number of positions. The searching threads are idle
// meanwhile, so it touches only the games that need it.
std::uint64_t SelfPlay::collect(int group) {
  std::uint64_t positions = 0;
  std::vector<std::size_t>& finishing = groups_[group].finishing;
  std::sort(finishing.begin(), finishing.end());
  for (const std::size_t number : finishing) {
    SelfPlayGame& game = *groups_[group].games[number];
    for (PlayedGame& played : game.take_finished()) {
      positions += played.searched.size();
      finished_.push_back(std::move(played));
    }
    counters_.add(game.take_counters());
  }
  finishing.clear();
  return positions;
}

// Where a group is not completely searched, what was just searched is counted once its finished games are collected.
void SelfPlay::collect_counters() {
  for (const Group& group : groups_) {
    for (std::size_t game = 0; game < group.games.size(); ++game) {
      if (group.waits || !group.advanced[game]) counters_.add(group.games[game]->take_counters());
    }
  }
}

void SelfPlay::restart_searches() {
  for (Group& group : groups_) {
    group.waits = false;
    std::fill(group.advanced.begin(), group.advanced.end(), 0);
    for (const auto& game : group.games) game->restart_search();
  }
  next_ = 0;
}

std::vector<PlayedGame> SelfPlay::in_progress() const {
  std::vector<PlayedGame> games;
  for (const Group& group : groups_) {
    for (const auto& game : group.games) {
      games.push_back(game->played());
      games.back().scores.fill(unknown_score);
    }
  }
  return games;
}

void SelfPlay::adopt(const std::vector<PlayedGame>& games) {
  const std::size_t each = groups_[0].games.size();
  if (games.size() != groups * each) {
    throw std::invalid_argument("there are " + std::to_string(groups * each) + " games at once, not " +
                                std::to_string(games.size()));
  }
  for (std::size_t i = 0; i < games.size(); ++i) groups_[i / each].games[i % each]->adopt(games[i]);
  restart_searches();
}

std::vector<PlayedGame> SelfPlay::run(const SelfPlayBudget& budget, const std::function<void(int)>& evaluate,
                                      const std::function<bool()>& go_on, const std::function<bool()>& stopped) {
  const auto began = Clock::now();
  std::uint64_t positions = 0;
  const auto over = [&] { return (budget.seconds > 0 && since(began) >= budget.seconds) || stopped(); };
  const auto done = [&] {
    return over() || (budget.games > 0 && finished_.size() >= budget.games) ||
           (budget.positions > 0 && positions >= budget.positions) || !go_on();
  };
  ThreadPool pool(config_.options.threads);
  const auto search = [&](int group) {
    pool.start(groups_[group].games.size(), [this, group, &over](std::size_t game) {
      if (!groups_[group].advanced[game] && !over()) advance(group, game);
    });
  };
  // Games are collected once the whole group is searched, so that their order does not depend on when a run ended.
  const auto searched = [&](int number) {
    pool.wait();
    Group& group = groups_[number];
    group.waits =
        std::all_of(group.advanced.begin(), group.advanced.end(), [](std::uint8_t each) { return each != 0; });
    if (group.waits) positions += collect(number);
  };
  try {
    if (!groups_[next_].waits) {
      search(next_);
      searched(next_);
    }
    while (groups_[next_].waits) {
      const int other = 1 - next_;
      const bool overlap = !groups_[other].waits;
      if (overlap) search(other);
      const auto asked = Clock::now();
      evaluate(next_);
      groups_[next_].waits = false;
      std::fill(groups_[next_].advanced.begin(), groups_[next_].advanced.end(), 0);
      const auto answered = Clock::now();
      timings_.evaluating += std::chrono::duration<double>(answered - asked).count();
      if (overlap) searched(other);
      timings_.waiting += since(answered);
      next_ = other;
      if (done()) break;
    }
  } catch (...) {
    // A simulation or a batch may be incomplete.
    pool.cancel();
    restart_searches();
    throw;
  }
  collect_counters();
  timings_.seconds += since(began);
  return std::exchange(finished_, {});
}

}  // namespace tesuji::zero
