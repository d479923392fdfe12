// 64-bit hashing, word by word.
#pragma once

#include <cstdint>

namespace tesuji {

inline constexpr std::uint64_t golden_ratio = 0x9E3779B97F4A7C15ULL;  // 2^64 / φ

// The finalizer of splitmix64 (Stafford's variant 13): a bijection in which every bit of x reaches every bit of the
// result.
inline constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

// Appends a word to the hash of a sequence.
inline std::uint64_t hash_combine(std::uint64_t so_far, std::uint64_t next) {
  return mix(so_far * golden_ratio + next);
}

// For State::hash(), which returns 0 for "no hash".
inline std::uint64_t nonzero(std::uint64_t hash) { return hash == 0 ? 1 : hash; }

}  // namespace tesuji
