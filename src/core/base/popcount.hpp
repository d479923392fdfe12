// Population count.
//
// A portable x86-64 build may not assume the POPCNT instruction, though nearly every processor has it. Functions marked
// TESUJI_POPCOUNT_CLONES are compiled with and without it where the compiler supports target_clones, and the loader
// picks one; their callees must be inlined (TESUJI_ALWAYS_INLINE) to be part of the clones. Elsewhere bits are summed
// in parallel (Hacker's Delight, section 5-1), which is faster than the compiler's byte table.
#pragma once

#include <bit>
#include <cstdint>

#if defined(__x86_64__) && defined(__ELF__) && defined(__GNUC__) && !defined(__clang__) && !defined(__POPCNT__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TESUJI_POPCOUNT_CLONES __attribute__((target_clones("popcnt", "default")))
#define TESUJI_ALWAYS_INLINE inline __attribute__((always_inline))
#define TESUJI_HAS_POPCOUNT_CLONES 1
#else
#define TESUJI_POPCOUNT_CLONES
#define TESUJI_ALWAYS_INLINE inline
#define TESUJI_HAS_POPCOUNT_CLONES 0
#endif

namespace tesuji {

inline int portable_popcount(std::uint64_t bits) {
  bits -= bits >> 1 & 0x5555555555555555ULL;
  bits = (bits & 0x3333333333333333ULL) + (bits >> 2 & 0x3333333333333333ULL);
  bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
  return static_cast<int>(bits * 0x0101010101010101ULL >> 56);
}

inline int popcount(std::uint64_t bits) {
#if defined(__POPCNT__) || defined(__aarch64__) || defined(_M_ARM64)
  return std::popcount(bits);
#else
  return portable_popcount(bits);
#endif
}

// For functions inlined into one that is marked TESUJI_POPCOUNT_CLONES.
TESUJI_ALWAYS_INLINE int popcount_in_clone(std::uint64_t bits) {
#if TESUJI_HAS_POPCOUNT_CLONES
  return std::popcount(bits);
#else
  return popcount(bits);
#endif
}

}  // namespace tesuji
