// Memory orders of the search, and additions that are only atomic if they need to be.
#pragma once

#include <atomic>

// For the one place that races on purpose (SelectionFormula::best): the thread sanitizer ignores it.
#if defined(__GNUC__) || defined(__clang__)
#define TESUJI_BENIGN_RACE __attribute__((no_sanitize("thread")))
#else
#define TESUJI_BENIGN_RACE
#endif

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

// Plain numbers that other threads may be reading or writing.
template <typename T>
T load(T& from) {
  return std::atomic_ref<T>(from).load(relaxed);
}
template <typename T>
void store(T& to, T value) {
  std::atomic_ref<T>(to).store(value, relaxed);
}

}  // namespace tesuji
