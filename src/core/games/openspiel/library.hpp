// OpenSpiel's C++ states, called without Python and without OpenSpiel's headers.
//
// OpenSpiel's Python module exports the C++ symbols of its games. Under the Itanium C++ ABI a virtual function is
// called through its slot in the object's virtual table. The slots are found by name: the slot of LegalActions() is
// where the table of tic-tac-toe's state holds the address of its LegalActions(). The return types are those of
// OpenSpiel 2.x; symbols do not tell them, so callers check the version.
//
// Only for Linux with libstdc++, where both sides have the same ABI; a Library cannot be made elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tesuji::openspiel {

using Action = std::int64_t;
inline constexpr int terminal_player = -4;  // what CurrentPlayer() returns at the end of a game

// An open_spiel::State. Its layout is unknown here, except for the pointer to its virtual table.
struct ForeignState {
  void* const* functions;
};

class Library {
 public:
  // `path`: of the module, which must be loaded. Throws std::runtime_error if it cannot be used.
  explicit Library(const char* path);

  // The std::type_info of open_spiel::State.
  const void* state_type() const { return state_type_; }

  int current_player(const ForeignState& state) const;
  std::vector<Action> legal_actions(const ForeignState& state) const;
  std::vector<std::pair<Action, double>> chance_outcomes(const ForeignState& state) const;
  std::vector<double> returns(const ForeignState& state) const;
  std::vector<Action> history(const ForeignState& state) const;
  void apply_action(ForeignState& state, Action action) const;
  ForeignState* clone(const ForeignState& state) const;  // the caller destroys it
  void destroy(ForeignState* state) const;

 private:
  const void* state_type_;
  const void* history_;  // not virtual
  // Slots of virtual tables.
  std::size_t current_player_;
  std::size_t legal_actions_;
  std::size_t chance_outcomes_;
  std::size_t returns_;
  std::size_t apply_action_;
  std::size_t clone_;
  std::size_t destroy_;
};

}  // namespace tesuji::openspiel
