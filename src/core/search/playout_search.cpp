#include "search/playout_search.hpp"

#include <algorithm>
#include <stdexcept>
#include <thread>
#include <utility>

#include "base/threads.hpp"

namespace tesuji {

namespace {

// Where Python is called, the clock is read each time.
constexpr int simulations_between_clock_reads = 16;
constexpr int plies_between_clock_reads = 64;
constexpr std::uint64_t max_visits = 4'000'000'000;  // a node's counter has 32 bits

}  // namespace

Report PlayoutSearch::search(const State& root, const Budget& budget, SearchMonitor& monitor, bool reuse) {
  limits_.begin(budget, &monitor);
  error_ = nullptr;
  {
    const SearchBatch batch(monitor);
    try {
      prepare(root, monitor, reuse);
    } catch (...) {
      forget();
      throw;
    }
  }
  run_workers(monitor);
  limits_.stop(Stop::iterations);  // unless already stopped
  if (error_ != nullptr) {
    // The failed simulation may have left the tree inconsistent.
    {
      const SearchBatch batch(monitor);
      forget();
    }
    std::rethrow_exception(std::exchange(error_, nullptr));
  }
  return report();
}

void PlayoutSearch::prepare(const State& root, SearchMonitor& monitor, bool reuse) {
  if (root.over()) throw std::invalid_argument("the game is over: there is no move to search for");
  prepare_root(root, reuse);
  prove_root_win(monitor, prover_share(limits_.budget().seconds, limits_.budget().iterations));
  const bool proven = root_node().outcome.load() != unproven;
  if (limits_.slow() && !proven && limits_.out_of_time()) limits_.stop(Stop::seconds);
}

void PlayoutSearch::run_workers(SearchMonitor& monitor) {
  Threads threads([this] { limits_.stop(Stop::cancelled); });
  threads.start(static_cast<int>(workers_.size()) - 1,
                [&](int i) { run(*workers_[static_cast<std::size_t>(i) + 1], monitor, false); });
  run(*workers_.front(), monitor, true);
  threads.join();
}

void PlayoutSearch::run(Worker& worker, SearchMonitor& monitor, bool calling_thread) {
  const int between = limits_.slow() ? 1 : simulations_between_clock_reads;
  auto last_poll = SearchLimits::Clock::now();
  const SearchBatch batch(monitor);
  try {
    for (int count = 0; may_simulate(worker);) {
      if (simulate(worker)) add(worker.completed, 1, false);
      if (++count < between) continue;
      count = 0;
      const auto now = SearchLimits::Clock::now();
      if (limits_.out_of_time()) limits_.stop(Stop::seconds);
      if (root_visits(worker) > max_visits) limits_.stop(Stop::iterations);
      if (now - last_poll < SearchLimits::poll_interval) continue;
      last_poll = now;
      if (calling_thread) {
        if (!poll_within_batch(monitor)) limits_.stop(Stop::cancelled);
      } else {
        monitor.end_batch();
        monitor.begin_batch();
      }
    }
    flush(worker);
  } catch (...) {
    const std::lock_guard<std::mutex> lock(error_mutex_);
    if (error_ == nullptr) error_ = std::current_exception();
    limits_.stop(Stop::cancelled);
  }
}

bool PlayoutSearch::may_simulate(Worker& worker) {
  if (limits_.reason() != Stop::none) return false;
  if (limits_.cancelled()) {
    limits_.stop(Stop::cancelled);
  } else if (solver_ && root_node().outcome.load(acquire) != unproven) {
    limits_.stop(Stop::proven);
  } else {
    return limits_.claim(worker.claimed);
  }
  return false;
}

bool PlayoutSearch::simulate(Worker& worker) {
  Scores result;
  const DescentEnd end = hidden_ ? descend_hidden(worker, result) : descend(worker, result);
  if (end == DescentEnd::blocked) {
    ++worker.claimed;  // keep the claimed simulation
    std::this_thread::yield();
    return false;
  }
  if (end == DescentEnd::leaf && !evaluate(worker, result)) {
    undo(worker, worker.path);
    return false;
  }
  back_up(worker, result);
  check_memory();
  return true;
}

// Runs a playout, up to the cut-off if there is one. Returns false if the search was stopped meanwhile.
bool PlayoutSearch::evaluate(Worker& worker, Scores& result) {
  State& state = *worker.state;
  if (PositionCache* const cache = state.position_cache(); cache != nullptr && playout_depth_ != 0) {
    cache->begin_playout();
  }
  PlayoutRequest request;
  request.max_plies = playout_depth_;
  request.trace = formula_.uses_rave() ? &worker.trace : nullptr;
  struct Asked {
    const SearchLimits& limits;
    bool stopped = false;
  } asked{limits_};
  request.stopped_context = &asked;
  request.stopped = [](void* given) {
    auto& [limits, stopped] = *static_cast<Asked*>(given);
    return stopped = limits.stopped();
  };
  if (hooks_.playout_policy == nullptr) {
    state.playout(worker.random, request);
  } else if (!hooks_.playout_policy->play_out(state, worker.random, request)) {
    const int between = limits_.slow() ? 1 : plies_between_clock_reads;
    for (int plies = 0; plies != request.max_plies && !state.over(); ++plies) {
      if (state.player() == chance_player) {
        state.play(state.sample_chance(worker.random));
      } else {
        state.moves(worker.moves);
        const Move move = hooks_.playout_policy->choose(state, worker.moves, worker.random);
        if (request.trace != nullptr) request.trace->push_back({move, state.player()});
        state.play(move);
      }
      if (plies % between == between - 1 && request.stopped(&asked)) break;
    }
  }
  if (state.over()) {
    result = state.scores();
    return true;
  }
  if (asked.stopped || request.max_plies < 0) return false;
  const int players = state.players();
  if (hooks_.value == nullptr) {
    result.fill(players == 1 ? 0.5 : 1.0 / players);
  } else if (players == 2) {
    const int seat = evaluated_seat(state);
    result = scores_of_two(seat, hooks_.value->value(state, seat));
  } else {
    for (int player = 0; player < players; ++player) result[player] = hooks_.value->value(state, player);
  }
  return true;
}

}  // namespace tesuji
