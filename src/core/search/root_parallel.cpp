#include "search/root_parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <iterator>
#include <tuple>
#include <utility>

#include "base/threads.hpp"

namespace tesuji {

namespace {

constexpr int threads_per_tree = 4;  // with RAVE, whose threads often meet
constexpr std::size_t mebibyte = std::size_t{1} << 20;

// The mean of two values, weighted by visits.
double mean(double mine, std::uint64_t my_visits, double theirs, std::uint64_t their_visits) {
  const auto my_part = static_cast<double>(my_visits);
  const auto their_part = static_cast<double>(their_visits);
  return my_part + their_part == 0 ? theirs : (mine * my_part + theirs * their_part) / (my_part + their_part);
}

void add(Candidate& one, const Candidate& other) {
  one.value = mean(one.value, one.visits, other.value, other.visits);
  if (one.amaf && other.amaf) {
    one.amaf = mean(*one.amaf, one.visits, *other.amaf, other.visits);
  } else if (one.visits == 0 && other.amaf) {
    one.amaf = other.amaf;
  }
  one.visits += other.visits;
  if (!one.proven) one.proven = other.proven;
  if (one.proven) one.value = *one.proven;
}

// Adds the other trees' statistics to `own`, whose lines are kept. A proof that any tree found holds for all.
void merge(Report& own, const std::vector<Report>& others) {
  std::vector<Candidate>& candidates = own.candidates;
  own.visits = 0;
  for (const Report& other : others) {
    for (const Candidate& candidate : other.candidates) {
      const auto same = [&](const Candidate& one) { return one.move == candidate.move; };
      const auto found = std::find_if(candidates.begin(), candidates.end(), same);
      if (found != candidates.end()) add(*found, candidate);
    }
    if (!own.proven) own.proven = other.proven;
    own.iterations += other.iterations;
    own.nodes += other.nodes;
    own.bytes += other.bytes;
    own.memory_full = own.memory_full || other.memory_full;
  }
  for (const Candidate& one : candidates) own.visits += one.visits;
  // A move that reaches the proven result comes first, a proven loss last; else the most visits decide.
  const auto rank = [&](const Candidate& one) {
    return std::tuple(own.proven && one.proven == own.proven, one.proven != 0.0, one.visits, one.value);
  };
  const auto best = std::max_element(candidates.begin(), candidates.end(),
                                     [&](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
  std::rotate(candidates.begin(), best, std::next(best));
  std::stable_sort(std::next(candidates.begin()), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return std::tuple(a.visits, a.value) > std::tuple(b.visits, b.value);
  });
  const Candidate& chosen = candidates.front();
  own.move = chosen.move;
  own.value = chosen.visits > 0 || chosen.proven ? chosen.value : 0.5;
}

// Stops the trees after the first.
class StopMonitor final : public SearchMonitor {
 public:
  explicit StopMonitor(const std::atomic<bool>& stopped) : stopped_(stopped) {}
  bool poll() override { return !stopped_.load(std::memory_order_relaxed); }

 private:
  const std::atomic<bool>& stopped_;
};

// What a tree after the first found, or how it failed.
struct Result {
  Report report;
  std::exception_ptr error;
};

}  // namespace

int count_trees(const PlayoutOptions& options, const Hooks& hooks) {
  if (options.threads == 1) return 1;
  if (options.rave != Rave::off) return std::max(2, options.threads / threads_per_tree);
  const bool plain = hooks.value == nullptr && hooks.threat_response == nullptr && hooks.move_ordering == nullptr &&
                     hooks.exploration == nullptr && hooks.proximity == nullptr && hooks.playout_policy == nullptr &&
                     hooks.prover == nullptr;
  return plain ? options.threads : 1;  // short simulations often meet, too
}

RootParallel::RootParallel(const PlayoutOptions& options, const Hooks& hooks, int trees,
                           const std::vector<std::uint64_t>& seeds) {
  for (int i = 0; i < trees; ++i) {
    PlayoutOptions share = options;
    share.threads = options.threads / trees + (i < options.threads % trees ? 1 : 0);
    share.memory = std::max<std::size_t>(1, options.memory / mebibyte / static_cast<std::size_t>(trees)) * mebibyte;
    if (i > 0) share.seed = seeds.at(static_cast<std::size_t>(i) - 1);
    trees_.push_back(std::make_unique<PlayoutSearch>(trees == 1 ? options : share, hooks));
  }
}

Report RootParallel::search(const State& root, const Budget& budget, SearchMonitor& monitor, bool reuse) {
  std::uint64_t count = trees_.size();
  if (budget.iterations > 0) count = std::min<std::uint64_t>(count, budget.iterations);
  const auto share = [&](std::uint64_t i) {
    return Budget{budget.iterations / count + (i < budget.iterations % count ? 1 : 0), budget.seconds};
  };
  std::atomic<bool> stopped{false};
  std::vector<Result> others(static_cast<std::size_t>(count) - 1);
  Report own;
  {
    Threads threads([&] { stopped = true; });
    threads.start(static_cast<int>(others.size()), [&](int number) {
      const auto i = static_cast<std::size_t>(number);
      StopMonitor stop(stopped);
      try {
        others[i].report = trees_[i + 1]->search(root, share(i + 1), stop, reuse);
      } catch (...) {
        others[i].error = std::current_exception();
      }
    });
    own = trees_.front()->search(root, share(0), monitor, reuse);
    if (own.stop == Stop::cancelled || own.stop == Stop::proven) stopped = true;
    threads.join();
  }
  if (own.stop == Stop::proven || others.empty()) return own;
  std::vector<Report> reports;
  for (Result& other : others) {
    if (other.error != nullptr) std::rethrow_exception(other.error);
    reports.push_back(std::move(other.report));
  }
  merge(own, reports);
  return own;
}

void RootParallel::reset() {
  for (const auto& tree : trees_) tree->reset();
}

}  // namespace tesuji
