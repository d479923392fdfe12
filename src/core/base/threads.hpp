// Threads that never outlive their owner. All threads of the core are started here.
#pragma once

#include <functional>
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

}  // namespace tesuji
