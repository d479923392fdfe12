// Memory orders of the search, and additions that are only atomic if they need to be.
#pragma once

#include <atomic>

namespace tesuji {

// For counters and sums.
inline constexpr auto relaxed = std::memory_order_relaxed;
// For indices that publish other data (edges, tables, outcomes).
inline constexpr auto acquire = std::memory_order_acquire;
inline constexpr auto release = std::memory_order_release;

// With one thread a plain addition is cheaper than an atomic one.
template <typename T, typename Delta>
T add(std::atomic<T>& to, Delta delta, bool shared) {
  if (shared) return to.fetch_add(static_cast<T>(delta), relaxed);
  const T before = to.load(relaxed);
  to.store(before + static_cast<T>(delta), relaxed);
  return before;
}

}  // namespace tesuji
