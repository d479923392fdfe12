#include "bindings/python/game.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "bindings/errors.hpp"

namespace tesuji::python {

namespace {

// Interned names, which make method lookups fast.
struct MethodNames {
  PyObject* player = PyUnicode_InternFromString("player");
  PyObject* moves = PyUnicode_InternFromString("moves");
  PyObject* play = PyUnicode_InternFromString("play");
  PyObject* scores = PyUnicode_InternFromString("scores");
  PyObject* key = PyUnicode_InternFromString("key");
  PyObject* noisy_moves = PyUnicode_InternFromString("noisy_moves");
  PyObject* chances = PyUnicode_InternFromString("chances");
  PyObject* determinize = PyUnicode_InternFromString("determinize");
  PyObject* seed = PyUnicode_InternFromString("seed");
};

// Estimated bytes per position besides its lists: allocator overhead, its entry in positions_, and its dictionary entry
// if the game has keys.
constexpr std::size_t position_overhead = 32;
constexpr std::size_t key_overhead = 140;
constexpr std::size_t move_overhead = 180;  // a move and its number, in both directions

// Positions whose Python objects are measured: the first 16, then one in 64, because measuring is slow.
constexpr std::uint64_t first_measured = 16;
constexpr std::uint64_t measured_one_in = 64;
constexpr double max_samples = 32;  // weight of the running mean, since sizes change in the course of a game

const MethodNames& names() {
  static const MethodNames instance;
  return instance;
}

nb::object call(nb::handle self, PyObject* method) {
  PyObject* arguments[] = {self.ptr()};
  return checked(PyObject_VectorcallMethod(method, arguments, 1, nullptr));
}

nb::object call(nb::handle self, PyObject* method, nb::handle argument) {
  PyObject* arguments[] = {self.ptr(), argument.ptr()};
  return checked(PyObject_VectorcallMethod(method, arguments, 2, nullptr));
}

// The length and the items of a list or tuple, as PySequence_Fast returns it; its macros are not in the stable ABI.
Py_ssize_t length(nb::handle sequence) {
  return PyList_Check(sequence.ptr()) != 0 ? PyList_Size(sequence.ptr()) : PyTuple_Size(sequence.ptr());
}

PyObject* item(nb::handle sequence, Py_ssize_t place) {
  return PyList_Check(sequence.ptr()) != 0 ? PyList_GetItem(sequence.ptr(), place)
                                           : PyTuple_GetItem(sequence.ptr(), place);
}

// The result of moves() as a list or tuple.
nb::object ask_moves(nb::handle state) {
  const nb::object moves = call(state, names().moves);
  if (PySequence_Check(moves.ptr()) == 0 && PyIter_Check(moves.ptr()) == 0) {
    fail("moves() returned " + text(moves) + "; it must be a sequence of moves");
  }
  return checked(PySequence_Fast(moves.ptr(), "moves() must return a sequence of moves"));
}

int read_player(nb::handle state, int players) {
  const nb::object value = checked(PyObject_GetAttr(state.ptr(), names().player));
  if (PyLong_Check(value.ptr()) == 0) fail("player is " + text(value) + "; it must be a whole number");
  const long player = PyLong_AsLong(value.ptr());
  if (player == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  if (player < chance_player || player >= players) {
    fail("player is " + text(value) + "; with " + std::to_string(players) + " players it must be from 0 to " +
         std::to_string(players - 1) + ", or CHANCE");
  }
  return static_cast<int>(player);
}

}  // namespace

Scores read_scores(nb::handle result, int players) {
  if (PyDict_Check(result.ptr()) != 0 || PyAnySet_Check(result.ptr()) != 0) {  // unordered
    fail("scores() returned " + text(result) + "; it must be a sequence, player by player");
  }
  const nb::object fast = checked(PySequence_Fast(result.ptr(), "scores() must return None or a sequence of numbers"));
  if (length(fast) != players) {
    fail("scores() returned " + text(result) + "; the game has " + std::to_string(players) + " players");
  }
  Scores scores{};
  for (int i = 0; i < players; ++i) {
    scores[i] = number_of(item(fast, i));
    if (!(scores[i] >= 0.0 && scores[i] <= 1.0)) {
      fail("scores() returned " + text(result) + "; each must be a number from 0 to 1");
    }
  }
  // Searches rely on scores that sum to 1.
  if (players == 2 && std::abs(scores[0] + scores[1] - 1.0) > 1e-9) {
    fail("scores() returned " + text(result) + "; the scores of two players must add up to 1");
  }
  return scores;
}

Move PythonGame::id_of(nb::handle move, int player) {
  const Move known = find(move, player);
  if (known != no_move) return known;
  const Move id = count();
  moves_.push_back(nb::borrow(move));
  nb::dict(ids(player))[move] = nb::int_(id);
  return id;
}

Move PythonGame::find(nb::handle move, int player) const {
  PyObject* const found = find_item(ids(player), move);
  return found == nullptr ? no_move : static_cast<Move>(PyLong_AsUnsignedLong(found));
}

PythonGame::PythonGame(int players) : players_(players), ids_(1) {}

PythonGame::~PythonGame() = default;

bool PythonGame::has_hidden_information(nb::handle state) {
  if (!hidden_information_) {
    hidden_information_ = nb::hasattr(state, nb::handle(names().determinize));
    if (*hidden_information_) ids_.resize(static_cast<std::size_t>(players_) + 1);
  }
  return *hidden_information_;
}

bool PythonGame::has_keys(nb::handle state) {
  if (!has_keys_) has_keys_ = nb::hasattr(state, nb::handle(names().key));
  return *has_keys_;
}

PythonPosition* PythonGame::keep(nb::object state, const PythonPosition* before) {
  nb::object key;
  if (has_keys(state)) {
    key = call(state, names().key);
    PyObject* const found = find_item(by_key_, key);
    if (found != nullptr) return positions_[PyLong_AsSize_t(found)].get();
    by_key_[key] = nb::int_(positions_.size());
  }
  positions_.push_back(std::make_unique<PythonPosition>(std::move(state), *this));
  positions_.back()->key_ = std::move(key);
  positions_.back()->before_ = before;
  positions_.back()->cached_ = true;
  own_bytes_ += positions_.back()->own_bytes();
  count(unexpanded_, *positions_.back());
  return positions_.back().get();
}

void PythonGame::stop_caching() {
  caching_ = false;
  hasher_.set_numbering(false);
}

std::size_t PythonGame::cache_bytes() const {
  const double objects =
      static_cast<double>(unexpanded_.count) * unexpanded_.mean + static_cast<double>(expanded_.count) * expanded_.mean;
  return own_bytes_ + moves_.size() * move_overhead + hasher_.numbered() * key_overhead +
         static_cast<std::size_t>(objects);
}

void PythonGame::count(SizeEstimate& kind, const PythonPosition& position) {
  ++kind.count;
  ++kind.met;
  if (position.before_ == nullptr || (kind.met > first_measured && kind.met % measured_one_in != 0)) return;
  const nb::object size = nb::module_::import_("tesuji.search.memory")
                              .attr("bytes_beyond")(position.objects(), position.before_->objects());
  kind.samples = std::min(kind.samples + 1, max_samples);
  kind.mean += (nb::cast<double>(size) - kind.mean) / kind.samples;
}

void PythonGame::count_as_expanded(const PythonPosition& position) {
  --unexpanded_.count;
  count(expanded_, position);
}

void PythonGame::evict_unreachable(PythonPosition* root) {
  std::vector<PythonPosition*> open{root};
  root->reached_ = true;
  while (!open.empty()) {
    PythonPosition* position = open.back();
    open.pop_back();
    for (PythonPosition* next : position->successors_) {
      if (next == nullptr || next->reached_) continue;
      next->reached_ = true;
      open.push_back(next);
    }
  }
  for (const auto& position : positions_) {
    if (position->before_ != nullptr && !position->before_->reached_) position->before_ = nullptr;
  }
  std::vector<std::unique_ptr<PythonPosition>> kept;
  by_key_ = nb::dict();
  own_bytes_ = 0;
  unexpanded_.count = expanded_.count = 0;
  for (auto& position : positions_) {
    if (!position->reached_) continue;
    position->reached_ = false;
    if (position->key_.is_valid()) by_key_[position->key_] = nb::int_(kept.size());
    own_bytes_ += position->own_bytes();
    ++(position->sequence_.is_valid() ? expanded_ : unexpanded_).count;
    kept.push_back(std::move(position));
  }
  positions_ = std::move(kept);
  hasher_.prune();
  hasher_.set_numbering(true);
  caching_ = true;
}

void PythonGame::clear() {
  ids_.assign(1, nb::dict());
  hidden_information_.reset();
  has_keys_.reset();
  moves_.clear();
  positions_.clear();
  by_key_ = nb::dict();
  hasher_ = KeyHasher();
  caching_ = true;
  own_bytes_ = 0;
  unexpanded_ = {unexpanded_guess};
  expanded_ = {expanded_guess};
}

void PythonGame::references(References& found) {
  for (nb::dict& ids : ids_) found(ids);
  found(moves_);
  found(random_);
  found(by_key_);
  hasher_.references(found);
  for (PythonPosition* position = newest_; position != nullptr; position = position->older_) {
    position->references(found);
  }
}

ChanceOutcomes::ChanceOutcomes(nb::handle state) {
  if (!nb::hasattr(state, nb::handle(names().chances))) fail("a state needs chances() where player is CHANCE");
  const nb::object answer = call(state, names().chances);
  double sum = 0;
  for (const nb::handle pair : answer) {
    const nb::object fast = checked(PySequence_Fast(pair.ptr(), "chances() must list pairs (move, probability)"));
    if (length(fast) != 2) fail("chances() lists " + text(pair) + ", not (move, probability)");
    const double probability = number_of(item(fast, 1));
    if (!(probability >= 0.0)) fail("chances() lists " + text(pair) + "; probabilities are numbers from 0 to 1");
    moves_.push_back(nb::borrow(item(fast, 0)));
    up_to_.push_back(sum += probability);
  }
  if (!(std::abs(sum - 1.0) < 1e-6)) fail("chances() adds up to " + std::to_string(sum) + "; it must be 1");
}

const nb::object& ChanceOutcomes::sample(Random& random) const {
  const double point = random.uniform() * up_to_.back();
  return moves_[static_cast<std::size_t>(std::upper_bound(up_to_.begin(), up_to_.end(), point) - up_to_.begin())];
}

PythonPosition::PythonPosition(nb::object state, PythonGame& game)
    : state_(std::move(state)), game_(&game), older_(std::exchange(game.newest_, this)) {
  if (older_ != nullptr) older_->newer_ = this;
}

PythonPosition::~PythonPosition() {
  (newer_ != nullptr ? newer_->older_ : game_->newest_) = older_;
  if (older_ != nullptr) older_->newer_ = newer_;
}

void PythonPosition::references(References& found) {
  found(state_);
  found(sequence_);
  found(key_);
  if (chances_ != nullptr) chances_->references(found);
}

int PythonPosition::player() {
  if (player_ == unknown_player) player_ = read_player(state_, game_->players());
  return player_;
}

bool PythonPosition::over() {
  if (!over_known_) {
    const nb::object result = call(state_, names().scores);
    if (!result.is_none()) scores_ = std::make_unique<const Scores>(read_scores(result, game_->players()));
    over_known_ = true;
  }
  return scores_ != nullptr;
}

const nb::object& PythonPosition::move_sequence() {
  // A copy, because the user's list may change later.
  if (!sequence_.is_valid()) {
    sequence_ = checked(PySequence_Tuple(ask_moves(state_).ptr()));
    if (cached_) game_->count_as_expanded(*this);
  }
  return sequence_;
}

const MoveList& PythonPosition::moves() {
  if (!moves_known_) {
    const nb::object& sequence = move_sequence();
    const Py_ssize_t size = length(sequence);
    game_->begin_list();
    moves_.reserve(static_cast<std::size_t>(size));
    for (Py_ssize_t i = 0; i < size; ++i) {
      const nb::handle move = item(sequence, i);
      moves_.push_back(game_->id_of(move, owner()));
      if (!game_->first_in_list(moves_.back())) fail("moves() lists " + text(move) + " twice");
    }
    moves_known_ = true;
    if (cached_) game_->own_bytes_ += moves_.capacity() * sizeof(Move);
  }
  return moves_;
}

std::size_t PythonPosition::place_of(Move move) {
  const MoveList& list = moves();
  const auto place = static_cast<std::size_t>(std::find(list.begin(), list.end(), move) - list.begin());
  if (place == list.size()) fail("illegal move " + text(game_->move_of(move)));
  return place;
}

Move PythonPosition::sample_chance(Random& random) {
  if (chances_ == nullptr) {
    auto said = std::make_unique<ChanceOutcomes>(state_);
    for (const nb::object& move : said->moves()) {
      const MoveList& list = moves();
      if (std::find(list.begin(), list.end(), game_->id_of(move, chance_player)) == list.end()) {
        fail("chances() lists " + text(move) + ", which moves() does not");
      }
    }
    chances_ = std::move(said);
  }
  return game_->id_of(chances_->sample(random), chance_player);
}

nb::object PythonPosition::play(std::size_t place) {
  return call(state_, names().play, item(move_sequence(), static_cast<Py_ssize_t>(place)));
}

PythonPosition* PythonPosition::successor(std::size_t place) {
  if (known_successor(place) == nullptr) {
    if (successors_.empty()) {
      successors_.resize(static_cast<std::size_t>(length(move_sequence())), nullptr);
      game_->own_bytes_ += successors_.capacity() * sizeof(PythonPosition*);
    }
    successors_[place] = game_->keep(play(place), this);
  }
  return successors_[place];
}

std::uint64_t PythonPosition::hash() {
  if (hash_ == 0 && game_->has_keys(state_)) {
    if (!key_.is_valid()) key_ = call(state_, names().key);
    hash_ = game_->hash_of(key_);
  }
  return hash_;
}

bool PythonPosition::noisy_moves(MoveList& list) const {
  list.clear();
  if (!nb::hasattr(state_, nb::handle(names().noisy_moves))) return false;
  const nb::object moves = call(state_, names().noisy_moves);
  for (const nb::handle move : moves) list.push_back(game_->id_of(move, 0));
  return true;
}

std::size_t PythonPosition::own_bytes() const {
  return sizeof(PythonPosition) + position_overhead + (key_.is_valid() ? key_overhead : 0) +
         moves_.capacity() * sizeof(Move) + successors_.capacity() * sizeof(PythonPosition*);
}

nb::tuple PythonPosition::objects() const {
  const auto given = [](const nb::object& object) { return object.is_valid() ? object : nb::none(); };
  return nb::make_tuple(state_, given(key_), given(sequence_));
}

PythonState::PythonState(std::shared_ptr<PythonGame> game, nb::object state) : game_(std::move(game)) {
  if (game_->has_hidden_information(state)) {
    set_uncached(std::move(state));
  } else {
    position_ = game_->keep(std::move(state), nullptr);
  }
}

PythonState::PythonState(const PythonState& other) : State(other), game_(other.game_) { *this = other; }

PythonState& PythonState::operator=(const PythonState& other) {
  if (other.uncached_ != nullptr) {
    set_uncached(other.uncached_->state());
  } else {
    position_ = other.position_;
    uncached_.reset();
  }
  cache_ = other.cache_;
  played_out_ = false;
  return *this;
}

void PythonState::set_uncached(nb::object state) {
  uncached_ = std::make_unique<PythonPosition>(std::move(state), *game_);
  position_ = uncached_.get();
}

bool PythonState::legal(Move move) const {
  if (over()) return false;
  const MoveList& list = position_->moves();
  return std::find(list.begin(), list.end(), move) != list.end();
}

void PythonState::play(Move move) {
  const std::size_t place = position_->place_of(move);
  if (caches()) {
    position_ = position_->successor(place);
  } else if (PythonPosition* known = position_->known_successor(place); known != nullptr) {
    position_ = known;
  } else {
    set_uncached(position_->play(place));
  }
}

// Avoids assign()'s copy of an uncached position, which would lose its memoized results.
void PythonState::assign_after(const State& from, Move move) {
  const auto& before = static_cast<const PythonState&>(from);
  const std::size_t place = before.position_->place_of(move);
  cache_ = before.cache_;
  played_out_ = false;
  PythonPosition* next =
      before.caches() ? before.position_->successor(place) : before.position_->known_successor(place);
  if (next == nullptr) {
    set_uncached(before.position_->play(place));
  } else {
    uncached_.reset();
    position_ = next;
  }
}

bool PythonState::same_position(const State& other) const {
  const auto* python = dynamic_cast<const PythonState*>(&other);
  if (python == nullptr) return false;
  if (python->position_ == position_) return true;
  // Equal keys share one cached position. A game without keys may define ==; if it raises (as numpy arrays do), the
  // positions count as different.
  if (position_->has_key()) return false;
  const int equal = PyObject_RichCompareBool(object().ptr(), python->object().ptr(), Py_EQ);
  if (equal < 0) PyErr_Clear();
  return equal == 1;
}

void PythonState::determinize(State& state, int observer, Random& random) const {
  nb::object& source = game_->python_random();
  call(source, names().seed, nb::int_(random.next()));
  const nb::int_ player(observer);
  nb::object imagined =
      checked(PyObject_CallMethodObjArgs(object().ptr(), names().determinize, player.ptr(), source.ptr(), nullptr));
  if (imagined.is_none()) fail("determinize() returned None; it must return a state");
  auto& made = static_cast<PythonState&>(state);
  made.set_uncached(std::move(imagined));
  made.cache_ = true;
  made.played_out_ = false;
}

// Like playing move by move, without caching.
void PythonState::playout(Random& random, const PlayoutRequest& request) {
  const auto pick = [&](nb::handle sequence) {
    const Py_ssize_t count = length(sequence);
    if (count == 0) fail("moves() is empty but scores() is None");
    return random.below(static_cast<std::uint32_t>(count));
  };
  const auto note = [&](nb::handle move, int mover) { request.trace->push_back({game_->id_of(move, mover), mover}); };
  // `player` is only read if needed. States of one type either all have chances() or none.
  const PyTypeObject* asked = nullptr;
  bool has_chances = false;
  const auto by_chance = [&](nb::handle state) {
    if (Py_TYPE(state.ptr()) != asked) {
      asked = Py_TYPE(state.ptr());
      has_chances = nb::hasattr(state, nb::handle(names().chances));
    }
    return has_chances;
  };
  // Along cached positions, without Python calls.
  int plies = 0;
  std::uint32_t place = 0;
  for (;; ++plies) {
    if (plies == request.max_plies || position_->over()) return;
    if (by_chance(position_->state()) && position_->player() == chance_player) {
      place = static_cast<std::uint32_t>(position_->place_of(position_->sample_chance(random)));
    } else {
      const nb::object& sequence = position_->move_sequence();
      place = pick(sequence);
      if (request.trace != nullptr) note(item(sequence, place), position_->player());
    }
    PythonPosition* known = position_->known_successor(place);
    if (known == nullptr) break;
    position_ = known;
    // No Python code runs here, so signals and other threads need attention.
    if (plies % 1024 == 1023) {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      const nb::gil_scoped_release others;
    }
    if (plies % 64 == 63 && request.stopped != nullptr && request.stopped(request.stopped_context)) return;
  }
  nb::object state = position_->play(place);
  for (++plies;; ++plies) {
    const nb::object result = call(state, names().scores);
    if (!result.is_none()) {
      result_ = read_scores(result, players());
      played_out_ = true;
      return;
    }
    // At every ply: reading the clock takes far less time than calling Python.
    const bool interrupted = request.stopped != nullptr && request.stopped(request.stopped_context);
    if (plies == request.max_plies || interrupted) {
      set_uncached(std::move(state));
      return;
    }
    const int mover = by_chance(state) || request.trace != nullptr ? read_player(state, players()) : 0;
    nb::object move;
    if (mover == chance_player) {
      move = ChanceOutcomes(state).sample(random);
    } else {
      const nb::object sequence = ask_moves(state);
      move = nb::borrow(item(sequence, pick(sequence)));
      if (request.trace != nullptr) note(move, mover);
    }
    state = call(state, names().play, move);
  }
}

}  // namespace tesuji::python
