// Many games of self-play at once, whose leaves wait in one batch for the network.
//
// There are two groups of games. While the calling thread has the network evaluate one group's leaves, worker threads
// use the answers to the other group's and search on; then they change places. So processor and accelerator both have
// work, and a batch has the same shape every time: one row for each leaf that a game of the group may have waiting.
//
// A game depends on its seed and on the network's answers alone, not on the threads.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "zero/game.hpp"

namespace tesuji::zero {

// When a run ends; zero means "no such limit". Whatever comes first.
struct Goal {
  double seconds = 0;
  std::uint64_t games = 0;
  std::uint64_t positions = 0;  // searched, in games that ended
};

// One group's leaves, and the network's answers.
struct LeafBatch {
  float* planes = nullptr;
  const float* policy = nullptr;
  const float* value = nullptr;
};

// Where the time of the calling thread goes.
struct Clocks {
  double seconds = 0;     // in all runs together
  double evaluating = 0;  // in the network
  double waiting = 0;     // for the searching threads, with the network idle
};

class SelfPlay {
 public:
  explicit SelfPlay(Setting setting);
  ~SelfPlay();

  static constexpr int groups = 2;
  std::size_t rows() const { return rows_; }  // of a batch
  Setting& setting() { return setting_; }
  // The planes' memory is the caller's; the answers are read until the group's next evaluation.
  LeafBatch& batch(int group) { return groups_[static_cast<std::size_t>(group)].batch; }

  // Games that ended meanwhile. Those in progress go on at the next call. `evaluate(group)` reads the group's planes
  // and sets its answers; `go_on()` is asked after each.
  std::vector<PlayedGame> run(const Goal& goal, const std::function<void(int)>& evaluate,
                              const std::function<bool()>& go_on);
  // Drops what the searches know; games in progress go on from their present positions.
  void restart_searches();
  // The games in progress, in a fixed order; and others to go on with in their place, of which there are as many.
  std::vector<PlayedGame> in_progress() const;
  void adopt(const std::vector<PlayedGame>& games);
  const Counters& counters() const { return counters_; }
  const Clocks& clocks() const { return clocks_; }

 private:
  struct Group {
    std::vector<std::unique_ptr<GameInPlay>> games;
    LeafBatch batch;
    bool waits = false;  // its leaves are in the batch, without answers
  };

  void advance(int group, std::size_t game);
  std::uint64_t collect(int group);

  Setting setting_;
  std::size_t rows_;
  std::array<Group, groups> groups_;
  int next_ = 0;  // the group whose turn at the network is next
  std::vector<PlayedGame> finished_;
  Counters counters_;
  Clocks clocks_;
};

}  // namespace tesuji::zero
