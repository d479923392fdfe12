// One game of self-play in progress: searched move by move, and stopped wherever leaves wait for the network.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "game/planes.hpp"
#include "search/mcts.hpp"
#include "zero/gumbel.hpp"
#include "zero/options.hpp"
#include "zero/played.hpp"
#include "zero/priors.hpp"

namespace tesuji::zero {

// What was done; sums over games and threads.
struct Counters {
  std::uint64_t games = 0;
  std::uint64_t plies = 0;  // searched and played
  std::uint64_t simulations = 0;
  std::uint64_t evaluations = 0;  // answers of the network that were used
  std::uint64_t first_player_wins = 0;
  std::uint64_t draws = 0;
  std::uint64_t placed = 0;   // plies on a cell, but for the first stone of a game,
  std::uint64_t distant = 0;  // more than two cells away from all stones,
  std::uint64_t border = 0;   // or on the outermost line
  double top_share = 0;       // of the visits, that the most visited move had; over full searches
  std::uint64_t full = 0;     // full searches
  std::uint64_t resigned = 0;
  std::uint64_t starts = 0;         // that were judged for balance
  std::uint64_t control = 0;        // games in which a player would have given up, played on,
  std::uint64_t control_wrong = 0;  // and this player did not lose

  void add(const Counters& other);
};

// What all games of one SelfPlay share.
struct Setting {
  struct Board {
    std::function<std::unique_ptr<State>()> start;  // a first position that one game has for itself
    double weight = 1;                              // its share of the games, beside the others'
  };
  std::vector<Board> boards;  // that games are played on; all of them fit the planes
  std::shared_ptr<const Planes> planes;
  SearchOptions search;
  SelfPlayOptions options;
  Hooks hooks;
};

// A game's part of a batch: one row for each leaf that may wait.
struct Rows {
  float* planes;        // to be filled
  const float* policy;  // the network's answers to what was there before
  const float* value;
};

class GameInPlay {
 public:
  // `number` of `count` games at once: its games are numbered number, number + count, and so on.
  GameInPlay(const Setting& setting, std::uint64_t number, std::uint64_t count);

  // Uses the answers to the leaves that wait, and plays on until others do.
  void advance(const Rows& rows);
  // Drops what the search knows and begins the present move's search anew.
  void restart_search();

  // The game so far, and another one to go on with in its place; std::invalid_argument where that breaks the rules.
  const PlayedGame& played() const { return played_; }
  void adopt(const PlayedGame& played);

  // Games that ended since they were last taken.
  std::vector<PlayedGame> take_finished() { return std::exchange(finished_, {}); }
  Counters take_counters() { return std::exchange(counters_, {}); }

 private:
  void begin_game();
  void begin_opening();
  bool play_random_moves();
  bool accept_start();
  void begin_search();
  void prepare_root();
  void add_noise();
  bool send_down(const Rows& rows);
  void send(int slot, const Rows& rows);
  bool wants_more() const;
  void make_move();
  void make_policy_move();
  double raw_prior(Move move) const;
  std::optional<Move> finishing_move() const;
  Move choose(std::vector<double>& shares);
  void record(const std::vector<double>& shares);
  void count_place(Move move);
  bool resigns(int player, double value);
  void finish_game(const Scores& scores, int resigned_by);

  const Setting& setting_;
  const SelfPlayOptions& options_;
  std::uint64_t number_;
  std::uint64_t count_;
  Random random_;
  Mcts search_;
  NetworkPriors priors_;
  GumbelRoot gumbel_;
  std::unique_ptr<State> state_;
  PlayedGame played_;

  bool searching_ = false;
  bool root_prepared_ = false;
  bool full_ = false;
  std::uint32_t policy_plies_ = 0;  // still to be drawn from the policy
  std::uint8_t board_ = 0;
  bool start_accepted_ = false;
  int starts_tried_ = 0;
  std::uint64_t target_ = 0;  // simulations of the present search
  std::vector<Mcts::RootMove> root_;
  std::vector<std::pair<Move, float>> raw_priors_;  // before any noise
  struct Slot {
    bool waits = false;
    int symmetry = 0;
  };
  std::vector<Slot> slots_;
  int waiting_ = 0;
  std::vector<float> image_;

  bool may_resign_ = true;     // or it is a control game
  int low_moves_[2] = {0, 0};  // in a row, by player, with a value below the limit
  int would_have_resigned_ = -1;
  std::vector<PlayedGame> finished_;
  Counters counters_;
};

}  // namespace tesuji::zero
