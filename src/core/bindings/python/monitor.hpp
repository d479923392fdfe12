// The monitor of searches called from Python: holds the GIL during batches that call Python, checks signals, and calls
// the progress callback.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <utility>

#include "base/search_monitor.hpp"

namespace tesuji::python {

namespace nb = nanobind;

class PythonMonitor final : public SearchMonitor {
  using Clock = std::chrono::steady_clock;
  static constexpr auto progress_interval = std::chrono::milliseconds(100);

 public:
  PythonMonitor(bool uses_python, nb::object progress)
      : uses_python_(uses_python), progress_(std::move(progress)), last_(Clock::now()) {}

  void begin_batch() override {
    if (uses_python_) lock() = PyGILState_Ensure();
  }
  void end_batch() override {
    if (uses_python_) PyGILState_Release(lock());
  }
  bool slow() const override { return uses_python_; }
  bool poll() override {
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (progress_.is_none()) return true;
    const auto now = Clock::now();
    if (now - last_ < progress_interval) return true;
    last_ = now;
    progress_();
    return true;
  }

 private:
  static PyGILState_STATE& lock() {
    thread_local PyGILState_STATE state;
    return state;
  }

  bool uses_python_;
  nb::object progress_;
  Clock::time_point last_;
};

}  // namespace tesuji::python
