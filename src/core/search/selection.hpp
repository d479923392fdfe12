// Which child a simulation goes to.
//
//   score = (1 − β)·(Q + C·√(ln(N + 1) / n)) + β·A + w·P·√N / (1 + n),   β = √(k / (3n + k))
//
// Q and n are the child's mean score and visits, N the node's visits, P the prior, A the all-moves-as-first mean (β = 0
// without RAVE): UCT (Kocsis and Szepesvári 2006), RAVE (Gelly and Silver 2011), PUCT (Rosin 2011; Silver et al. 2017)
// as terms of one formula. Every number is read from the side of the player who acts in the node. A proven child counts
// as exactly what it is worth: there is nothing left to explore in it.
//
// All that depends on the child alone changes only when the child is visited, and is kept in the family's table:
//
//   score = own + C·√ln(N + 1) · spread + w·√N · attention + trust · A
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/racy.hpp"
#include "search/options.hpp"
#include "search/tree.hpp"

namespace tesuji {

// All-moves-as-first sums are kept in 256ths. A node learns from at most `most` simulations: β has made RAVE irrelevant
// by then for any move worth looking at, and the sums must not overflow.
struct AmafScale {
  static constexpr float one = 256;
  static constexpr std::uint32_t most = (1U << 23) - 1;
};
static_assert(AmafScale::most * static_cast<std::uint64_t>(AmafScale::one) <= std::numeric_limits<std::int32_t>::max());

class SelectionRule {
 public:
  explicit SelectionRule(const SearchOptions& options) : options_(options), rave_(options.rave != Rave::off) {
    for (std::uint32_t n = 0; rave_ && n < table_size; ++n) beta_.push_back(compute_beta(n));
  }

  // Arrays that the tables need for these options.
  TableShape shape() const { return {options_.prior_weight > 0, rave_, options_.rave == Rave::node}; }

  // Rewrites a child's entry from its node.
  TESUJI_RACY_ON_PURPOSE void update(const Table& table, std::uint32_t position, const Node& child) const {
    const std::uint32_t n = child.visits.load(std::memory_order_relaxed);
    const float root = n < table_size ? inverse_root_[n] : 1.0F / std::sqrt(static_cast<float>(n));
    const bool alone = rave_ && table.trust[position] == 0.0F;  // see set_apart
    const float beta = !rave_ || alone ? 0.0F : n < table_size ? beta_[n] : compute_beta(n);
    const float own = (1.0F - beta) * static_cast<float>(child.sum()) * root * root;
    table.entry[position] = {own, (alone ? exploration_alone : 1.0F - beta) * root};
    if (table.trust != nullptr) table.trust[position] = beta;
    if (table.attention != nullptr) table.attention[position] = child.prior / (1.0F + static_cast<float>(n));
  }
  // A child without visits, as it was before its first one: a simulation that was broken off has not happened.
  TESUJI_RACY_ON_PURPOSE void make_untried(const Table& table, std::uint32_t position, const Node& child) const {
    const bool alone = rave_ && table.trust[position] == 0.0F;
    const bool by_amaf = rave_ && !each_once_first();
    const float own = !by_amaf ? static_cast<float>(options_.first_play) : alone ? certainly_next : 0.0F;
    table.entry[position] = {own, 0.0F};
    if (table.trust != nullptr) table.trust[position] = alone ? 0.0F : 1.0F;
    if (table.attention != nullptr) table.attention[position] = child.prior;
  }
  // A move that can only be played now, such as a swap: no later move of a simulation can speak for it, so RAVE has no
  // say, and it is tried soon.
  TESUJI_RACY_ON_PURPOSE void set_apart(const Table& table, std::uint32_t position) const {
    table.entry[position] = {certainly_next, 0.0F};
    table.trust[position] = 0;
  }
  // A proven child: its worth to the mover, and nothing to explore. A certain loss is chosen only when all are.
  TESUJI_RACY_ON_PURPOSE void settle(const Table& table, std::uint32_t position, double certain) const {
    table.entry[position] = {certain > 0 ? static_cast<float>(certain) : -1.0F, 0.0F};
    if (table.trust != nullptr) table.trust[position] = 0;
    if (table.attention != nullptr) table.attention[position] = 0;
  }

  // What is the same for all children of a node: computed once per visit.
  struct AtNode {
    float exploration;  // C·√ln(N + 1)
    float prior;        // w·√N
    float first_play;   // what an untried move counts as, before its prior
  };
  AtNode at_node(std::uint32_t visits, float exploration) const {
    const auto n = static_cast<float>(visits);
    return {exploration * std::sqrt(std::log(n + 1.0F)), static_cast<float>(options_.prior_weight) * std::sqrt(n),
            static_cast<float>(options_.first_play)};
  }
  // Whether first plays are judged by their node's evaluation, and how. As in Leela Zero: less than the evaluation, as
  // the moves that deserve most attention have been tried.
  bool first_play_is_relative() const { return options_.first_play_reduction >= 0; }
  float relative_first_play(float estimate, float tried_priors) const {
    return std::max(0.0F, estimate - static_cast<float>(options_.first_play_reduction) * std::sqrt(tried_priors));
  }

