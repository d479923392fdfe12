// The selection formula.
//
//   score = (1 − β)·(Q + C·√(ln(N + 1) / n)) + β·A + w·P·√N / (1 + n) + u·R / (m·n),
//   β = √(k / (3n + k)),   R = max(0, √N − √(8m))
//
// Q and n are the child's mean score and visits, N the node's visits, m its number of moves, P the prior, A the
// all-moves-as-first mean (β = 0 without RAVE): UCT (Kocsis and Szepesvári 2006), RAVE (Gelly and Silver 2011) and PUCT
// (Rosin 2011; Silver et al. 2017) as terms of one formula. Scores are those of the node's side to move. A proven child
// has its exact score and no exploration term.
//
// The last term makes the search converge: C is small with RAVE and √ln N barely grows, so that a move with a bad A, a
// small prior or a low first-play value would never be visited again. It is PUCT's with an even prior, and gives every
// move some u·√N / m visits, whatever the other terms say. It begins at eight visits per move: before that, 1,000
// simulations on 11×11 Hex were 30 Elo weaker for it. For an untried move n counts as 1.
//
// The factors that change only when the child is visited are cached in the node's table:
//
//   score = value + spread · (C·√ln(N + 1) · (1 − β) + u·R / m · spread) + w·√N · prior_term + β · A
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "search/options.hpp"
#include "search/tree/tree.hpp"

namespace tesuji {

// All-moves-as-first sums are fixed-point numbers in 1/256. A node learns from at most `most` simulations, so that the
// sums do not overflow; β is negligible by then.
struct AmafScale {
  static constexpr float one = 256;
  static constexpr std::uint32_t most = (1U << 23) - 1;
};
static_assert(AmafScale::most * static_cast<std::uint64_t>(AmafScale::one) <= std::numeric_limits<std::int32_t>::max());

class SelectionFormula {
 public:
  explicit SelectionFormula(const PlayoutOptions& options)
      : exploration_(static_cast<float>(options.exploration)),
        exploration_floor_(static_cast<float>(options.exploration_floor)),
        prior_weight_(static_cast<float>(options.prior_weight)),
        first_play_(static_cast<float>(options.first_play)),
        rave_(options.rave),
        rave_k_(static_cast<float>(options.rave_k)) {
    for (std::uint32_t n = 0; uses_rave() && n < table_size; ++n) beta_.push_back(compute_beta(n));
  }
  explicit SelectionFormula(const NetworkOptions& options)
      : prior_weight_(static_cast<float>(options.prior_weight)),
        first_play_reduction_(static_cast<float>(options.first_play_reduction)) {}

  Rave rave() const { return rave_; }
  bool uses_rave() const { return rave_ != Rave::off; }
  float exploration() const { return exploration_; }  // C, unless the exploration hook sets it

  // The arrays that the tables need.
  ChildTableShape shape() const { return {prior_weight_ > 0, uses_rave(), rave_ == Rave::node}; }

  // Recomputes a child's entry from its node.
  void update(const ChildTable& table, std::uint32_t position, const Node& child) const {
    const std::uint32_t n = child.visits.load(std::memory_order_relaxed);
    const float root = n < table_size ? inverse_root_[n] : 1.0F / std::sqrt(static_cast<float>(n));
    const bool without_rave = excluded_from_rave(table, position);
    const float beta = !uses_rave() || without_rave ? 0.0F : n < table_size ? beta_[n] : compute_beta(n);
    const float value = (1.0F - beta) * static_cast<float>(child.sum()) * root * root;
    const float prior_term = child.prior / (1.0F + static_cast<float>(n));
    set(table, position, {value, without_rave ? exploration_without_rave * root : root}, beta, prior_term);
  }
  // Resets the entry of a child without visits, after a simulation was undone.
  void make_untried(const ChildTable& table, std::uint32_t position, const Node& child) const {
    const bool without_rave = excluded_from_rave(table, position);
    const bool by_amaf = uses_rave() && !each_once_first();
    const float value = !by_amaf ? first_play_ : without_rave ? try_next_score : 0.0F;
    set(table, position, {value, untried_spread}, without_rave ? 0.0F : 1.0F, child.prior);
  }
  // Marks a move that can only be played now, such as a swap: it has no AMAF samples, so it is selected without RAVE,
  // and tried first.
  void exclude_from_rave(const ChildTable& table, std::uint32_t position) const {
    set(table, position, {try_next_score, 0.0F}, 0.0F, 0.0F);
  }
  // A proven child: its exact score, nothing to explore. A proven loss is chosen only if all children lose.
  void set_proven(const ChildTable& table, std::uint32_t position, double certain) const {
    set(table, position, {certain > 0 ? static_cast<float>(certain) : -1.0F, 0.0F}, 0.0F, 0.0F);
  }

