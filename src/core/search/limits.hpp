// When a Monte-Carlo tree search ends: its budget, the clock, cancellation.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "base/atomics.hpp"
#include "base/search_monitor.hpp"
#include "search/options.hpp"
#include "search/report.hpp"

namespace tesuji {

class SearchLimits {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr auto poll_interval = std::chrono::milliseconds(5);

  // `monitor`: null if the caller polls.
  void begin(const Budget& budget, SearchMonitor* monitor) {
    budget_ = budget;
    began_ = Clock::now();
    monitor_ = monitor;
    slow_ = monitor != nullptr && monitor->slow();
    claimed_.store(0);
    stop_.store(Stop::none);
    cancelled_.store(false);
  }

  // May be called from any thread.
  void cancel() { cancelled_.store(true, relaxed); }
  bool cancelled() const { return cancelled_.load(relaxed); }

  // The first reason counts.
  void stop(Stop reason) {
    Stop none = Stop::none;
    stop_.compare_exchange_strong(none, reason);
  }
  Stop reason() const { return stop_.load(relaxed); }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }
  bool out_of_time() const { return budget_.seconds > 0 && seconds() >= budget_.seconds; }
  bool stopped() const { return cancelled() || reason() != Stop::none || out_of_time(); }

  // Reserves a simulation of the budget. Simulations are claimed in blocks, the rest of which is kept in `reserve`, to
  // reduce contention.
  bool claim(std::uint64_t& reserve) {
    if (budget_.iterations == 0) return true;
    if (reserve == 0) {
      const std::uint64_t first = claimed_.fetch_add(claim_size, relaxed);
      if (first >= budget_.iterations) return false;
      reserve = std::min(claim_size, budget_.iterations - first);
    }
    --reserve;
    return true;
  }

  const Budget& budget() const { return budget_; }
  SearchMonitor* monitor() const { return monitor_; }
  // Whether Python is called: read the clock often.
  bool slow() const { return slow_; }

 private:
  static constexpr std::uint64_t claim_size = 16;

  Budget budget_;
  Clock::time_point began_;
  SearchMonitor* monitor_ = nullptr;
  bool slow_ = false;
  // On separate cache lines: all threads read the flags constantly and write the count occasionally.
  alignas(64) std::atomic<std::uint64_t> claimed_{0};
  alignas(64) std::atomic<Stop> stop_{Stop::none};
  std::atomic<bool> cancelled_{false};
};

}  // namespace tesuji
