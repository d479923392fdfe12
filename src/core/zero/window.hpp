// The replay window: the newest self-play games, from which training samples its batches.
//
// Games are stored as moves and targets, a few bytes per move; a sampled position is replayed, encoded by the search's
// own encoder and transformed by a random symmetry, which costs less than the network's training step.
//
// A fully searched position is sampled in proportion to
//
//   1 − surprise + surprise · KL / mean KL        (policy surprise weighting, as in KataGo)
//
// where KL is the divergence of the network's policy from the search's. Positions of fast searches have no policy
// target; they are sampled in proportion to `fast_search_weight`, for their value target.
//
// Rules are called by const functions that touch nothing that changes (`checked`, `write`), so that no lock has to be
// held while a user's rules run. The other functions are short: a lock around them makes the window safe to share.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <memory>

#include "game/planes.hpp"
#include "game/played_game.hpp"

namespace tesuji::zero {

struct WindowOptions {
  std::size_t capacity = 500'000;   // positions that can be sampled; the oldest games are dropped first
  double surprise = 0.5;            // see the formula above
  double fast_search_weight = 0.0;  // relative frequency of positions of fast searches
};

// Training inputs and targets, one row per position; M is the policy's size.
struct TrainingBatch {
  TrainingBatch(std::size_t rows, const Planes& planes);
  std::size_t rows;
  std::unique_ptr<float[]> planes;
  std::unique_ptr<float[]> policy;         // [rows, M]
  std::unique_ptr<float[]> policy_weight;  // 1, or 0 without a target
  std::unique_ptr<float[]> value;          // final score of the side to move
  std::unique_ptr<float[]> value_weight;   // of value and moves_left: 1, or 0 if the result is unknown
  std::unique_ptr<float[]> root_value;     // the search's value
  std::unique_ptr<float[]> reply;  // [rows, M]: policy target of the next position, from this side's point of view
  std::unique_ptr<float[]> reply_weight;
  std::unique_ptr<float[]> moves_left;
};

// A game as stored in the window. Shares are integers in 1/65535, as in the file.
struct StoredGame {
  struct Ply {
    float value;
    float surprise;
    std::uint16_t count;  // number of targets
    bool full;
    std::uint8_t player = 0;  // the side to move; set when the game is added
  };
  std::uint8_t board = 0;  // index of the window's board
  std::uint32_t deal = 0;  // as in PlayedGame
  std::vector<std::uint16_t> moves;
  std::uint16_t opening = 0;
  std::vector<Ply> plies;              // one per move after the opening
  std::vector<std::uint16_t> indices;  // policy indices of all targets, ply by ply
  std::vector<std::uint16_t> shares;
  float score = 0.5F;  // player 0's; NaN if the result is unknown
  std::int8_t resigned_by = -1;
};

class Window {
 public:
  // For games from any of the `starts`. Throws std::invalid_argument if the planes do not fit or an option is invalid.
  Window(std::vector<std::unique_ptr<State>> starts, std::shared_ptr<const Planes> planes,
         const WindowOptions& options);

  using Games = std::vector<std::shared_ptr<const StoredGame>>;
  // A position to train on, drawn from the window.
  struct Sample {
    std::shared_ptr<const StoredGame> game;
    std::uint16_t ply;     // counted from the first searched ply
    std::uint32_t target;  // index of its first target
    int symmetry;
  };

  // The games, replayed and ready to be added. Throws std::invalid_argument if one is invalid.
  Games checked(const std::vector<PlayedGame>& games) const { return checked(kept(games)); }
  Games checked(std::vector<StoredGame> games) const;
  // Adds games that were checked.
  void add(Games games);
  // Games of our own self-play that are only to be written: they are not replayed, and cannot be sampled.
  void add_unchecked(const std::vector<PlayedGame>& games);
  // Samples depend on the seed only.
  std::vector<Sample> draw(std::size_t count, std::uint64_t seed) const;
  // The training data of the samples. `poll` is called regularly and may throw.
  TrainingBatch write(const std::vector<Sample>& samples, int threads, const std::function<void()>& poll) const;

  std::size_t positions() const { return rows_.size(); }  // that can be sampled
  const std::deque<std::shared_ptr<const StoredGame>>& games() const { return games_; }
  // The game as it was added, but for rounding; without the targets that do not train the policy.
  static PlayedGame played(const StoredGame& game);
  const WindowOptions& options() const { return options_; }
  void set_capacity(std::size_t capacity);
  const Planes& planes() const { return *planes_; }

 private:
  struct Row {
    std::uint32_t game;
    std::uint16_t ply;
    std::uint32_t target;
  };

  bool drawn(const StoredGame::Ply& ply) const { return ply.full || options_.fast_search_weight > 0; }
  std::size_t positions_of(const StoredGame& game) const;
  StoredGame kept(const PlayedGame& game) const;
  std::vector<StoredGame> kept(const std::vector<PlayedGame>& games) const;
  void check(StoredGame& game) const;
  std::unique_ptr<State> start_of(const StoredGame& game) const;
  void rebuild_index();
  void write(const Sample& sample, TrainingBatch& batch, std::size_t to) const;

  std::vector<std::unique_ptr<State>> starts_;
  std::shared_ptr<const Planes> planes_;
  WindowOptions options_;
  std::deque<std::shared_ptr<const StoredGame>> games_;
  std::vector<Row> rows_;
  std::vector<double> sums_;  // cumulative weights of the rows
};

}  // namespace tesuji::zero