  // The factors that all children of a node share.
  struct AtNode {
    float exploration;  // C·√ln(N + 1)
    float floor;        // u·R / m
    float prior;        // w·√N
    float first_play;   // value of an untried move, without its prior
  };
  AtNode at_node(std::uint32_t visits, const Edges& edges) const {
    const auto n = static_cast<float>(visits);
    const float root = std::sqrt(n);
    const auto moves = static_cast<float>(edges.total);
    const float beyond = std::max(0.0F, root - std::sqrt(floor_from * moves));
    return {edges.exploration * std::sqrt(std::log(n + 1.0F)), exploration_floor_ * beyond / moves,
            prior_weight_ * root, first_play_};
  }
  // First-play urgency reduction, as in Leela Zero: the node's evaluation minus a term that grows with the priors of
  // the moves tried so far.
  bool first_play_is_relative() const { return first_play_reduction_.has_value(); }
  float relative_first_play(float estimate, float tried_priors) const {
    return std::max(0.0F, estimate - *first_play_reduction_ * std::sqrt(tried_priors));
  }

  struct Best {
    std::uint32_t position;
    float score;
  };
  // The best of the first `count` children. `means`: AMAF means of the whole
  // search, or null. `scores` receives the children's scores as integers of the same bits.
  TESUJI_BENIGN_RACE Best best(const AtNode& at, const ChildTable& table, std::uint32_t count, const float* means,
                               std::vector<std::int32_t>& scores) const {
    if (scores.size() < count) scores.resize(count);
    std::int32_t* const out = scores.data();
    std::int32_t top = 0;
    const auto plain = [&](std::uint32_t i) { return explored(at, table.entry[i], 1.0F); };
    const auto beside_rave = [&](std::uint32_t i) { return explored(at, table.entry[i], 1.0F - table.beta[i]); };
    if (table.amaf_visits != nullptr) {
      const float prior_sum = prior_samples * first_play() * AmafScale::one;
      top = table.prior_term == nullptr
                ? fill(count, out,
                       [&](std::uint32_t i) {
                         return beside_rave(i) + table.beta[i] * amaf_mean(table, i, prior_sum, prior_samples);
                       })
                : fill(count, out, [&](std::uint32_t i) {
                    return beside_rave(i) + table.beta[i] * amaf_mean(table, i, prior_sum, prior_samples) +
                           at.prior * table.prior_term[i];
                  });
    } else if (means != nullptr) {
      top = table.prior_term == nullptr
                ? fill(count, out, [&](std::uint32_t i) { return beside_rave(i) + table.beta[i] * means[i]; })
                : fill(count, out, [&](std::uint32_t i) {
                    return beside_rave(i) + table.beta[i] * means[i] + at.prior * table.prior_term[i];
                  });
    } else {
      top = table.prior_term == nullptr
                ? fill(count, out, plain)
                : fill(count, out, [&](std::uint32_t i) { return plain(i) + at.prior * table.prior_term[i]; });
    }
    const auto position = static_cast<std::uint32_t>(std::find(out, out + count, top) - out);
    return {position, std::bit_cast<float>(top)};
  }

  // One child's score; `mean`: its AMAF mean over the whole search, or null.
  float score(const AtNode& at, const ChildTable& table, std::uint32_t i, const float* mean) const {
    float sum = explored(at, table.entry[i], uses_rave() ? 1.0F - table.beta[i] : 1.0F);
    if (table.amaf_visits != nullptr) {
      sum += table.beta[i] * amaf_mean(table, i, prior_samples * first_play() * AmafScale::one, prior_samples);
    } else if (mean != nullptr) {
      sum += table.beta[i] * *mean;
    }
    return table.prior_term == nullptr ? sum : sum + at.prior * table.prior_term[i];
  }

