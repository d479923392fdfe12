// How many bits are set.
//
// A portable x86-64 build may not use the processor's instruction for that, though nearly every processor has it. Where
// the compiler can, functions marked TESUJI_COUNTS_BITS are compiled twice, and the loader takes the right one; what
// they call must be inlined (TESUJI_INLINED) to be compiled along. Elsewhere bits are added up in parallel (Hacker's
// Delight, section 5-1), which beats the compiler's own table of bytes.
#pragma once

#include <bit>
#include <cstdint>

#if defined(__x86_64__) && defined(__ELF__) && defined(__GNUC__) && !defined(__clang__) && !defined(__POPCNT__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TESUJI_COUNTS_BITS __attribute__((target_clones("popcnt", "default")))
#define TESUJI_INLINED inline __attribute__((always_inline))
#define TESUJI_COUNTS_IN_CLONES 1
#else
#define TESUJI_COUNTS_BITS
#define TESUJI_INLINED inline
#define TESUJI_COUNTS_IN_CLONES 0
#endif

namespace tesuji {

inline int add_bits_up(std::uint64_t bits) {
  bits -= bits >> 1 & 0x5555555555555555ULL;
  bits = (bits & 0x3333333333333333ULL) + (bits >> 2 & 0x3333333333333333ULL);
  bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
  return static_cast<int>(bits * 0x0101010101010101ULL >> 56);
}

// Anywhere.
inline int count_bits(std::uint64_t bits) {
#if defined(__POPCNT__) || defined(__aarch64__) || defined(_M_ARM64)
  return std::popcount(bits);
#else
  return add_bits_up(bits);
#endif
}

// In what is called from a function marked TESUJI_COUNTS_BITS.
TESUJI_INLINED int count_bits_here(std::uint64_t bits) {
#if TESUJI_COUNTS_IN_CLONES
  return std::popcount(bits);
#else
  return count_bits(bits);
#endif
}

}  // namespace tesuji
