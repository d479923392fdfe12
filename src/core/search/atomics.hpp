// The memory orders that the search uses, and the addition that is cheap where it may be.
#pragma once

#include <atomic>

namespace tesuji {

// Counters and sums: nothing else hangs on them.
inline constexpr auto relaxed = std::memory_order_relaxed;
// What names other data (a family, a table, an outcome) is published after that data, and read before it.
inline constexpr auto acquire = std::memory_order_acquire;
inline constexpr auto release = std::memory_order_release;

// With one thread nobody else writes, and a plain addition is cheaper than an atomic one.
template <typename T, typename Delta>
T add(std::atomic<T>& to, Delta delta, bool shared) {
  if (shared) return to.fetch_add(static_cast<T>(delta), relaxed);
  const T before = to.load(relaxed);
  to.store(before + static_cast<T>(delta), relaxed);
  return before;
}

}  // namespace tesuji
