// A parallel loop.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>

#include "base/threads.hpp"

namespace tesuji {

// Calls work(i) for every i below `count`, in any order; the error of the lowest i that failed is thrown in the end.
// The calling thread takes part and calls poll() every few milliseconds; if poll() throws, all threads stop and the
// exception propagates.
template <typename Work, typename Poll>
void parallel_for(int count, int threads, Work&& work, Poll&& poll) {
  constexpr auto interval = std::chrono::milliseconds(5);
  std::atomic<int> next{0};
  std::atomic<bool> stopped{false};
  const auto take = [&] { return stopped.load(std::memory_order_relaxed) ? count : next.fetch_add(1); };

  std::mutex mutex;
  std::exception_ptr error;
  int failed = count;
  const auto run = [&](int number) {
    try {
      work(number);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex);
      if (number < failed) error = std::current_exception();
      failed = std::min(failed, number);
    }
  };
  Threads others([&] { stopped = true; });  // on an exception from poll()
  others.start(threads - 1, [&](int) {
    for (int number; (number = take()) < count;) run(number);
  });
  auto last = std::chrono::steady_clock::now();
  for (int number; (number = take()) < count;) {
    run(number);
    const auto now = std::chrono::steady_clock::now();
    if (now - last < interval) continue;
    last = now;
    poll();
  }
  others.join();
  if (error != nullptr) std::rethrow_exception(error);
}

}  // namespace tesuji
