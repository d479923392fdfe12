#include "bindings/python/planes.hpp"

#include <algorithm>
#include <cmath>

#include "bindings/arrays.hpp"
#include "bindings/errors.hpp"

namespace tesuji::python {

namespace {

constexpr int max_numbers = 65535;

std::vector<std::uint16_t> checked_permutation(const std::vector<int>& places, int size, const char* of) {
  std::vector<bool> taken(static_cast<std::size_t>(size), false);
  bool right = places.size() == taken.size();
  for (std::size_t i = 0; right && i < places.size(); ++i) {
    right = places[i] >= 0 && places[i] < size && !taken[static_cast<std::size_t>(places[i])];
    if (right) taken[static_cast<std::size_t>(places[i])] = true;
  }
  if (!right) {
    fail("a symmetry must say for each of the " + std::to_string(size) + " " + of +
         " where it goes, each to a different place");
  }
  return {places.begin(), places.end()};
}

// The moves are first those on cells, one per cell once or several times, then the others.
PlanesShape shape_of(int rows, int columns, int moves) {
  if (rows < 1 || columns < 1 || rows > max_numbers / columns || moves > max_numbers) {
    fail("planes must have 1 to 65535 cells and at most 65535 moves");
  }
  return {rows, columns, moves / (rows * columns), moves % (rows * columns)};
}

}  // namespace

PythonPlanes::PythonPlanes(std::vector<std::string> names, int version, int rows, int columns,
                           const nb::list& move_space, const Symmetries& symmetries)
    : Planes(std::move(names), shape_of(rows, columns, static_cast<int>(nb::len(move_space)))),
      version_(version),
      move_space_(nb::tuple(move_space)),
      as_array_(nb::module_::import_("numpy").attr("ascontiguousarray")) {
  for (const nb::handle move : move_space) {
    if (places_.contains(move)) fail("move_space has " + text(move) + " twice");
    places_[move] = nb::int_(nb::len(places_));
  }
  for (const auto& [to_cells, to_moves] : symmetries) {
    add_symmetry(Symmetry{checked_permutation(to_cells, cells(), "cells"),
                          checked_permutation(to_moves, policy_size(), "moves")});
  }
}

void PythonPlanes::check(const State& state) const {
  if (dynamic_cast<const PythonState*>(&state) == nullptr) fail("these planes need a position of a Python game");
}

void PythonPlanes::encode(const State& state, float* out) const {
  const nb::object& position = static_cast<const PythonState&>(state).object();
  const nb::object given = as_array_(position.attr("planes")(), "float32");
  Input<float, 3> array;
  if (!nb::try_cast(given, array) || array.shape(0) != names().size() ||
      array.shape(1) != static_cast<std::size_t>(rows()) || array.shape(2) != static_cast<std::size_t>(columns())) {
    fail("planes() returned an array of shape " + text(given.attr("shape")) + "; at the start it was (" +
         std::to_string(names().size()) + ", " + std::to_string(rows()) + ", " + std::to_string(columns()) + ")");
  }
  const float* const numbers = array.data();
  if (!std::all_of(numbers, numbers + array.size(), [](float number) { return std::isfinite(number); })) {
    fail("planes() returned a number that is not finite");
  }
  std::copy_n(numbers, array.size(), out);
}

int PythonPlanes::index(const State& state, Move move) const {
  const nb::object played = static_cast<const PythonState&>(state).game().move_of(move);
  PyObject* const place = find_item(places_, played);
  if (place == nullptr) fail("the move " + text(played) + " is not in move_space");
  return static_cast<int>(PyLong_AsLong(place));
}

std::unique_ptr<PythonState> PythonPlanes::first_state(nb::object state) const {
  auto game = std::make_shared<PythonGame>(2);
  for (const nb::handle move : move_space_) game->id_of(move, 0);
  std::erase_if(games_, [](const auto& each) { return each.expired(); });
  games_.push_back(game);
  return std::make_unique<PythonState>(std::move(game), std::move(state));
}

void PythonPlanes::references(References& found) {
  found(move_space_);
  found(places_);
  found(as_array_);
  for (const auto& each : games_) {
    if (const auto game = each.lock(); game != nullptr) game->references(found);
  }
}

std::unique_ptr<State> first_state(const Planes& planes, nb::handle state) {
  std::unique_ptr<State> result;
  if (const auto* python = dynamic_cast<const PythonPlanes*>(&planes); python != nullptr) {
    result = python->first_state(nb::borrow(state));
  } else if (const State* native = nullptr; nb::try_cast(state, native) && native != nullptr) {
    result = native->clone();
  } else {
    fail("these planes need a position of a native game, not " + text(state));
  }
  planes.check(*result);
  return result;
}

std::vector<std::unique_ptr<State>> first_states(const Planes& planes, const nb::sequence& states) {
  std::vector<std::unique_ptr<State>> result;
  for (const nb::handle state : states) result.push_back(first_state(planes, state));
  return result;
}

}  // namespace tesuji::python
