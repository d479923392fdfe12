// Games written in Python, as implementations of State.
//
// The Python states of a search tree are cached with their successors, so that descending a known path, or a playout
// along one, makes no Python call. States with equal keys share one cached position. Playouts cache nothing. Moves are
// numbered, one table per search. Everything here runs under the GIL; Python exceptions propagate unchanged.
//
// States of games with determinize() are not cached. Their moves are numbered per player, since different players may
// be to move in one node of the tree.
//
// The cache counts against the search's memory. The size of the Python objects is estimated from a sample of positions:
// what a position references and its predecessor does not (tesuji/search/memory.py).
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bindings/garbage.hpp"
#include "bindings/python/key_hash.hpp"
#include "game/state.hpp"

namespace tesuji::python {

namespace nb = nanobind;

class PythonPosition;

// Shared by all states of one search: the number of players, the numbering of moves, and the cached positions.
class PythonGame {
 public:
  explicit PythonGame(int players);
  ~PythonGame();

  int players() const { return players_; }
  // Whether states have determinize(), decided by the first state.
  bool has_hidden_information(nb::handle state);
  bool has_hidden_information() const { return hidden_information_.value_or(false); }
  // The number of a move. The player only matters with hidden information.
  Move id_of(nb::handle move, int player);
  nb::object move_of(Move id) const { return moves_[id]; }
  // The number of a known move, or no_move.
  Move find(nb::handle move, int player) const;
  Move count() const { return static_cast<Move>(moves_.size()); }
  // A random.Random for determinize().
  nb::object& python_random() {
    if (!random_.is_valid()) random_ = nb::module_::import_("random").attr("Random")(0);
    return random_;
  }
  // Detects duplicates in a list of moves.
  void begin_list() { ++list_; }
  bool first_in_list(Move id) {
    if (id >= seen_in_.size()) seen_in_.resize(id + 1U, 0);
    return std::exchange(seen_in_[id], list_) != list_;
  }

  // The cached position of a state, shared by states with equal keys. `before`: its predecessor, or null.
  PythonPosition* keep(nb::object state, const PythonPosition* before);
  // Whether new positions are cached; turned on again by the next root.
  bool caching() const { return caching_; }
  void stop_caching();
  std::size_t cache_bytes() const;
  // Whether states have key(), decided by the first state.
  bool has_keys(nb::handle state);
  // 0 if the key contains a new object and caching is off.
  std::uint64_t hash_of(nb::handle key) { return hasher_.hash(key); }
  // Drops all positions that are not reachable from `root`.
  void evict_unreachable(PythonPosition* root);
  // Resets everything. No state may exist.
  void clear();
  void references(References& found);

 private:
  friend class PythonPosition;

  // Estimates the size of a position's Python objects from a sample.
  struct SizeEstimate {
    double mean;            // bytes; initially a guess
    std::size_t count = 0;  // positions cached now
    std::uint64_t met = 0;  // positions ever cached
    double samples = 0;
  };

  static constexpr double unexpanded_guess = 800;
  static constexpr double expanded_guess = 1600;

  const nb::dict& ids(int player) const {
    return ids_[has_hidden_information() ? static_cast<std::size_t>(player + 1) : 0];
  }
  void count(SizeEstimate& kind, const PythonPosition& position);
  void count_as_expanded(const PythonPosition& position);

  int players_;
  std::optional<bool> hidden_information_;
  std::vector<nb::dict> ids_;  // one; with hidden information one per player, chance first
  std::vector<nb::object> moves_;
  nb::object random_;
  PythonPosition* newest_ = nullptr;  // a list of all positions, cached or not
  std::vector<std::unique_ptr<PythonPosition>> positions_;
  nb::dict by_key_;  // key -> index of positions_
  KeyHasher hasher_;
  bool caching_ = true;
  std::size_t own_bytes_ = 0;                  // without the Python objects
  SizeEstimate unexpanded_{unexpanded_guess};  // positions whose moves have not been listed
  SizeEstimate expanded_{expanded_guess};      // positions whose moves have been listed
  std::optional<bool> has_keys_;
  std::uint64_t list_ = 0;
  std::vector<std::uint64_t> seen_in_;  // the last list that contained each move
};

// The outcomes and probabilities of chances().
class ChanceOutcomes {
 public:
  explicit ChanceOutcomes(nb::handle state);
  const nb::object& sample(Random& random) const;
  const std::vector<nb::object>& moves() const { return moves_; }
  void references(References& found) { found(moves_); }

 private:
  std::vector<nb::object> moves_;
  std::vector<double> up_to_;  // cumulative probabilities
};

// A Python state with the memoized results of its methods.
class PythonPosition {
 public:
  PythonPosition(nb::object state, PythonGame& game);
  ~PythonPosition();
  PythonPosition(const PythonPosition&) = delete;
  PythonPosition& operator=(const PythonPosition&) = delete;

