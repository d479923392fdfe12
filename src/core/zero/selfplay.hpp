// Concurrent self-play games whose leaves are evaluated in batches.
//
// There are two groups of games. While the calling thread evaluates one group's leaves with the network, worker threads
// search the other group's games; then the groups change places. This keeps both processor and accelerator busy, and
// all batches have the same shape: as many rows for each of the group's games.
//
// A game depends on the seed and the network's outputs only, not on the threads.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "zero/selfplay_game.hpp"

namespace tesuji::zero {

// Limits of a run, whichever is reached first; 0 means none.
struct SelfPlayBudget {
  double seconds = 0;
  std::uint64_t games = 0;
  std::uint64_t positions = 0;  // searched, in finished games
};

// The calling thread's time.
struct Timings {
  double seconds = 0;     // total of all runs
  double evaluating = 0;  // in the network
  double waiting = 0;     // for the searching threads, with the network idle
};

class SelfPlay {
 public:
  explicit SelfPlay(SelfPlayConfig config);
  ~SelfPlay();

  static constexpr int groups = 2;
  std::size_t batch_size() const { return batch_size_; }  // of a group
  SelfPlayConfig& config() { return config_; }
  // The caller owns the memory; the outputs are read until the group's next evaluation.
  Batch& batch(int group) { return groups_[static_cast<std::size_t>(group)].batch; }

  // Returns the finished games; games in progress continue at the next call. `evaluate(group)` reads the group's planes
  // and sets its outputs; `go_on()` is called after each evaluation, and false ends the run. So does `stopped()`, which
  // is called before each game's search, in any thread: rules may be slow, and games many. What a run does before it
  // ends by time or `stopped` is kept, so that games do not depend on when that was.
  std::vector<PlayedGame> run(const SelfPlayBudget& budget, const std::function<void(int)>& evaluate,
                              const std::function<bool()>& go_on, const std::function<bool()>& stopped);
  // Discards the search trees; games in progress continue from their current positions.
  void restart_searches();
  // The games in progress, in a fixed order; adopt() replaces them by as many others.
  std::vector<PlayedGame> in_progress() const;
  void adopt(const std::vector<PlayedGame>& games);
  const Counters& counters() const { return counters_; }
  const Timings& timings() const { return timings_; }

 private:
  struct Group {
    std::vector<std::unique_ptr<SelfPlayGame>> games;
    Batch batch;
    std::vector<std::uint8_t> advanced;  // by game: its leaves are in the batch, not yet evaluated
    bool waits = false;                  // all games are advanced
    std::vector<std::size_t> finishing;  // games with finished games to collect, in any order
  };

  void advance(int group, std::size_t game);
  std::uint64_t collect(int group);
  void collect_counters();

  SelfPlayConfig config_;
  std::size_t batch_size_;
  std::array<Group, groups> groups_;
  int next_ = 0;          // the group to evaluate next
  std::mutex finishing_;  // guards the groups' lists
  std::vector<PlayedGame> finished_;
  Counters counters_;
  Timings timings_;
};

}  // namespace tesuji::zero
