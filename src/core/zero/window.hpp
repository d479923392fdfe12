// The newest games of self-play, from which training takes its batches.
//
// Games are kept as moves and targets, a few bytes a move; a position is made again by replay when it is drawn, and
// turned by a random symmetry. Replaying costs less than a network's step on the position, and the planes are the ones
// that the search saw, by the same encoder.
//
// A fully searched position is drawn in proportion to
//
//   1 − surprise + surprise · KL / mean KL        (policy surprise weighting, as in KataGo)
//
// where KL is how far the search's policy was from the network's. Positions that were searched cheaply carry no policy
// target; they are drawn in proportion to `cheap`, for what they say of the value.
//
// Drawing changes nothing: several threads may draw at once, as long as none adds.
#pragma once

#include <deque>
#include <functional>
#include <memory>

#include "game/planes.hpp"
#include "zero/played.hpp"

namespace tesuji::zero {

struct WindowOptions {
  std::size_t capacity = 500'000;  // positions that can be drawn; the oldest games go first
  double surprise = 0.5;
  double cheap = 0.0;
};

// Positions with what a network is to say of them, one row each; M is the policy's size.
struct TrainingBatch {
  TrainingBatch(std::size_t rows, const Planes& planes);
  std::size_t rows;
  std::unique_ptr<float[]> planes;
  std::unique_ptr<float[]> policy;         // [rows, M]
  std::unique_ptr<float[]> policy_weight;  // 1, or 0 where there is no target
  std::unique_ptr<float[]> value;          // the score of the player to move
  std::unique_ptr<float[]> value_weight;   // of the score and the moves left: 1, or 0 where the end is unknown
  std::unique_ptr<float[]> root_value;     // what the search thought of it
  std::unique_ptr<float[]> reply;          // [rows, M]: the opponent's policy in the next position, in the same frame
  std::unique_ptr<float[]> reply_weight;
  std::unique_ptr<float[]> moves_left;
};

// A game as the window keeps it. Shares are in 65535ths, so that what is written to a file is what was drawn from.
struct KeptGame {
  struct Ply {
    float value;
    float surprise;
    std::uint16_t count;  // of targets
    bool full;
  };
  std::uint8_t board = 0;  // which of the window's boards
  std::vector<std::uint16_t> moves;
  std::uint16_t opening = 0;
  std::vector<Ply> plies;              // one for each move after the opening
  std::vector<std::uint16_t> indices;  // of all targets, ply by ply
  std::vector<std::uint16_t> shares;
  float score = 0.5F;  // player 0's; NaN where the end is unknown
  std::int8_t resigned_by = -1;
};

class Window {
 public:
  // Of games that start in one of `starts`. std::invalid_argument where the planes are not theirs, or an option makes
  // no sense.
  Window(std::vector<std::unique_ptr<State>> starts, std::shared_ptr<const Planes> planes,
         const WindowOptions& options);

  // std::invalid_argument where a game breaks the rules or its numbers make no sense; then none is added.
  void add(const std::vector<PlayedGame>& games);
  void add(std::vector<KeptGame> games);
  // Rows depend on the seed alone, not on the threads. `poll` is called now and then, and may throw.
  TrainingBatch sample(std::size_t count, std::uint64_t seed, int threads, const std::function<void()>& poll) const;

  std::size_t positions() const { return rows_.size(); }  // that can be drawn
  const std::deque<KeptGame>& games() const { return games_; }
  const WindowOptions& options() const { return options_; }
  void set_capacity(std::size_t capacity);
  const Planes& planes() const { return *planes_; }

 private:
  struct Row {
    std::uint32_t game;
    std::uint16_t ply;     // from the first searched one
    std::uint32_t target;  // where its targets begin
  };

  bool drawn(const KeptGame::Ply& ply) const { return ply.full || options_.cheap > 0; }
  std::size_t positions_of(const KeptGame& game) const;
  KeptGame kept(const PlayedGame& game) const;
  void check(const KeptGame& game) const;
  std::unique_ptr<State> start_of(const KeptGame& game) const;
  void settle();
  void write(const Row& row, int symmetry, TrainingBatch& batch, std::size_t to) const;

  std::vector<std::unique_ptr<State>> starts_;
  std::shared_ptr<const Planes> planes_;
  WindowOptions options_;
  std::deque<KeptGame> games_;
  std::vector<Row> rows_;
  std::vector<double> sums_;  // of the rows' weights, up to each one and with it
};

}  // namespace tesuji::zero
