// One self-play game in progress, suspended whenever its leaves wait for the network.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "game/planes.hpp"
#include "game/played_game.hpp"
#include "search/network_search.hpp"
#include "zero/gumbel.hpp"
#include "zero/options.hpp"
#include "zero/priors.hpp"

namespace tesuji::zero {

// Statistics, summed over games and threads.
struct Counters {
  std::uint64_t games = 0;
  std::uint64_t plies = 0;  // searched
  std::uint64_t simulations = 0;
  std::uint64_t evaluations = 0;  // network evaluations used
  std::uint64_t first_player_wins = 0;
  std::uint64_t draws = 0;
  std::uint64_t placed = 0;   // moves on a cell, except the first of a game;
  std::uint64_t distant = 0;  // of those, more than two cells from all earlier moves;
  std::uint64_t border = 0;   // of those, on the edge of the board
  double top_share = 0;       // sum over full searches of the most visited move's share
  std::uint64_t full = 0;     // number of full searches
  std::uint64_t proven = 0;   // searches whose root was won before the first simulation
  std::uint64_t refuted = 0;  // moves that were chosen, and proven to lose before they were played
  std::uint64_t resigned = 0;
  std::uint64_t starts = 0;         // openings evaluated for balance
  std::uint64_t control = 0;        // games played on although a player would have resigned;
  std::uint64_t control_wrong = 0;  // of those, this player did not lose

  // Calls use(name, member) for each.
  template <typename Use>
  static void each(Use use) {
    use("games", &Counters::games);
    use("plies", &Counters::plies);
    use("simulations", &Counters::simulations);
    use("evaluations", &Counters::evaluations);
    use("first_player_wins", &Counters::first_player_wins);
    use("draws", &Counters::draws);
    use("placed", &Counters::placed);
    use("distant", &Counters::distant);
    use("border", &Counters::border);
    use("full", &Counters::full);
    use("top_share", &Counters::top_share);
    use("proven", &Counters::proven);
    use("refuted", &Counters::refuted);
    use("resigned", &Counters::resigned);
    use("starts", &Counters::starts);
    use("control", &Counters::control);
    use("control_wrong", &Counters::control_wrong);
  }
  void add(const Counters& other) {
    each([&](const char*, auto counter) { this->*counter += other.*counter; });
  }
};

// Shared by all games of a SelfPlay.
struct SelfPlayConfig {
  struct Board {
    std::function<std::unique_ptr<State>()> start;  // makes a new start position
    double weight = 1;                              // relative frequency
    int rows = 0;                                   // set by SelfPlay, as are the columns
    int columns = 0;
  };
  std::vector<Board> boards;  // all fit the planes
  std::shared_ptr<const Planes> planes;
  NetworkOptions search;
  SelfPlayOptions options;
  Hooks hooks;
  std::shared_ptr<const Proximity> openings;  // weighs random opening moves; null: all alike
};

// The network's input and output for a group of games, or one game's rows of them.
struct Batch {
  float* planes = nullptr;        // input, written by the games
  const float* policy = nullptr;  // the network's output for the previous input
  const float* value = nullptr;
};

class SelfPlayGame {
 public:
  // The `number`-th of `count` concurrent games; its games are numbered number, number + count, …
  SelfPlayGame(const SelfPlayConfig& config, std::uint64_t number, std::uint64_t count);

  // Completes the waiting simulations with the network's output and continues until others wait.
  void advance(const Batch& rows);
  // Discards the search tree and restarts the current move's search.
  void restart_search();

  // The game so far; adopt() replaces it and throws std::invalid_argument if the new one is illegal.
  const PlayedGame& played() const { return played_; }
  void adopt(const PlayedGame& played);

  // Games finished since the last call.
  bool has_finished() const { return !finished_.empty(); }
  std::vector<PlayedGame> take_finished() { return std::exchange(finished_, {}); }
  Counters take_counters() { return std::exchange(counters_, {}); }

 private:
  void begin_game();
  void begin_opening();
  bool play_random_moves();
  bool accept_start();
  void replace_start();
  void begin_search();
  void prepare_root();
  void prove_root();
  void add_noise();
  bool fill_batch(const Batch& rows);
  void encode_leaf(int row, const Batch& rows);
  bool needs_simulations() const;
  void make_move();
  void make_policy_move();
  double raw_prior(Move move) const;
  std::optional<Move> finishing_move() const;
  bool refutes(Move move);
  Move choose(std::vector<double>& shares);
  void record(const std::vector<double>& shares);
  void count_placement(Move move);
  bool resigns(int player, double value);
  void finish_game(const Scores& scores, int resigned_by);

  const SelfPlayConfig& config_;
  const SelfPlayOptions& options_;
  std::uint64_t number_;  // of the next game
  std::uint64_t count_;
  Random random_;
  NetworkSearch search_;
  NetworkPriors priors_;
  GumbelRoot gumbel_;
  std::unique_ptr<State> state_;
  PlayedGame played_;

  bool searching_ = false;
  bool root_prepared_ = false;
  bool full_ = false;
  std::uint32_t policy_plies_ = 0;  // opening plies still to be sampled from the policy
  std::uint8_t board_ = 0;
  bool start_accepted_ = false;
  int starts_tried_ = 0;
  int favoured_ = 0;  // the player who may have the advantage at the start
  struct Start {
    std::pair<bool, double> rank;  // whether it favours the other player, and how much: |2v − 1|
    PlayedGame opening;
  };
  std::optional<Start> best_start_;  // of those not accepted
  bool no_win_found_ = false;        // by the prover, for the side to move
  std::uint64_t target_ = 0;         // simulations of the current search
  std::vector<NetworkSearch::RootMove> root_;
  std::vector<std::pair<Move, float>> raw_priors_;  // without noise
  struct Leaf {
    bool waits = false;  // for the network
    int symmetry = 0;    // under which it was encoded
  };
  std::vector<Leaf> leaves_;  // by row
  int waiting_ = 0;
  std::vector<float> image_;  // scratch: encoding a position fills its caches

  bool may_resign_ = true;     // false in control games
  int low_moves_[2] = {0, 0};  // consecutive moves below the resignation threshold, by player
  int would_have_resigned_ = -1;
  std::vector<PlayedGame> finished_;
  Counters counters_;
};

}  // namespace tesuji::zero
