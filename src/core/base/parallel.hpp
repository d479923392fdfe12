// A parallel loop.
#pragma once

#include <atomic>
#include <chrono>

#include "base/threads.hpp"

namespace tesuji {

// Calls work(i) for every i below `count`, in any order; work must not throw. The calling thread takes part and calls
// poll() every few milliseconds; if poll() throws, all threads stop and the exception propagates.
template <typename Work, typename Poll>
void parallel_for(int count, int threads, Work&& work, Poll&& poll) {
  constexpr auto interval = std::chrono::milliseconds(5);
  std::atomic<int> next{0};
  std::atomic<bool> stopped{false};
  const auto take = [&] { return stopped.load(std::memory_order_relaxed) ? count : next.fetch_add(1); };

  Threads others([&] { stopped = true; });  // on an exception from poll()
  others.start(threads - 1, [&](int) {
    for (int number; (number = take()) < count;) work(number);
  });
  auto last = std::chrono::steady_clock::now();
  for (int number; (number = take()) < count;) {
    work(number);
    const auto now = std::chrono::steady_clock::now();
    if (now - last < interval) continue;
    last = now;
    poll();
  }
  others.join();
}

}  // namespace tesuji