  const nb::object& state() const { return state_; }
  int player();
  bool over();
  // Only if over().
  const Scores& scores() const { return *scores_; }
  // The legal moves as Python objects.
  const nb::object& move_sequence();
  const MoveList& moves();
  Move sample_chance(Random& random);            // at a chance node
  nb::object play(std::size_t place);            // the Python state after a move
  PythonPosition* successor(std::size_t place);  // cached
  PythonPosition* known_successor(std::size_t place) const {
    return place < successors_.size() ? successors_[place] : nullptr;
  }
  std::size_t place_of(Move move);
  bool has_key() const { return key_.is_valid(); }
  std::uint64_t hash();                    // of the key; 0 without keys
  bool noisy_moves(MoveList& list) const;  // false if the state defines none
  std::size_t own_bytes() const;           // without the Python objects
  nb::tuple objects() const;               // the Python objects
  void references(References& found);

 private:
  friend class PythonGame;

  static constexpr int unknown_player = -100;

  // The player for the numbering of moves.
  int owner() { return game_->has_hidden_information() ? player() : 0; }

  nb::object state_;
  PythonGame* game_;
  PythonPosition* older_;  // in the list of all positions
  PythonPosition* newer_ = nullptr;
  std::uint64_t hash_ = 0;
  std::unique_ptr<ChanceOutcomes> chances_;
  int player_ = unknown_player;
  bool over_known_ = false;
  bool moves_known_ = false;
  const PythonPosition* before_ = nullptr;  // predecessor, while it is cached
  bool cached_ = false;                     // owned by the PythonGame, and counted
  bool reached_ = false;                    // mark of evict_unreachable()
  std::unique_ptr<const Scores> scores_;    // if the game is over
  nb::object sequence_;
  nb::object key_;
  MoveList moves_;
  std::vector<PythonPosition*> successors_;
};

class PythonState final : public State, public HiddenInformation, public PositionCache, public AlphaBetaSupport {
 public:
  PythonState(std::shared_ptr<PythonGame> game, nb::object state);
  PythonState(const PythonState& other);
  PythonState& operator=(const PythonState& other);

  std::unique_ptr<State> clone() const override { return std::make_unique<PythonState>(*this); }
  void assign(const State& other) override { *this = static_cast<const PythonState&>(other); }
  int players() const override { return game_->players(); }
  int player() const override { return position_->player(); }
  bool over() const override { return played_out_ || position_->over(); }
  Scores scores() const override { return played_out_ ? result_ : position_->scores(); }
  void moves(MoveList& list) const override { list = over() ? MoveList{} : position_->moves(); }
  bool legal(Move move) const override;
  void play(Move move) override;
  void assign_after(const State& from, Move move) override;
  Move move_limit() const override { return std::max(game_->count(), wide_from_the_start); }
  bool same_position(const State& other) const override;
  std::uint64_t hash() const override { return position_->hash(); }
  const AlphaBetaSupport* alphabeta_support() const override { return this; }
  bool noisy_moves(MoveList& list) const override { return position_->noisy_moves(list); }
  std::uint64_t full_hash() const override { return hash(); }
  void playout(Random& random, const PlayoutRequest& request) override;
  Move sample_chance(Random& random) const override { return position_->sample_chance(random); }
  const HiddenInformation* hidden_information() const override {
    return game_->has_hidden_information() ? this : nullptr;
  }
  void determinize(State& state, int observer, Random& random) const override;
  PositionCache* position_cache() override { return this; }
  void begin_playout() override { cache_ = false; }
  void become_root(bool) override { game_->evict_unreachable(position_); }
  std::size_t cache_bytes() const override { return game_->cache_bytes(); }
  void stop_caching() override { game_->stop_caching(); }

  const nb::object& object() const { return position_->state(); }
  const PythonGame& game() const { return *game_; }

 private:
  // The number of different moves is not known in advance, and 16 bits may not be enough.
  static constexpr Move wide_from_the_start = 0x10000;

  void set_uncached(nb::object state);  // moves to a position that is not cached
  bool caches() const { return cache_ && uncached_ == nullptr && game_->caching(); }

  std::shared_ptr<PythonGame> game_;
  PythonPosition* position_;
  std::unique_ptr<PythonPosition> uncached_;  // owns the position if it is not cached
  bool cache_ = true;
  // The result of a playout, whose final position is not stored.
  bool played_out_ = false;
  Scores result_;
};

// Converts and checks the result of scores().
Scores read_scores(nb::handle result, int players);

}  // namespace tesuji::python
