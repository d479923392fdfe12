// Control flow of a search with playouts: threads, budgets, simulations.
#include "search/mcts.hpp"

#include <algorithm>
#include <stdexcept>
#include <thread>
#include <utility>

#include "base/atomics.hpp"
#include "base/threads.hpp"

namespace tesuji {

namespace {

// Where Python is called, the clock is read each time.
constexpr int simulations_between_clock_reads = 16;
constexpr int plies_between_clock_reads = 64;
constexpr std::uint64_t max_visits = 4'000'000'000;  // a node's counter has 32 bits

}  // namespace

Report Mcts::search(const State& root, const Budget& budget, SearchMonitor& monitor, bool reuse) {
  limits().begin(budget, &monitor);
  error_ = nullptr;
  monitor.begin_batch();
  try {
    prepare(root, monitor, reuse);
  } catch (...) {
    search_.forget();
    monitor.end_batch();
    throw;
  }
  monitor.end_batch();
  run_workers(monitor);
  limits().stop(Stop::iterations);  // unless already stopped
  if (error_ != nullptr) {
    // The failed simulation may have left the tree inconsistent.
    monitor.begin_batch();
    search_.forget();
    monitor.end_batch();
    std::rethrow_exception(std::exchange(error_, nullptr));
  }
  return report();
}

void Mcts::prepare(const State& root, SearchMonitor& monitor, bool reuse) {
  if (root.over()) throw std::invalid_argument("the game is over: there is no move to search for");
  search_.prepare_root(root, reuse);
  search_.root.prove_win(monitor, prover_share(limits().budget().seconds, limits().budget().iterations));
  const bool proven = context().root_node().outcome.load() != unproven;
  if (limits().slow() && !proven && limits().out_of_time()) limits().stop(Stop::seconds);
}

void Mcts::run_workers(SearchMonitor& monitor) {
  auto& workers = context().workers;
  Threads threads([this] { limits().stop(Stop::cancelled); });
  threads.start(static_cast<int>(workers.size()) - 1,
                [&](int i) { run(*workers[static_cast<std::size_t>(i) + 1], monitor, false); });
  run(*workers.front(), monitor, true);
  threads.join();
}

void Mcts::run(Worker& worker, SearchMonitor& monitor, bool calling_thread) {
  const int between = limits().slow() ? 1 : simulations_between_clock_reads;
  auto last_poll = SearchLimits::Clock::now();
  bool in_batch = false;
  try {
    monitor.begin_batch();
    in_batch = true;
    for (int count = 0; may_simulate(worker);) {
      if (simulate(worker)) add(worker.completed, 1, false);
      if (++count < between) continue;
      count = 0;
      const auto now = SearchLimits::Clock::now();
      if (limits().out_of_time()) limits().stop(Stop::seconds);
      if (context().root_visits(worker) > max_visits) limits().stop(Stop::iterations);
      if (now - last_poll < SearchLimits::poll_interval) continue;
      monitor.end_batch();
      in_batch = false;
      if (calling_thread && !monitor.poll()) limits().stop(Stop::cancelled);
      monitor.begin_batch();
      in_batch = true;
      last_poll = now;
    }
    search_.statistics.flush(worker);
    search_.amaf.flush(worker);
  } catch (...) {
    const std::lock_guard<std::mutex> lock(error_mutex_);
    if (error_ == nullptr) error_ = std::current_exception();
    limits().stop(Stop::cancelled);
  }
  if (in_batch) monitor.end_batch();
}

bool Mcts::may_simulate(Worker& worker) {
  SearchLimits& limits = this->limits();
  if (limits.reason() != Stop::none) return false;
  if (limits.cancelled()) {
    limits.stop(Stop::cancelled);
  } else if (context().solver && context().root_node().outcome.load(acquire) != unproven) {
    limits.stop(Stop::proven);
  } else {
    return limits.claim(worker.claimed);
  }
  return false;
}

bool Mcts::simulate(Worker& worker) {
  Scores result;
  const DescentEnd end =
      context().hidden ? search_.information_set.descend(worker, result) : search_.descent.descend(worker, result);
  if (end == DescentEnd::blocked) {
    ++worker.claimed;  // keep the claimed simulation
    std::this_thread::yield();
    return false;
  }
  if (end == DescentEnd::leaf && !evaluate(worker, result)) {
    search_.statistics.undo(worker);
    return false;
  }
  search_.back_up(worker, result);
  context().check_memory();
  return true;
}

// Runs a playout, up to the cut-off if there is one. Returns false if the search was stopped meanwhile.
bool Mcts::evaluate(Worker& worker, Scores& result) {
  const SearchOptions& options = context().options;
  const Hooks& hooks = context().hooks;
  State& state = *worker.state;
  if (PositionCache* const cache = state.position_cache(); cache != nullptr && options.playout_depth != 0) {
    cache->begin_playout();
  }
  PlayoutRequest request;
  request.max_plies = options.playout_depth;
  request.trace = options.rave != Rave::off ? &worker.trace : nullptr;
  struct Asked {
    const SearchLimits& limits;
    bool stopped = false;
  } asked{limits()};
  request.stopped_context = &asked;
  request.stopped = [](void* given) {
    auto& [limits, stopped] = *static_cast<Asked*>(given);
    return stopped = limits.stopped();
  };
  if (hooks.playout_policy == nullptr) {
    state.playout(worker.random, request);
  } else if (!hooks.playout_policy->play_out(state, worker.random, request)) {
    const int between = limits().slow() ? 1 : plies_between_clock_reads;
    for (int plies = 0; plies != request.max_plies && !state.over(); ++plies) {
      if (state.player() == chance_player) {
        state.play(state.sample_chance(worker.random));
      } else {
        state.moves(worker.moves);
        const Move move = hooks.playout_policy->choose(state, worker.moves, worker.random);
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
  if (hooks.value == nullptr) {
    result.fill(players == 1 ? 0.5 : 1.0 / players);
  } else if (players == 2) {
    const int seat = evaluated_seat(state);
    result[seat] = hooks.value->value(state, seat);
    result[1 - seat] = 1.0 - result[seat];
  } else {
    for (int player = 0; player < players; ++player) result[player] = hooks.value->value(state, player);
  }
  return true;
}

}  // namespace tesuji
