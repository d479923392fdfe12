// Limits of an exact solver of a game, and what ended it.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>

#include "base/search_monitor.hpp"

namespace tesuji {

struct SolverLimits {
  std::uint64_t nodes = 0;           // 0: no limit
  double seconds = 0;                // 0: no limit
  SearchMonitor* monitor = nullptr;  // polled every few milliseconds, unless null; may end the search
};

enum class SolverStop : std::uint8_t { finished, nodes, seconds, cancelled };
inline constexpr std::array<const char*, 4> solver_stop_names = {"finished", "nodes", "seconds", "cancelled"};

class SolverClock {
 public:
  double seconds() const { return seconds_to(Clock::now()); }
  // Whether the time is up, or the monitor ends the search.
  SolverStop check(const SolverLimits& limits) {
    constexpr std::chrono::milliseconds poll_interval{4};
    const Clock::time_point now = Clock::now();
    if (limits.seconds > 0 && seconds_to(now) >= limits.seconds) return SolverStop::seconds;
    if (limits.monitor == nullptr || now - polled_ < poll_interval) return SolverStop::finished;
    polled_ = now;
    return limits.monitor->poll() ? SolverStop::finished : SolverStop::cancelled;
  }

 private:
  using Clock = std::chrono::steady_clock;
  double seconds_to(Clock::time_point now) const { return std::chrono::duration<double>(now - began_).count(); }

  Clock::time_point began_ = Clock::now();
  Clock::time_point polled_ = began_;
};

}  // namespace tesuji
