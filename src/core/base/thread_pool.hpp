// A thread pool that runs one indexed batch of tasks at a time while the calling thread does something else.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <utility>

#include "base/threads.hpp"

namespace tesuji {

class ThreadPool {
 public:
  // With 0 threads, wait() runs the tasks.
  explicit ThreadPool(int threads) : size_(threads) {
    threads_.start(threads, [this](int) { run_worker(); });
  }
  ~ThreadPool() { cancel(); }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Starts work(i) for every i below `count`, in any order.
  void start(std::size_t count, std::function<void(std::size_t)> work) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      work_ = std::move(work);
      count_ = count;
      next_.store(0);
      busy_ = size_;
      begun_ = true;
      ++round_;
    }
    wake_.notify_all();
  }
  // Waits until all tasks are done. Rethrows the first exception.
  void wait() {
    if (!begun_) return;
    if (size_ == 0) process_items();
    {
      std::unique_lock<std::mutex> lock(mutex_);
      idle_.wait(lock, [this] { return busy_ == 0; });
      begun_ = false;
    }
    if (error_ != nullptr) std::rethrow_exception(std::exchange(error_, nullptr));
  }
  // Drops tasks that have not started, waits for the running ones and ignores their exceptions.
  void cancel() {
    next_.store(count_);
    try {
      wait();
    } catch (...) {
    }
  }

 private:
  void end() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ended_ = true;
    }
    wake_.notify_all();
  }
  void run_worker() {
    for (std::uint64_t known = 0;;) {
      {
        std::unique_lock<std::mutex> lock(mutex_);
        wake_.wait(lock, [&] { return ended_ || round_ != known; });
        if (ended_) return;
        known = round_;
      }
      process_items();
      const std::lock_guard<std::mutex> lock(mutex_);
      if (--busy_ == 0) idle_.notify_all();
    }
  }
  void process_items() {
    try {
      for (std::size_t i; (i = next_.fetch_add(1)) < count_;) work_(i);
    } catch (...) {
      next_.store(count_);
      const std::lock_guard<std::mutex> lock(mutex_);
      if (error_ == nullptr) error_ = std::current_exception();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable idle_;
  std::function<void(std::size_t)> work_;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_{0};
  int size_;
  int busy_ = 0;
  std::uint64_t round_ = 0;
  bool begun_ = false;
  bool ended_ = false;
  std::exception_ptr error_;
  Threads threads_{[this] { end(); }};  // last: they use the members above
};

}  // namespace tesuji
