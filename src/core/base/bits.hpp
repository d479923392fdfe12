// How many bits are set. The portable build may not use the processor's instruction for that, and the compiler's own
// function looks each byte up in a table: adding bits up in parallel (Wegner 1960; Hacker's Delight, section 5-1) is
// faster by half.
#pragma once

#include <bit>
#include <cstdint>

namespace tesuji {

inline int count_bits(std::uint64_t bits) {
#if defined(__POPCNT__) || defined(__ARM_FEATURE_SVE) || defined(__aarch64__) || defined(_M_ARM64)
  return std::popcount(bits);
#else
  bits -= bits >> 1 & 0x5555555555555555ULL;
  bits = (bits & 0x3333333333333333ULL) + (bits >> 2 & 0x3333333333333333ULL);
  bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
  return static_cast<int>(bits * 0x0101010101010101ULL >> 56);
#endif
}

}  // namespace tesuji