  // The all-moves-as-first mean of a move, if it has samples.
  static std::optional<double> amaf_value(const ChildTable& table, std::uint32_t position) {
    const bool known = table.amaf_visits != nullptr && position < table.capacity;
    const std::int32_t samples = known ? load(table.amaf_visits[position]) : 0;
    if (samples == 0) return std::nullopt;
    return load(table.amaf_sum[position]) / (AmafScale::one * static_cast<double>(samples));
  }

  static float untried(const AtNode& node, float prior) { return node.first_play + node.floor + node.prior * prior; }
  bool each_once_first() const { return std::isinf(first_play_); }
  float first_play() const { return each_once_first() ? 0.5F : first_play_; }

 private:
  // Weight, in samples, of the first-play value in the AMAF mean: it matters only without samples.
  static constexpr float prior_samples = 1.0F / 1024;
  static constexpr float try_next_score = 2.0F;  // better than any score
  static constexpr float untried_spread = 1.0F;  // as after one visit
  static constexpr float floor_from = 8.0F;      // visits per move
  // An exploration constant tuned for use with RAVE is too small without it.
  static constexpr float exploration_without_rave = 1.5F;

  // Precomputed for small visit counts, because square roots and divisions are slow.
  static constexpr std::uint32_t table_size = 4096;
  using Roots = std::array<float, table_size>;
  static Roots make_inverse_roots() {
    Roots roots;
    for (std::uint32_t n = 0; n < table_size; ++n) {
      roots[n] = 1.0F / std::sqrt(static_cast<float>(std::max(n, 1U)));
    }
    return roots;
  }
  static inline const Roots inverse_root_ = make_inverse_roots();  // shared by all searches

  // Threads may write the same entry at once: a mixture is repaired by the next visit.
  static void set(const ChildTable& table, std::uint32_t position, ChildTable::Entry entry, float beta,
                  float prior_term) {
    store(table.entry[position], entry);
    if (table.beta != nullptr) store(table.beta[position], beta);
    if (table.prior_term != nullptr) store(table.prior_term[position], prior_term);
  }
  bool excluded_from_rave(const ChildTable& table, std::uint32_t position) const {
    return uses_rave() && load(table.beta[position]) == 0.0F;
  }

  float compute_beta(std::uint32_t n) const { return std::sqrt(rave_k_ / (3.0F * static_cast<float>(n) + rave_k_)); }

  // Without the terms of RAVE and of the priors.
  static float explored(const AtNode& at, const ChildTable::Entry& entry, float weight) {
    return entry.value + entry.spread * (at.exploration * weight + at.floor * entry.spread);
  }

  static float amaf_mean(const ChildTable& table, std::uint32_t i, float prior_sum, float samples) {
    return (static_cast<float>(table.amaf_sum[i]) + prior_sum) /
           (AmafScale::one * (static_cast<float>(table.amaf_visits[i]) + samples));
  }

  // Scores as integers of the same bits. Non-negative floats (all scores but proven losses) compare like their bits,
  // and compilers vectorize the maximum of integers but not of floats.
  template <typename Score>
  TESUJI_BENIGN_RACE static std::int32_t fill(std::uint32_t count, std::int32_t* out, Score&& score) {
    std::int32_t top = std::numeric_limits<std::int32_t>::min();
    for (std::uint32_t i = 0; i < count; ++i) {
      out[i] = std::bit_cast<std::int32_t>(score(i));
      top = std::max(top, out[i]);
    }
    return top;
  }

  float exploration_ = 0;
  float exploration_floor_ = 0;
  float prior_weight_;
  float first_play_ = 0;
  std::optional<float> first_play_reduction_;  // with a network
  Rave rave_ = Rave::off;
  float rave_k_ = 0;
  std::vector<float> beta_;
};

}  // namespace tesuji
