#include "zero/searcher.hpp"

#include <algorithm>

namespace tesuji::zero {

namespace {

// Simulations that need no network, before the clock and the caller are asked again: a tree whose every leaf is the end
// of a game has no others.
constexpr int most_at_once = 256;

SearchOptions with_leaves(SearchOptions options) {
  options.leaves = std::max(1, options.leaves);
  return options;
}

}  // namespace

Searcher::Searcher(const SearchOptions& options, Hooks hooks, std::shared_ptr<const Planes> planes, bool symmetries)
    : search_(with_leaves(options), std::move(hooks)),
      planes_(std::move(planes)),
      priors_(*planes_),
      seed_(options.seed),
      random_(options.seed),
      symmetries_(symmetries),
      leaves_(with_leaves(options).leaves),
      image_(planes_->size()) {}

void Searcher::reset() {
  search_.reset();
  random_ = Random(seed_);
}

Report Searcher::search(const State& root, const Budget& budget, bool reuse, float* images, const Evaluate& evaluate,
                        Host& host) {
  planes_->check(root);
  evaluations_ = 0;
  // What the planes make of a position once and keep up to date from then on, the search's states inherit.
  const std::unique_ptr<State> seen = root.clone();
  if (!seen->over()) planes_->encode(*seen, image_.data());
  try {
    search_.start(*seen, reuse, {0, budget.seconds}, &host);
    run(budget, images, evaluate, host);
  } catch (...) {
    search_.forget();  // a simulation may be half done
    throw;
  }
  return search_.report();
}

void Searcher::run(const Budget& budget, float* images, const Evaluate& evaluate, Host& host) {
  bool asked_prover = false;
  while (!search_.root_known() || !asked_prover || !finished(budget)) {
    seen_.clear();
    for (int slot = 0; slot < leaves_; ++slot) {
      const auto wanted = [&] {
        const std::uint64_t sent = search_.simulations() + seen_.size();
        return !search_.root_known() ||
               (!search_.root_proven() && (budget.iterations == 0 || sent < budget.iterations));
      };
      Mcts::Descent descent = Mcts::Descent::counted;
      for (int i = 0; i < most_at_once && descent == Mcts::Descent::counted && wanted(); ++i) {
        descent = search_.descend(slot);
      }
      if (descent != Mcts::Descent::waits) break;
      send(slot, images + static_cast<std::size_t>(slot) * planes_->size());
    }
    if (!seen_.empty()) {
      const Answers answers = evaluate(seen_.size());
      evaluations_ += seen_.size();
      for (std::size_t slot = 0; slot < seen_.size(); ++slot) {
        const float* const policy = answers.policy + slot * static_cast<std::size_t>(planes_->policy_size());
        priors_.read({policy, answers.value[slot], seen_[slot]});
        const double value = value_of(*planes_, search_.leaf(static_cast<int>(slot)), answers.value[slot]);
        search_.resume(static_cast<int>(slot), priors_, value);
      }
    }
    if (!asked_prover && search_.root_known()) {
      asked_prover = true;
      search_.prove_root_win(host, budget.seconds);
    }
    if (!host.poll()) search_.cancel();
  }
}

// Asked when nothing waits.
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

// Writes a leaf into its row.
void Searcher::send(int slot, float* row) {
  const auto count = static_cast<std::uint32_t>(planes_->symmetries());
  const int symmetry = symmetries_ ? static_cast<int>(random_.below(count)) : 0;
  seen_.push_back(symmetry);
  planes_->encode_turned(search_.leaf(slot), symmetry, row);
}

}  // namespace tesuji::zero
