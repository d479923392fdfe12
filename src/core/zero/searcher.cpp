#include "zero/searcher.hpp"

#include <utility>

namespace tesuji::zero {

namespace {

// Simulations without a network evaluation between two polls: in a tree whose leaves are all terminal there are no
// others.
constexpr int max_simulations_per_poll = 256;

}  // namespace

Searcher::Searcher(const SearchOptions& options, Hooks hooks, std::shared_ptr<const Planes> planes, bool symmetries)
    : search_(options, std::move(hooks)),
      planes_(std::move(planes)),
      priors_(*planes_),
      seed_(options.seed),
      random_(options.seed),
      symmetries_(symmetries),
      leaves_(search_.slots()),
      image_(planes_->size()) {}

void Searcher::reset() {
  search_.reset();
  random_ = Random(seed_);
}

Report Searcher::search(const State& root, const Budget& budget, bool reuse, float* images, const Evaluate& evaluate,
                        SearchMonitor& monitor) {
  planes_->check(root);
  evaluations_ = 0;
  // Fills the state's caches (Gomoku's patterns), which the search's states inherit.
  const std::unique_ptr<State> seen = root.clone();
  if (!seen->over()) planes_->encode(*seen, image_.data());
  try {
    search_.start(*seen, reuse, {0, budget.seconds}, &monitor);
    run(budget, images, evaluate, monitor);
  } catch (...) {
    search_.forget();  // a simulation may be incomplete
    throw;
  }
  return search_.report();
}

void Searcher::run(const Budget& budget, float* images, const Evaluate& evaluate, SearchMonitor& monitor) {
  bool prover_called = false;
  while (!search_.root_evaluated() || !prover_called || !finished(budget)) {
    seen_.clear();
    for (int slot = 0; slot < leaves_; ++slot) {
      const auto wanted = [&] {
        const std::uint64_t sent = search_.simulations() + seen_.size();
        return !search_.root_evaluated() ||
               (!search_.root_proven() && (budget.iterations == 0 || sent < budget.iterations));
      };
      AsyncMcts::LeafStatus status = AsyncMcts::LeafStatus::counted;
      for (int i = 0; i < max_simulations_per_poll && status == AsyncMcts::LeafStatus::counted && wanted(); ++i) {
        status = search_.descend(slot);
      }
      if (status != AsyncMcts::LeafStatus::pending) break;
      encode_leaf(slot, images + static_cast<std::size_t>(slot) * planes_->size());
    }
    if (!seen_.empty()) {
      const NetworkOutputs outputs = evaluate(seen_.size());
      evaluations_ += seen_.size();
      for (std::size_t slot = 0; slot < seen_.size(); ++slot) {
        const float* const policy = outputs.policy + slot * static_cast<std::size_t>(planes_->policy_size());
        priors_.read({policy, outputs.value[slot], seen_[slot]});
        const double value = value_of(*planes_, search_.leaf(static_cast<int>(slot)), outputs.value[slot]);
        search_.resume(static_cast<int>(slot), priors_, value);
      }
    }
    if (!prover_called && search_.root_evaluated()) {
      prover_called = true;
      search_.prove_root_win(monitor, budget);
    }
    if (!monitor.poll()) search_.cancel();
  }
}

// Only called if no leaf is pending.
bool Searcher::finished(const Budget& budget) {
  if (search_.root_proven()) {
    search_.end(Stop::proven);
  } else if (search_.cancelled()) {
    search_.end(Stop::cancelled);
  } else if (budget.iterations > 0 && search_.simulations() >= budget.iterations) {
    search_.end(Stop::iterations);
  } else if (budget.seconds > 0 && search_.seconds() >= budget.seconds) {
    search_.end(Stop::seconds);
  } else {
    return false;
  }
  return true;
}

// Encodes a pending leaf into its row.
void Searcher::encode_leaf(int slot, float* row) {
  const auto count = static_cast<std::uint32_t>(planes_->symmetries());
  const int symmetry = symmetries_ ? static_cast<int>(random_.below(count)) : 0;
  seen_.push_back(symmetry);
  planes_->encode_turned(search_.leaf(slot), symmetry, row);
}

}  // namespace tesuji::zero
