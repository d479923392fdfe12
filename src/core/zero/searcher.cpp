#include "zero/searcher.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "search/limits.hpp"

namespace tesuji::zero {

namespace {

// Simulations without a network evaluation between two polls: in a tree whose leaves are all terminal there are no
// others.
constexpr int max_simulations_per_poll = 256;

// The waiting leaves are at most this part of the tree's visits, or a few: each is chosen without the results of the
// others, and in a small tree leaves far from the best would be a large part of the result.
constexpr std::uint64_t inverse_waiting_share = 2;
constexpr std::uint64_t min_pending = 4;

// How many leaves the batch of a group may have.
int leaves_of_batch(std::uint64_t visits, std::uint64_t groups, int most) {
  const std::uint64_t share = std::max(min_pending, visits / inverse_waiting_share) / groups;
  return static_cast<int>(std::clamp<std::uint64_t>(share, 1, static_cast<std::uint64_t>(most)));
}

// When the move to play is verified, as parts of the budget, and what each takes of it. A move is verified once: the
// later ones are for a search that has changed its mind. Most losses against other programs were wins by threats that
// took 100,000 to 3,000,000 nodes to see, far more than a proof search at a node may take. On a busy machine, zero
// walked into 59 of 125 such losses with these shares, and into 70 with 15 % for the first.
struct Verification {
  double after;
  double share;
};
constexpr std::array<Verification, 4> verifications = {{{0.3, 0.35}, {0.65, 0.2}, {0.85, 0.12}, {0.95, 0.05}}};

// The cache may use this part of the tree's memory, in addition to it.
constexpr std::size_t inverse_cache_share = 64;

NetworkOptions of_all_groups(NetworkOptions options, int groups) {
  options.batch_size *= groups;
  return options;
}

}  // namespace

Searcher::Searcher(NetworkOptions options, Hooks hooks, std::shared_ptr<const Planes> planes, bool symmetries,
                   int groups)
    : search_(of_all_groups(options, groups), std::move(hooks)),
      planes_(std::move(planes)),
      priors_(*planes_),
      seed_(options.seed),
      random_(options.seed),
      symmetries_(symmetries),
      batch_size_(options.batch_size),
      full_batches_(options.full_batches),
      seen_(static_cast<std::size_t>(groups)),
      image_(planes_->size()),
      cache_(static_cast<std::size_t>(planes_->policy_size()), options.memory / inverse_cache_share) {}

void Searcher::reset() {
  search_.reset();
  cache_.clear();
  random_ = Random(seed_);
}

Report Searcher::search(const State& root, const Budget& budget, bool reuse, Evaluator& evaluator,
                        SearchMonitor& monitor) {
  planes_->check(root);
  evaluations_ = waiting_ = 0;
  for (std::vector<int>& seen : seen_) seen.clear();
  // Fills the state's caches (Gomoku's patterns), which the search's states inherit.
  const std::unique_ptr<State> seen = root.clone();
  if (!seen->over()) planes_->encode(*seen, image_.data());
  try {
    search_.start(*seen, reuse, {0, budget.seconds}, &monitor);
    run(budget, evaluator, monitor);
  } catch (...) {
    search_.forget();  // a simulation may be incomplete
    throw;
  }
  return search_.report();
}

void Searcher::run(const Budget& budget, Evaluator& evaluator, SearchMonitor& monitor) {
  const int groups = static_cast<int>(seen_.size());
  bool prover_called = false;
  std::size_t verified = 0;
  Stop reason = Stop::none;
  int group = 0;
  // Not after every batch: polling waits for the GIL, which the network's threads need.
  SearchLimits::Clock::time_point last_poll;
  do {
    if (reason == Stop::none) collect(group, budget, evaluator);
    group = (group + 1) % groups;
    receive(group, evaluator);
    if (!prover_called && search_.root_evaluated()) {
      prover_called = true;
      search_.prove_root(monitor, budget);
    }
    if (const auto now = SearchLimits::Clock::now(); now - last_poll >= SearchLimits::poll_interval) {
      if (!monitor.poll()) search_.cancel();
      last_poll = now;
    }
    if (reason == Stop::none && prover_called) {
      if (verified < verifications.size() && part_used(budget) >= verifications[verified].after) {
        search_.verify_choice(monitor, budget, verifications[verified++].share);
      }
      reason = reason_to_stop(budget);
    }
  } while (reason == Stop::none || waiting_ > 0);
  search_.end(reason);
}

// Descends to the leaves of a group and starts their evaluation.
void Searcher::collect(int group, const Budget& budget, Evaluator& evaluator) {
  std::vector<int>& seen = seen_[static_cast<std::size_t>(group)];
  float* image = evaluator.images(group);
  const auto symmetries = static_cast<std::uint32_t>(planes_->symmetries());
  const auto wanted = [&] {
    return !search_.root_evaluated() ||
           (!search_.root_proven() && !search_.must_stop() &&
            (budget.iterations == 0 || search_.simulations() + waiting_ < budget.iterations));
  };
  const int first = group * batch_size_;
  const int last = first + leaves_of_batch(search_.kept_visits() + search_.simulations(), seen_.size(), batch_size_);
  int collisions_left = full_batches_ ? batch_size_ : 0;
  for (int row = first; row < last; ++row, image += planes_->size()) {
    NetworkSearch::LeafStatus status = NetworkSearch::LeafStatus::counted;
    for (int i = 0; i < max_simulations_per_poll && status != NetworkSearch::LeafStatus::waiting && wanted(); ++i) {
      const bool tolerated = collisions_left > 0;
      status = search_.simulate(row, Tree::no_position, tolerated);
      if (status == NetworkSearch::LeafStatus::blocked && !tolerated) break;
      if (status == NetworkSearch::LeafStatus::blocked) --collisions_left;
      if (status != NetworkSearch::LeafStatus::waiting) continue;
      if (const std::optional<NetworkOutput> known = cache_.find(search_.leaf(row).hash())) {
        resume(row, *known);
        status = NetworkSearch::LeafStatus::counted;
      }
    }
    if (status != NetworkSearch::LeafStatus::waiting) break;
    ++waiting_;
    seen.push_back(symmetries_ ? static_cast<int>(random_.below(symmetries)) : 0);
    planes_->encode_turned(search_.leaf(row), seen.back(), image);
  }
  search_.undo_collisions();
  if (!seen.empty()) evaluator.start(group, seen.size());
}

// Completes the waiting simulations of a group.
void Searcher::receive(int group, Evaluator& evaluator) {
  std::vector<int>& seen = seen_[static_cast<std::size_t>(group)];
  if (seen.empty()) return;
  const NetworkOutputs outputs = evaluator.finish(group);
  evaluations_ += seen.size();
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const int row = group * batch_size_ + static_cast<int>(i);
    const float* const policy = outputs.policy + i * static_cast<std::size_t>(planes_->policy_size());
    const NetworkOutput output{policy, outputs.value[i], seen[i]};
    cache_.store(search_.leaf(row).hash(), output);
    resume(row, output);
  }
  waiting_ -= seen.size();
  seen.clear();
}

void Searcher::resume(int row, const NetworkOutput& output) {
  priors_.read(output);
  search_.resume(row, priors_, value_of(*planes_, search_.leaf(row), output.value));
}

// Of the time or of the simulations.
double Searcher::part_used(const Budget& budget) const {
  const double of_time = budget.seconds > 0 ? search_.limits().seconds() / budget.seconds : 0.0;
  const double simulations = static_cast<double>(search_.simulations());
  return std::max(of_time, budget.iterations > 0 ? simulations / static_cast<double>(budget.iterations) : 0.0);
}

Stop Searcher::reason_to_stop(const Budget& budget) const {
  if (search_.root_proven()) return Stop::proven;
  if (search_.limits().cancelled()) return Stop::cancelled;
  if (budget.iterations > 0 && search_.simulations() >= budget.iterations) return Stop::iterations;
  if (budget.seconds > 0 && search_.limits().seconds() >= budget.seconds) return Stop::seconds;
  return Stop::none;
}

}  // namespace tesuji::zero
