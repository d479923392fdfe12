// Calling a Python network: a function from a batch of planes to policy and value logits.
#pragma once

#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <optional>
#include <string>

#include "base/threads.hpp"
#include "bindings/arrays.hpp"
#include "bindings/errors.hpp"
#include "bindings/garbage.hpp"
#include "game/planes.hpp"
#include "zero/searcher.hpp"

namespace tesuji::python {

// One batch: the network's input array and its latest output.
class NetworkBatch {
 public:
  using Images = nb::ndarray<float, nb::ndim<4>, nb::c_contig, nb::device::cpu>;

  NetworkBatch(const Planes& planes, std::size_t rows)
      : shape_{rows, planes.names().size(), static_cast<std::size_t>(planes.rows()),
               static_cast<std::size_t>(planes.columns())},
        policy_size_(static_cast<std::size_t>(planes.policy_size())) {
    const std::size_t size = rows * planes.size();
    std::unique_ptr<float[]> zeros(new float[size]());
    use(nb::cast(as_array(std::move(zeros), {shape_[0], shape_[1], shape_[2], shape_[3]})));
  }

  // Replaces the input array, for example by pinned memory.
  void use(nb::object array) {
    auto images = nb::cast<Images>(array);
    for (std::size_t i = 0; i < 4; ++i) {
      if (images.shape(i) != shape_[i]) fail("the array for planes must have shape " + shape_text());
    }
    array_ = std::move(array);
    images_ = std::move(images);
  }
  float* planes() const { return images_.data(); }
  void references(References& found) { found(array_); }

  // Evaluates the first `rows` positions. The GIL must be held.
  void evaluate(const nb::object& network, std::size_t rows) {
    const nb::object seen = rows == shape_[0] ? array_ : nb::object(array_[nb::slice(rows)]);
    const nb::object answer = network(seen);
    if (!nb::isinstance<nb::tuple>(answer) || nb::len(answer) != 2) {
      fail("a network must return two arrays, policy and value, not " + text(answer));
    }
    if (!nb::try_cast(nb::object(answer[0]), policy_array_) || policy_array_.shape(0) != rows ||
        policy_array_.shape(1) != policy_size_) {
      fail("a network's policy must be a float32 array of " + std::to_string(rows) + " × " +
           std::to_string(policy_size_) + " numbers");
    }
    if (!nb::try_cast(nb::object(answer[1]), value_array_) || value_array_.shape(0) != rows) {
      fail("a network's value must be a float32 array of " + std::to_string(rows) + " numbers");
    }
  }
  const float* policy() const { return policy_array_.data(); }
  const float* value() const { return value_array_.data(); }

 private:
  std::string shape_text() const {
    std::string text;
    for (const std::size_t size : shape_) text += (text.empty() ? "" : " × ") + std::to_string(size);
    return text;
  }

  std::array<std::size_t, 4> shape_;
  std::size_t policy_size_;
  nb::object array_;
  Images images_;
  Input<float, 2> policy_array_;
  Input<float> value_array_;
};

// Threads that evaluate groups of leaves. A network that releases the GIL while it computes, as the native core and
// torch do, uses as many cores as there are threads.
class NetworkThreads final : public zero::Evaluator {
 public:
  // One batch for each group. With one thread, finish() evaluates in the calling thread. `holds_gil`: the caller does.
  NetworkThreads(const nb::object& network, std::vector<NetworkBatch>& batches, int threads, bool holds_gil)
      : network_(network), batches_(batches), holds_gil_(holds_gil), threaded_(threads > 1), done_(batches.size()) {
    if (threaded_) threads_.start(threads, [this](int) { run(); });
  }
  ~NetworkThreads() override {
    end();
    const Unlocked unlocked(holds_gil_);
    threads_.join();
  }
  NetworkThreads(const NetworkThreads&) = delete;
  NetworkThreads& operator=(const NetworkThreads&) = delete;

  float* images(int group) override { return batch(group).planes(); }

  void start(int group, std::size_t rows) override {
    const auto evaluate = [this, group, rows] {
      const nb::gil_scoped_acquire gil;
      batch(group).evaluate(network_, rows);
    };
    if (!threaded_) {
      done(group) = std::async(std::launch::deferred, evaluate);
      return;
    }
    std::packaged_task<void()> task(evaluate);
    done(group) = task.get_future();
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      waiting_.push_back(std::move(task));
    }
    wake_.notify_one();
  }

  zero::NetworkOutputs finish(int group) override {
    if (threaded_) {
      const Unlocked unlocked(holds_gil_);
      done(group).wait();
    }
    done(group).get();
    return {batch(group).policy(), batch(group).value()};
  }

 private:
  // Lets other threads have the GIL.
  class Unlocked {
   public:
    explicit Unlocked(bool holds_gil) {
      if (holds_gil) released_.emplace();
    }

   private:
    std::optional<nb::gil_scoped_release> released_;
  };

  NetworkBatch& batch(int group) { return batches_[static_cast<std::size_t>(group)]; }
  std::future<void>& done(int group) { return done_[static_cast<std::size_t>(group)]; }

  void end() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ended_ = true;
    }
    wake_.notify_all();
  }

  void run() {
    for (;;) {
      std::packaged_task<void()> task;
      {
        std::unique_lock<std::mutex> lock(mutex_);
        wake_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
        if (ended_) return;
        task = std::move(waiting_.front());
        waiting_.pop_front();
      }
      task();
    }
  }

  const nb::object& network_;
  std::vector<NetworkBatch>& batches_;
  bool holds_gil_;
  bool threaded_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::future<void>> done_;  // by group
  std::deque<std::packaged_task<void()>> waiting_;
  bool ended_ = false;
  Threads threads_{[this] { end(); }};  // last: they use the members above
};

}  // namespace tesuji::python
