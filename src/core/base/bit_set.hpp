// A set of small numbers, one bit each: cells of a board, or their sets.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/hash.hpp"

namespace tesuji {

template <int Words>
class BitSet {
 public:
  bool has(int bit) const { return (words_[bit >> 6] >> (bit & 63) & 1U) != 0; }
  void add(int bit) { words_[bit >> 6] |= std::uint64_t{1} << (bit & 63); }
  void remove(int bit) { words_[bit >> 6] &= ~(std::uint64_t{1} << (bit & 63)); }
  void flip(int bit) { words_[bit >> 6] ^= std::uint64_t{1} << (bit & 63); }
  // The lowest 64 bits.
  std::uint64_t low() const { return words_[0]; }
  bool empty() const {
    std::uint64_t all = 0;
    for (const std::uint64_t word : words_) all |= word;
    return all == 0;
  }
  int count() const {
    int total = 0;
    for (const std::uint64_t word : words_) total += std::popcount(word);
    return total;
  }
  // The lowest bit of a set that is not empty.
  int first() const {
    int i = 0;
    while (words_[i] == 0) ++i;
    return 64 * i + std::countr_zero(words_[i]);
  }
  bool within(const BitSet& other) const {
    std::uint64_t outside = 0;
    for (int i = 0; i < Words; ++i) outside |= words_[i] & ~other.words_[i];
    return outside == 0;
  }
  bool meets(const BitSet& other) const {
    std::uint64_t common = 0;
    for (int i = 0; i < Words; ++i) common |= words_[i] & other.words_[i];
    return common != 0;
  }
  BitSet with(int bit) const {
    BitSet result = *this;
    result.add(bit);
    return result;
  }
  BitSet without(int bit) const {
    BitSet result = *this;
    result.remove(bit);
    return result;
  }
  BitSet& operator|=(const BitSet& other) {
    for (int i = 0; i < Words; ++i) words_[i] |= other.words_[i];
    return *this;
  }
  BitSet& operator&=(const BitSet& other) {
    for (int i = 0; i < Words; ++i) words_[i] &= other.words_[i];
    return *this;
  }
  BitSet& operator-=(const BitSet& other) {
    for (int i = 0; i < Words; ++i) words_[i] &= ~other.words_[i];
    return *this;
  }
  friend BitSet operator|(BitSet a, const BitSet& b) { return a |= b; }
  friend BitSet operator&(BitSet a, const BitSet& b) { return a &= b; }
  friend BitSet operator-(BitSet a, const BitSet& b) { return a -= b; }
  friend bool operator==(const BitSet&, const BitSet&) = default;
  friend bool operator<(const BitSet& a, const BitSet& b) { return a.words_ < b.words_; }

  // Calls visit(bit) in ascending order.
  template <typename Visit>
  void each(Visit&& visit) const {
    for (int i = 0; i < Words; ++i) {
      for (std::uint64_t bits = words_[i]; bits != 0; bits &= bits - 1) visit(64 * i + std::countr_zero(bits));
    }
  }
  std::uint64_t mixed_into(std::uint64_t hash) const {
    for (const std::uint64_t word : words_) hash = hash_combine(hash, word);
    return hash;
  }

 private:
  std::array<std::uint64_t, Words> words_{};
};

}  // namespace tesuji
