#include "games/openspiel/library.hpp"

#include <stdexcept>
#include <string>

#if defined(__linux__)
#include <dlfcn.h>
#include <link.h>
#endif

namespace tesuji::openspiel {

namespace {

#if defined(__linux__) && defined(__GLIBC__) && defined(__GLIBCXX__)

// Names as the compiler mangles them.
constexpr const char* state_table = "_ZTVN10open_spiel5StateE";
constexpr const char* example_table = "_ZTVN10open_spiel11tic_tac_toe14TicTacToeStateE";
constexpr std::size_t table_header = 2;  // the offset to the top of the object, and its type

void* symbol(void* library, const char* name) {
  void* const found = dlsym(library, name);
  if (found == nullptr) throw std::runtime_error(std::string("OpenSpiel does not export ") + name);
  return found;
}

// The slot that holds a function in a virtual table.
std::size_t slot(void* library, const char* table_name, const char* function_name) {
  void* const table = symbol(library, table_name);
  const void* const function = symbol(library, function_name);
  Dl_info info;
  void* entry = nullptr;
  if (dladdr1(table, &info, &entry, RTLD_DL_SYMENT) == 0 || entry == nullptr) {
    throw std::runtime_error(std::string("the size of ") + table_name + " is not known");
  }
  const std::size_t size = static_cast<const ElfW(Sym)*>(entry)->st_size / sizeof(void*);
  void* const* const slots = static_cast<void* const*>(table);
  for (std::size_t i = table_header; i < size; ++i) {
    if (slots[i] == function) return i - table_header;
  }
  throw std::runtime_error(std::string(function_name) + " is not in " + table_name);
}

// Where a state's class implements a virtual function.
template <typename Function>
Function* at(const ForeignState& state, std::size_t slot) {
  return reinterpret_cast<Function*>(state.functions[slot]);
}

// A std::unique_ptr<open_spiel::State> as it is returned: by an address that the caller passes, because its destructor
// is not trivial.
struct ReturnedPointer {
  ForeignState* state = nullptr;
  ReturnedPointer() = default;
  ReturnedPointer(const ReturnedPointer&) = delete;
  ReturnedPointer& operator=(const ReturnedPointer&) = delete;
  ~ReturnedPointer() {}  // NOLINT: must not be trivial
};

}  // namespace

Library::Library(const char* path) {
  void* const library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) throw std::runtime_error(std::string(path) + " is not loaded");
  state_type_ = symbol(library, "_ZTIN10open_spiel5StateE");
  history_ = symbol(library, "_ZNK10open_spiel5State7HistoryEv");
  apply_action_ = slot(library, state_table, "_ZN10open_spiel5State11ApplyActionEl");
  chance_outcomes_ = slot(library, state_table, "_ZNK10open_spiel5State14ChanceOutcomesEv");
  const auto of_example = [&](const char* name) { return slot(library, example_table, name); };
  current_player_ = of_example("_ZNK10open_spiel11tic_tac_toe14TicTacToeState13CurrentPlayerEv");
  legal_actions_ = of_example("_ZNK10open_spiel11tic_tac_toe14TicTacToeState12LegalActionsEv");
  returns_ = of_example("_ZNK10open_spiel11tic_tac_toe14TicTacToeState7ReturnsEv");
  clone_ = of_example("_ZNK10open_spiel11tic_tac_toe14TicTacToeState5CloneEv");
  destroy_ = of_example("_ZN10open_spiel11tic_tac_toe14TicTacToeStateD0Ev");
}

int Library::current_player(const ForeignState& state) const {
  return at<int(const ForeignState*)>(state, current_player_)(&state);
}

std::vector<Action> Library::legal_actions(const ForeignState& state) const {
  return at<std::vector<Action>(const ForeignState*)>(state, legal_actions_)(&state);
}

std::vector<std::pair<Action, double>> Library::chance_outcomes(const ForeignState& state) const {
  return at<std::vector<std::pair<Action, double>>(const ForeignState*)>(state, chance_outcomes_)(&state);
}

std::vector<double> Library::returns(const ForeignState& state) const {
  return at<std::vector<double>(const ForeignState*)>(state, returns_)(&state);
}

std::vector<Action> Library::history(const ForeignState& state) const {
  return reinterpret_cast<std::vector<Action> (*)(const ForeignState*)>(const_cast<void*>(history_))(&state);
}

void Library::apply_action(ForeignState& state, Action action) const {
  at<void(ForeignState*, Action)>(state, apply_action_)(&state, action);
}

ForeignState* Library::clone(const ForeignState& state) const {
  return at<ReturnedPointer(const ForeignState*)>(state, clone_)(&state).state;
}

void Library::destroy(ForeignState* state) const { at<void(ForeignState*)>(*state, destroy_)(state); }

#else

[[noreturn]] void unsupported() { throw std::runtime_error("OpenSpiel's C++ can only be called on Linux"); }

}  // namespace

Library::Library(const char*) { unsupported(); }
int Library::current_player(const ForeignState&) const { unsupported(); }
std::vector<Action> Library::legal_actions(const ForeignState&) const { unsupported(); }
std::vector<std::pair<Action, double>> Library::chance_outcomes(const ForeignState&) const { unsupported(); }
std::vector<double> Library::returns(const ForeignState&) const { unsupported(); }
std::vector<Action> Library::history(const ForeignState&) const { unsupported(); }
void Library::apply_action(ForeignState&, Action) const { unsupported(); }
ForeignState* Library::clone(const ForeignState&) const { unsupported(); }
void Library::destroy(ForeignState*) const { unsupported(); }

#endif

}  // namespace tesuji::openspiel
