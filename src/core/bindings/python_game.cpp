#include "bindings/python_game.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace tesuji::python {

namespace {

// Attribute names, made once: looking methods up by interned strings is most of what a call costs on our side.
struct Names {
  PyObject* player = PyUnicode_InternFromString("player");
  PyObject* moves = PyUnicode_InternFromString("moves");
  PyObject* play = PyUnicode_InternFromString("play");
  PyObject* scores = PyUnicode_InternFromString("scores");
  PyObject* key = PyUnicode_InternFromString("key");
};

const Names& names() {
  static const Names instance;
  return instance;
}

nb::object checked(PyObject* result) {
  if (result == nullptr) throw nb::python_error();
  return nb::steal(result);
}

nb::object call(nb::handle self, PyObject* method) { return checked(PyObject_CallMethodNoArgs(self.ptr(), method)); }

nb::object call(nb::handle self, PyObject* method, nb::handle argument) {
  return checked(PyObject_CallMethodOneArg(self.ptr(), method, argument.ptr()));
}

std::string text(nb::handle object) { return nb::repr(object).c_str(); }

[[noreturn]] void fail(const std::string& message) { throw nb::value_error(message.c_str()); }

// A list or tuple as it is, anything else that can be iterated over as a list.
nb::object fast_sequence(nb::object moves) {
  PyObject* fast = PySequence_Fast(moves.ptr(), "moves() must return a sequence of moves");
  return checked(fast);
}

int read_player(nb::handle state, int players) {
  const nb::object value = checked(PyObject_GetAttr(state.ptr(), names().player));
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
  const nb::object fast = checked(PySequence_Fast(result.ptr(), "scores() must return None or a sequence of numbers"));
  if (PySequence_Fast_GET_SIZE(fast.ptr()) != players) {
    fail("scores() returned " + text(result) + "; the game has " + std::to_string(players) + " players");
  }
  Scores scores{};
  for (int i = 0; i < players; ++i) {
    scores[i] = PyFloat_AsDouble(PySequence_Fast_GET_ITEM(fast.ptr(), i));
    if (scores[i] == -1.0 && PyErr_Occurred() != nullptr) throw nb::python_error();
    if (!(scores[i] >= 0.0 && scores[i] <= 1.0))
      fail("scores() returned " + text(result) + "; each must be from 0 to 1");
  }
  return scores;
}

Move Rules::id_of(nb::handle move) {
  const Move known = find(move);
  if (known != no_move) return known;
  const Move id = count();
  moves_.push_back(nb::borrow(move));
  ids_[move] = nb::int_(id);
  return id;
}

Move Rules::find(nb::handle move) const {
  PyObject* found = PyDict_GetItemWithError(ids_.ptr(), move.ptr());
  if (found != nullptr) return static_cast<Move>(PyLong_AsUnsignedLong(found));
  if (PyErr_Occurred() != nullptr) throw nb::python_error();
  return no_move;
}

Position::~Position() {
  // One by one with a list of our own: a game's line can be longer than the machine's stack.
  std::vector<Position*> open;
  const auto detach = [&open](std::vector<Position*>& from) {
    for (Position* next : from) {
      if (next != nullptr) open.push_back(next);
    }
    from.clear();
  };
  detach(successors_);
  while (!open.empty()) {
    Position* next = open.back();
    open.pop_back();
    if (next->references_ == 1) detach(next->successors_);
    next->release();
  }
}

int Position::player() {
  if (player_ == unknown_player) player_ = read_player(state_, rules_->players());
  return player_;
}

bool Position::over() {
  if (!over_known_) {
    const nb::object result = call(state_, names().scores);
    over_ = !result.is_none();
    if (over_) scores_ = read_scores(result, rules_->players());
    over_known_ = true;
  }
  return over_;
}

void Position::set_result(const Scores& scores) {
  over_known_ = over_ = true;
  scores_ = scores;
}

const nb::object& Position::move_sequence() {
  if (!sequence_.is_valid()) sequence_ = fast_sequence(call(state_, names().moves));
  return sequence_;
}

const MoveList& Position::moves() {
  if (!moves_known_) {
    const nb::object& sequence = move_sequence();
    const Py_ssize_t size = PySequence_Fast_GET_SIZE(sequence.ptr());
    for (Py_ssize_t i = 0; i < size; ++i) moves_.push_back(rules_->id_of(PySequence_Fast_GET_ITEM(sequence.ptr(), i)));
    moves_known_ = true;
  }
  return moves_;
}

Position* Position::successor(Move move, bool keep) {
  const MoveList& list = moves();
  const auto at = static_cast<std::size_t>(std::find(list.begin(), list.end(), move) - list.begin());
  if (at == list.size()) fail("illegal move " + text(rules_->move_of(move)));
  if (keep && at < successors_.size() && successors_[at] != nullptr) {
    successors_[at]->retain();
    return successors_[at];
  }
  auto* made = new Position(call(state_, names().play, rules_->move_of(move)), *rules_);
  if (!keep) return made;
  successors_.resize(list.size(), nullptr);
  // Another thread may have come first while Python ran.
  if (successors_[at] != nullptr) successors_[at]->release();
  successors_[at] = made;
  made->retain();
  return made;
}

const nb::object& Position::key() {
  if (!key_.is_valid()) {
    key_ = nb::hasattr(state_, nb::handle(names().key)) ? call(state_, names().key) : state_;
  }
  return key_;
}

PythonState::PythonState(std::shared_ptr<Rules> rules, nb::object state)
    : rules_(std::move(rules)), position_(new Position(std::move(state), *rules_)) {}

PythonState::PythonState(const PythonState& other)
    : State(other), rules_(other.rules_), position_(other.position_), keep_(other.keep_) {
  position_->retain();
}

PythonState& PythonState::operator=(const PythonState& other) {
  other.position_->retain();
  replace(other.position_);
  rules_ = other.rules_;
  keep_ = other.keep_;
  return *this;
}

PythonState::~PythonState() { position_->release(); }

void PythonState::replace(Position* owned) {
  Position* old = position_;
  position_ = owned;
  old->release();
}

bool PythonState::legal(Move move) const {
  if (over()) return false;
  const MoveList& list = position_->moves();
  return std::find(list.begin(), list.end(), move) != list.end();
}

void PythonState::play(Move move) { replace(position_->successor(move, keep_)); }

bool PythonState::same_position(const State& other) const {
  const auto* python = dynamic_cast<const PythonState*>(&other);
  if (python == nullptr) return false;
  if (python->position_ == position_) return true;
  return position_->key().equal(python->position_->key());
}

// The same as playing move by move, without keeping anything on the way.
void PythonState::playout(Random& random, const PlayoutRequest& request) {
  if (request.max_plies == 0 || over()) return;
  nb::object state = position_->state();
  nb::object sequence = position_->move_sequence();
  for (int plies = 1;; ++plies) {
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(sequence.ptr());
    if (count == 0) fail("moves() is empty but scores() is None: the game is neither going on nor over");
    const nb::object move =
        nb::borrow(PySequence_Fast_GET_ITEM(sequence.ptr(), random.below(static_cast<std::uint32_t>(count))));
    if (request.trace != nullptr) request.trace->push_back({rules_->id_of(move), read_player(state, players())});
    state = call(state, names().play, move);
    const nb::object result = call(state, names().scores);
    if (!result.is_none()) {
      replace(new Position(std::move(state), *rules_));
      position_->set_result(read_scores(result, players()));
      return;
    }
    const bool interrupted = plies % 64 == 0 && request.stopped != nullptr && request.stopped(request.stopped_context);
    if (plies == request.max_plies || interrupted) {
      replace(new Position(std::move(state), *rules_));
      return;
    }
    sequence = fast_sequence(call(state, names().moves));
  }
}

}  // namespace tesuji::python
