// Huge pages for large tables: fewer TLB misses, and fewer page faults, which threads of a process wait for.
#pragma once

#include <cstddef>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace tesuji {

inline constexpr std::size_t huge_page = std::size_t{2} << 20;

// Asks for huge pages for memory that is aligned to them, where the system has them.
inline void prefer_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef __linux__
  madvise(memory, bytes, MADV_HUGEPAGE);
#endif
}

}  // namespace tesuji
