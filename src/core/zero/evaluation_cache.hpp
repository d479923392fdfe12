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

// A direct-mapped table: a newer position replaces an older one. Its memory grows with its use.
class EvaluationCache {
 public:
  EvaluationCache(std::size_t policy_size, std::size_t bytes)
      : policy_size_(policy_size),
        capacity_(std::max<std::size_t>(1, bytes / (sizeof(Entry) + policy_size * sizeof(float)))) {}

  // Valid until the next store(). A game without hashes (0) finds nothing.
  std::optional<NetworkOutput> find(std::uint64_t hash) const {
    if (hash == 0 || entries_.empty()) return std::nullopt;
    const Entry& entry = entries_[hash % capacity_];
    if (entry.hash != hash) return std::nullopt;
    return NetworkOutput{logits_.data() + entry.place, entry.value, entry.symmetry};
  }

  void store(std::uint64_t hash, const NetworkOutput& output) {
    if (hash == 0) return;
    if (entries_.empty()) entries_.resize(capacity_);
    Entry& entry = entries_[hash % capacity_];
    if (entry.hash == 0) {
      entry.place = logits_.size();
      logits_.resize(logits_.size() + policy_size_);
    }
    std::copy_n(output.policy, policy_size_, logits_.data() + entry.place);
    entry.hash = hash;
    entry.value = output.value;
    entry.symmetry = output.symmetry;
  }

  void clear() {
    entries_.clear();
    logits_.clear();
  }

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::size_t place = 0;  // of its logits
    float value = 0;
    int symmetry = 0;
  };

  std::size_t policy_size_;
  std::size_t capacity_;
  std::vector<Entry> entries_;
  std::vector<float> logits_;
};

}  // namespace tesuji::zero