  struct Best {
    std::uint32_t position;
    float score;
  };
  // The best of the first `count` children. `means` are all-moves-as-first means from elsewhere, or null. `scores` is a
  // buffer.
  TESUJI_RACY_ON_PURPOSE Best best(const AtNode& at, const Table& table, std::uint32_t count, const float* means,
                                   std::vector<std::int32_t>& scores) const {
    if (scores.size() < count) scores.resize(count);
    std::int32_t* const out = scores.data();
    std::int32_t top = 0;
    const auto plain = [&](std::uint32_t i) { return table.entry[i].own + at.exploration * table.entry[i].spread; };
    if (table.amaf_visits != nullptr) {
      const float pinch_sum = pinch * static_cast<float>(first_play()) * AmafScale::one;
      top =
          table.attention == nullptr
              ? fill(count, out,
                     [&](std::uint32_t i) { return plain(i) + table.trust[i] * amaf_mean(table, i, pinch_sum, pinch); })
              : fill(count, out, [&](std::uint32_t i) {
                  return plain(i) + table.trust[i] * amaf_mean(table, i, pinch_sum, pinch) +
                         at.prior * table.attention[i];
                });
    } else if (means != nullptr) {
      top = table.attention == nullptr
                ? fill(count, out, [&](std::uint32_t i) { return plain(i) + table.trust[i] * means[i]; })
                : fill(count, out, [&](std::uint32_t i) {
                    return plain(i) + table.trust[i] * means[i] + at.prior * table.attention[i];
                  });
    } else {
      top = table.attention == nullptr
                ? fill(count, out, plain)
                : fill(count, out, [&](std::uint32_t i) { return plain(i) + at.prior * table.attention[i]; });
    }
    const auto position = static_cast<std::uint32_t>(std::find(out, out + count, top) - out);
    return {position, std::bit_cast<float>(top)};
  }

  // One child's score, by the same formula; `mean` as above, for this child.
  float score(const AtNode& at, const Table& table, std::uint32_t i, const float* mean) const {
    float sum = table.entry[i].own + at.exploration * table.entry[i].spread;
    if (table.amaf_visits != nullptr) {
      sum += table.trust[i] * amaf_mean(table, i, pinch * static_cast<float>(first_play()) * AmafScale::one, pinch);
    } else if (mean != nullptr) {
      sum += table.trust[i] * *mean;
    }
    return table.attention == nullptr ? sum : sum + at.prior * table.attention[i];
  }

  // What RAVE makes of a move; NaN where nobody has played it.
  TESUJI_RACY_ON_PURPOSE static double opinion(const Table& table, std::uint32_t position) {
    const bool known = table.amaf_visits != nullptr && position < table.capacity && table.amaf_visits[position] > 0;
    if (!known) return std::numeric_limits<double>::quiet_NaN();
    return table.amaf_sum[position] / (AmafScale::one * static_cast<double>(table.amaf_visits[position]));
  }

  static float untried(const AtNode& node, float prior) { return node.first_play + node.prior * prior; }
  bool each_once_first() const { return std::isinf(options_.first_play); }
  double first_play() const { return each_once_first() ? 0.5 : options_.first_play; }

 private:
  // Of the first-play value: it is all that speaks where nobody has played the move.
  static constexpr float pinch = 1.0F / 1024;
  static constexpr float certainly_next = 2.0F;  // better than any score
  // The constant that is right beside RAVE is too small without it.
  static constexpr float exploration_alone = 1.5F;

  // Square roots and divisions are not cheap, and most children have few visits.
  static constexpr std::uint32_t table_size = 4096;
  using Roots = std::array<float, table_size>;
  static Roots make_inverse_roots() {
    Roots roots;
    for (std::uint32_t n = 0; n < table_size; ++n) {
      roots[n] = 1.0F / std::sqrt(static_cast<float>(std::max(n, 1U)));
    }
    return roots;
  }
  static inline const Roots inverse_root_ = make_inverse_roots();  // one for all searches: they may be many

  float compute_beta(std::uint32_t n) const {
    const float k = static_cast<float>(options_.rave_k);
    return std::sqrt(k / (3.0F * static_cast<float>(n) + k));
  }

  static float amaf_mean(const Table& table, std::uint32_t i, float pinch_sum, float pinch) {
    return (static_cast<float>(table.amaf_sum[i]) + pinch_sum) /
           (AmafScale::one * (static_cast<float>(table.amaf_visits[i]) + pinch));
  }

  // Scores as integers of the same bits: they compare alike, all but certain losses being positive, and compilers turn
  // the largest of many integers into vector instructions, which they must not do with floating-point numbers.
  template <typename Score>
  TESUJI_RACY_ON_PURPOSE static std::int32_t fill(std::uint32_t count, std::int32_t* out, Score&& score) {
    std::int32_t top = std::numeric_limits<std::int32_t>::min();
    for (std::uint32_t i = 0; i < count; ++i) {
      out[i] = std::bit_cast<std::int32_t>(score(i));
      top = std::max(top, out[i]);
    }
    return top;
  }

  SearchOptions options_;
  bool rave_;
  std::vector<float> beta_;
};

}  // namespace tesuji
