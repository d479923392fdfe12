// A game whose rules are written in Python, seen through state.hpp.
//
// A search keeps the Python states its tree has reached, each with its successors, so that walking down a known path
// makes no Python call; a playout makes none either as long as it stays among them. States with equal keys are kept
// once: where the same position is reached by another order of moves, all that is known of it is known already. Beyond
// that playouts keep nothing. Moves get small integers, one table per search. Everything here runs with the
// interpreter's lock held; Python errors pass through as nb::python_error, unchanged.
//
// A game with determinize() keeps no state: every simulation has its own. Its moves are numbered player by player,
// since the tree may meet several players in one node.
//
// What is kept counts against the search's memory. Our own part is known; how large the Python objects of a position
// are is measured now and then, as what it holds and the position before it does not (tesuji/search/memory.py), and
// the mean is taken for all.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <utility>
#include <vector>

#include "bindings/key_hash.hpp"
#include "game/state.hpp"

namespace tesuji::python {

namespace nb = nanobind;

class Position;

// What all states of one search share: the number of players, the numbering of moves, and the positions kept.
class Rules {
 public:
  explicit Rules(int players);
  ~Rules();

  int players() const { return players_; }
  // Whether states have a determinize(); the first one that is asked about decides.
  bool hides(nb::handle state);
  bool hides() const { return hides_; }
  // The number of a player's move. Only where something is hidden does it matter whose.
  Move id_of(nb::handle move, int player);
  nb::object move_of(Move id) const { return moves_[id]; }
  // The number of a move that a hook returned; no_move where the search has never met it.
  Move find(nb::handle move, int player) const;
  Move count() const { return static_cast<Move>(moves_.size()); }
  // A random.Random, for determinize().
  nb::object& python_random() {
    if (!random_.is_valid()) random_ = nb::module_::import_("random").attr("Random")(0);
    return random_;
  }
  // Whether a list of moves names one twice: begin, then ask for each.
  void begin_list() { ++list_; }
  bool first_in_list(Move id) {
    if (id >= seen_in_.size()) seen_in_.resize(id + 1U, 0);
    return std::exchange(seen_in_[id], list_) != list_;
  }

  // The kept position of this state: the one with an equal key, where the game has keys and there is one. `before`: the
  // position that led to it, if any.
  Position* keep(nb::object state, const Position* before);
  // Whether new positions are to be kept; from the next root on they are again.
  bool keeping() const { return keeping_; }
  void stop_keeping();
  std::size_t kept_bytes() const;
  // Whether states have a key(); the first one that is asked about decides.
  bool has_keys(nb::handle state);
  // 64 bits for a key; 0 where it would have to be kept, and nothing more is.
  std::uint64_t hash_of(nb::handle key) { return hasher_.hash(key); }
  // Drops all positions that cannot be reached from this one.
  void keep_only_reachable(Position* root);
  // As new. No state may be left.
  void clear();

 private:
  friend class Position;

  // How large the Python objects of a position are, from a sample.
  struct Measured {
    double mean;            // bytes; a guess until the first is measured
    std::size_t count = 0;  // positions kept now
    std::uint64_t met = 0;  // and ever
    double samples = 0;
  };

  static constexpr double fresh_guess = 800;
  static constexpr double asked_guess = 1600;

  const nb::dict& ids(int player) const { return ids_[hides_ ? static_cast<std::size_t>(player + 1) : 0]; }
  void count(Measured& kind, const Position& position);
  void count_as_asked(const Position& position);

  int players_;
  bool hides_known_ = false;
  bool hides_ = false;
  std::vector<nb::dict> ids_;  // one; where something is hidden one a player, chance first
  std::vector<nb::object> moves_;
  nb::object random_;
  std::vector<std::unique_ptr<Position>> positions_;
  nb::dict by_key_;  // key -> place in positions_
  KeyHasher hasher_;
  bool keeping_ = true;
  std::size_t own_bytes_ = 0;    // of the positions, without the Python objects
  Measured fresh_{fresh_guess};  // whose moves have not been asked
  Measured asked_{asked_guess};  // and those that have been: often the larger part
  bool keys_known_ = false;
  bool has_keys_ = false;
  std::uint64_t list_ = 0;
  std::vector<std::uint64_t> seen_in_;  // the last list that named each move
};

// What chances() said.
class Chances {
 public:
  explicit Chances(nb::handle state);
  const nb::object& draw(Random& random) const;
  const std::vector<nb::object>& moves() const { return moves_; }

