// Threads that share out pieces of work while the calling thread does something else.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace tesuji::zero {

class Crew {
 public:
  // Without threads of its own, finish() does the work.
  explicit Crew(int threads) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { live(); });
  }
  ~Crew() {
    drop();
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ended_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // Starts work(i) for every i below `count`, in no particular order.
  void begin(std::size_t count, std::function<void(std::size_t)> work) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      work_ = std::move(work);
      count_ = count;
      next_.store(0);
      busy_ = static_cast<int>(threads_.size());
      begun_ = true;
      ++round_;
    }
    wake_.notify_all();
  }
  // Waits until all of it is done. The first exception goes on to the caller.
  void finish() {
    if (!begun_) return;
    if (threads_.empty()) take_part();
    {
      std::unique_lock<std::mutex> lock(mutex_);
      idle_.wait(lock, [this] { return busy_ == 0; });
      begun_ = false;
    }
    if (error_ != nullptr) std::rethrow_exception(std::exchange(error_, nullptr));
  }
  // Waits too, for no more than what is being done just now; exceptions are forgotten.
  void drop() {
    next_.store(count_);
    try {
      finish();
    } catch (...) {
    }
  }

 private:
  void live() {
    for (std::uint64_t known = 0;;) {
      {
        std::unique_lock<std::mutex> lock(mutex_);
        wake_.wait(lock, [&] { return ended_ || round_ != known; });
        if (ended_) return;
        known = round_;
      }
      take_part();
      const std::lock_guard<std::mutex> lock(mutex_);
      if (--busy_ == 0) idle_.notify_all();
    }
  }
  void take_part() {
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
  int busy_ = 0;
  std::uint64_t round_ = 0;
  bool begun_ = false;
  bool ended_ = false;
  std::exception_ptr error_;
  std::vector<std::thread> threads_;
};

}  // namespace tesuji::zero
