// Threads that evaluate groups of leaves with a network. One that releases the GIL while it computes, as the native
// core and torch do, uses as many cores as there are threads.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/threads.hpp"
#include "bindings/network.hpp"
#include "zero/searcher.hpp"

namespace tesuji::python {

class NetworkThreads final : public zero::Evaluator {
 public:
  // One batch for each group. With one thread, finish() evaluates in the calling thread. `holds_gil`: the caller does.
  NetworkThreads(const nanobind::object& network, std::vector<NetworkBatch>& batches, int threads, bool holds_gil)
      : network_(network), batches_(batches), holds_gil_(holds_gil), tasks_(batches.size()) {
    if (threads <= 1) return;
    threaded_ = true;
    threads_.start(threads, [this](int) { run(); });
  }
  ~NetworkThreads() override {
    end();
    const Unlocked unlocked(holds_gil_);
    threads_.join();
  }
  NetworkThreads(const NetworkThreads&) = delete;
  NetworkThreads& operator=(const NetworkThreads&) = delete;

  float* images(int group) override { return batches_[at(group)].planes(); }

  void start(int group, std::size_t rows) override {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      tasks_[at(group)] = {rows, false, nullptr};
      if (threaded_) waiting_.push_back(group);
    }
    wake_.notify_one();
  }

  zero::NetworkOutputs finish(int group) override {
    Task& task = tasks_[at(group)];
    if (!threaded_) {
      evaluate(group);
    } else {
      const Unlocked unlocked(holds_gil_);
      std::unique_lock<std::mutex> lock(mutex_);
      done_.wait(lock, [&] { return task.done; });
    }
    if (task.error != nullptr) std::rethrow_exception(std::exchange(task.error, nullptr));
    return {batches_[at(group)].policy(), batches_[at(group)].value()};
  }

 private:
  struct Task {
    std::size_t rows = 0;
    bool done = false;
    std::exception_ptr error;
  };
  // Lets other threads have the GIL.
  class Unlocked {
   public:
    explicit Unlocked(bool holds_gil) {
      if (holds_gil) released_.emplace();
    }

   private:
    std::optional<nanobind::gil_scoped_release> released_;
  };

  void end() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ended_ = true;
    }
    wake_.notify_all();
  }

  static std::size_t at(int group) { return static_cast<std::size_t>(group); }

  void evaluate(int group) {
    const nanobind::gil_scoped_acquire gil;
    batches_[at(group)].evaluate(network_, tasks_[at(group)].rows);
  }

  void run() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
      if (ended_) return;
      const int group = waiting_.front();
      waiting_.pop_front();
      lock.unlock();
      std::exception_ptr error;
      try {
        evaluate(group);
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      tasks_[at(group)].error = error;
      tasks_[at(group)].done = true;
      done_.notify_one();
    }
  }

  const nanobind::object& network_;
  std::vector<NetworkBatch>& batches_;
  bool holds_gil_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  std::vector<Task> tasks_;  // by group
  std::deque<int> waiting_;
  bool threaded_ = false;
  bool ended_ = false;
  Threads threads_{[this] { end(); }};  // last: they use the members above
};

}  // namespace tesuji::python
