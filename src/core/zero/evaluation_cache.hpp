// The network's outputs for the last positions, so that a position that is reached by another order of moves is not
// evaluated again.
//
// A position is found by its State::hash(). A network that also sees the last move, which the hash does not contain,
// has then seen another one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "zero/priors.hpp"

namespace tesuji::zero {

// A direct-mapped table: a newer position replaces an older one.
class EvaluationCache {
 public:
  EvaluationCache(std::size_t policy_size, std::size_t bytes)
      : policy_size_(policy_size),
        entries_(std::max<std::size_t>(1, bytes / (sizeof(Entry) + policy_size * sizeof(float)))),
        logits_(entries_.size() * policy_size) {}

  // Valid until the next store(). A game without hashes (0) finds nothing.
  std::optional<NetworkOutput> find(std::uint64_t hash) const {
    const std::size_t at = hash % entries_.size();
    const Entry& entry = entries_[at];
    if (hash == 0 || entry.hash != hash) return std::nullopt;
    return NetworkOutput{logits_.data() + at * policy_size_, entry.value, entry.symmetry};
  }

  void store(std::uint64_t hash, const NetworkOutput& output) {
    const std::size_t at = hash % entries_.size();
    entries_[at] = {hash, output.value, output.symmetry};
    std::copy_n(output.policy, policy_size_, logits_.data() + at * policy_size_);
  }

  void clear() { std::fill(entries_.begin(), entries_.end(), Entry{}); }

 private:
  struct Entry {
    std::uint64_t hash = 0;
    float value = 0;
    int symmetry = 0;
  };

  std::size_t policy_size_;
  std::vector<Entry> entries_;
  std::vector<float> logits_;
};

}  // namespace tesuji::zero
