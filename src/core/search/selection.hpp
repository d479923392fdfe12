// Which child a simulation goes to.
//
//   score = (1 − β)·(Q + C·√(ln(N + 1) / n)) + β·A + w·P·√N / (1 + n),   β = √(k / (3n + k))
//
// Q and n are the child's mean score and visits, N the node's visits, P the prior, A the all-moves-as-first mean (β = 0
// where there is none): UCT (Kocsis and Szepesvári 2006), RAVE (Gelly and Silver 2011), PUCT (Rosin 2011; Silver et al.
// 2017) as terms of one formula. Every number is read from the side of the player who acts in the node. A proven child
// counts as exactly what it is worth: there is nothing left to explore in it.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "search/options.hpp"

namespace tesuji {

class SelectionRule {
 public:
  explicit SelectionRule(const SearchOptions& options) : options_(options) {
    for (std::uint32_t n = 0; n < table_size; ++n) {
      inverse_root_.push_back(static_cast<float>(1.0 / std::sqrt(n == 0 ? 1.0 : n)));
      beta_.push_back(static_cast<float>(std::sqrt(options.rave_k / (3.0 * n + options.rave_k))));
    }
  }

  // What is the same for all children of a node: computed once per visit.
  struct AtNode {
    float exploration;  // C·√ln(N + 1)
    float prior;        // w·√N
  };
  AtNode at_node(std::uint32_t visits, float exploration) const {
    return {exploration * std::sqrt(std::log(static_cast<float>(visits) + 1.0F)),
            static_cast<float>(options_.prior_weight) * std::sqrt(static_cast<float>(visits))};
  }

  // `sum` is the child's sum of scores; visits are at least 1.
  float tried(const AtNode& node, float sum, std::uint32_t visits, float prior) const {
    return uct(node, sum, visits) + attention(node, prior, visits);
  }
  // Also right for untried moves, where β is 1, without a branch that the processor would often guess wrong.
  float with_amaf(const AtNode& node, float sum, std::uint32_t visits, float prior, float amaf) const {
    const float trust = beta(visits);
    return (1.0F - trust) * uct(node, sum, visits) + trust * amaf + attention(node, prior, visits);
  }
  // An untried move of which other simulations know nothing either.
  float untried(const AtNode& node, float prior) const {
    return static_cast<float>(options_.first_play) + node.prior * prior;
  }

 private:
  // Square roots and divisions would dominate the search; most children have few visits.
  static constexpr std::uint32_t table_size = 4096;

  float uct(const AtNode& node, float sum, std::uint32_t visits) const {
    const float root = inverse_root(visits);
    return (sum * root + node.exploration) * root;  // sum / n + C·√ln(N + 1) / √n
  }
  static float attention(const AtNode& node, float prior, std::uint32_t visits) {
    return node.prior == 0.0F ? 0.0F : node.prior * prior / static_cast<float>(static_cast<std::int64_t>(visits) + 1);
  }
  float inverse_root(std::uint32_t n) const {
    return n < table_size ? inverse_root_[n] : 1.0F / std::sqrt(static_cast<float>(n));
  }
  float beta(std::uint32_t n) const {
    if (n < table_size) return beta_[n];
    const float k = static_cast<float>(options_.rave_k);
    return std::sqrt(k / (3.0F * static_cast<float>(n) + k));
  }

  SearchOptions options_;
  std::vector<float> inverse_root_;
  std::vector<float> beta_;
};

}  // namespace tesuji
