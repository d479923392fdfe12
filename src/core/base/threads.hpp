// Threads that never outlive their owner, and a parallel loop. All threads of the core are started here.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace tesuji {

class Threads {
 public:
  // `stop` makes running threads return soon. The destructor calls it, also after an exception or a failed start.
  explicit Threads(std::function<void()> stop) : stop_(std::move(stop)) {}
  ~Threads() {
    if (all_.empty()) return;
    stop_();
    join();
  }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  // Starts run(0) to run(count - 1), each in its own thread; run must not throw. Throws std::runtime_error if the
  // system has no more threads.
  template <typename Run>
  void start(int count, Run run) {
    for (int i = 0; i < count; ++i) {
      try {
        all_.emplace_back(run, i);
      } catch (const std::system_error& error) {
        throw std::runtime_error("cannot start thread " + std::to_string(i + 1) + " of " + std::to_string(count) +
                                 ": " + error.code().message() + "; use fewer threads");
      }
    }
  }
  void join() {
    for (std::thread& thread : all_) thread.join();
    all_.clear();
  }

 private:
  std::function<void()> stop_;
  std::vector<std::thread> all_;
};

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