 private:
  std::vector<nb::object> moves_;
  std::vector<double> up_to_;  // sums of the probabilities
};

// One Python state with what has been learned about it. Each question is asked once.
class Position {
 public:
  Position(nb::object state, Rules& rules) : state_(std::move(state)), rules_(&rules) {}

  const nb::object& state() const { return state_; }
  int player();
  bool over();
  // Only when over().
  const Scores& scores() const { return *scores_; }
  // The legal moves as Python gave them.
  const nb::object& move_sequence();
  const MoveList& moves();
  Move draw(Random& random);               // where nature moves
  nb::object play(std::size_t place);      // the Python state after the move at that place
  Position* successor(std::size_t place);  // kept
  Position* known_successor(std::size_t place) const {
    return place < successors_.size() ? successors_[place] : nullptr;
  }
  std::size_t place_of(Move move);
  bool has_key() const { return key_.is_valid(); }
  std::uint64_t hash();                    // of the key; 0 where the game has none
  bool noisy_moves(MoveList& list) const;  // false where the state names none
  std::size_t own_bytes() const;           // without the Python objects
  nb::tuple objects() const;               // the Python objects

 private:
  friend class Rules;

  static constexpr int unknown_player = -100;

  // Whose moves they are, where it matters.
  int owner() { return rules_->hides() ? player() : 0; }

  nb::object state_;
  Rules* rules_;
  std::uint64_t hash_ = 0;
  std::unique_ptr<const Chances> chances_;
  int player_ = unknown_player;
  bool over_known_ = false;
  bool moves_known_ = false;
  const Position* before_ = nullptr;      // that led here, while it is kept
  bool kept_ = false;                     // by the rules, so that what it takes counts
  bool reached_ = false;                  // while unreachable positions are looked for
  std::unique_ptr<const Scores> scores_;  // of a finished game
  nb::object sequence_;
  nb::object key_;
  MoveList moves_;
  std::vector<Position*> successors_;
};

class PythonState final : public State {
 public:
  PythonState(std::shared_ptr<Rules> rules, nb::object state);
  PythonState(const PythonState& other);
  PythonState& operator=(const PythonState& other);

  std::unique_ptr<State> clone() const override { return std::make_unique<PythonState>(*this); }
  void assign(const State& other) override { *this = static_cast<const PythonState&>(other); }
  int players() const override { return rules_->players(); }
  int player() const override { return position_->player(); }
  bool over() const override { return played_out_ || position_->over(); }
  Scores scores() const override { return played_out_ ? result_ : position_->scores(); }
  void moves(MoveList& list) const override { list = over() ? MoveList{} : position_->moves(); }
  bool legal(Move move) const override;
  void play(Move move) override;
  void follow(const State& from, Move move) override;
  Move move_limit() const override { return std::max(rules_->count(), wide_from_the_start); }
  bool same_position(const State& other) const override;
  std::uint64_t hash() const override { return position_->hash(); }
  bool noisy_moves(MoveList& list) const override { return position_->noisy_moves(list); }
  void playout(Random& random, const PlayoutRequest& request) override;
  Move draw(Random& random) const override { return position_->draw(random); }
  bool hides() const override { return rules_->hides(); }
  void determinize(const State& real, int observer, Random& random) override;
  void leave_tree() override { keep_ = false; }
  void become_root(bool) override { rules_->keep_only_reachable(position_); }
  std::size_t kept_bytes() const override { return rules_->kept_bytes(); }
  void stop_keeping() override { rules_->stop_keeping(); }

  const nb::object& object() const { return position_->state(); }
  const Rules& rules() const { return *rules_; }

 private:
  // Nobody knows beforehand how many different moves a Python game has: 16 bits may not be enough.
  static constexpr Move wide_from_the_start = 0x10000;

  void stand_on(nb::object state);  // a position that is not kept
  bool keeps() const { return keep_ && own_ == nullptr && rules_->keeping(); }

  std::shared_ptr<Rules> rules_;
  Position* position_;
  std::unique_ptr<Position> own_;  // the position, where it is not a kept one
  bool keep_ = true;
  // How a playout ended; the position it ended in is of no interest.
  bool played_out_ = false;
  Scores result_;
};

// Reads and checks what scores() returned.
Scores read_scores(nb::handle result, int players);

}  // namespace tesuji::python
