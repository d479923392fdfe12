// Bindings of self-play games and of the replay window. Batches and files are dictionaries of arrays.
#include "zero/window.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <mutex>
#include <optional>
#include <shared_mutex>
#include <tuple>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "bindings/python/planes.hpp"

namespace tesuji::python {

namespace {

using zero::StoredGame;
using zero::TrainingBatch;
using zero::Window;
using zero::WindowOptions;

using Numbers = nb::typed<nb::dict, std::string, nb::ndarray<nb::numpy, float>>;
using Arrays = nb::typed<nb::dict, std::string, nb::ndarray<nb::numpy>>;

// Value, surprise, whether the search was full, and the shares of the policy's indices.
using Search = std::tuple<float, float, bool, nb::typed<nb::dict, std::uint32_t, float>>;

PlayedGame make(std::vector<Move> moves, const std::array<double, 2>& scores, std::uint32_t opening,
                const std::vector<Search>& searched, int resigned_by, std::uint8_t board, std::uint32_t deal) {
  if (opening > moves.size() || searched.size() != moves.size() - opening) {
    fail("a game needs one search per move after the opening");
  }
  PlayedGame game{board, deal, std::move(moves), opening, {}, {}, {scores[0], scores[1]}, resigned_by};
  for (const auto& [value, surprise, full, targets] : searched) {
    const auto first = static_cast<std::uint32_t>(game.targets.size());
    for (const auto [index, share] : targets) {
      game.targets.emplace_back(nb::cast<std::uint32_t>(index), nb::cast<float>(share));
    }
    const auto count = static_cast<std::uint32_t>(game.targets.size()) - first;
    game.searched.push_back({first, count, value, surprise, full});
  }
  return game;
}

std::vector<Search> searched(const PlayedGame& game) {
  std::vector<Search> list;
  for (const SearchedPly& each : game.searched) {
    nb::dict targets;
    for (std::uint32_t i = each.first; i < each.first + each.count; ++i) {
      targets[nb::int_(game.targets[i].first)] = game.targets[i].second;
    }
    list.emplace_back(each.value, each.surprise, each.full, targets);
  }
  return list;
}

// A window that threads share. No rules are called while the lock is held: a user's may take for ever.
class SharedWindow {
 public:
  SharedWindow(const nb::sequence& starts, const std::shared_ptr<Planes>& planes, const WindowOptions& options)
      : python_(is_python(*planes)), planes_(planes), window_(first_states(*planes, starts), planes, options) {}

  template <typename Use>
  auto change(Use&& use) {
    const nb::gil_scoped_release released;
    const std::unique_lock<std::shared_mutex> lock(mutex_);
    return use(window_);
  }
  template <typename Use>
  auto read(Use&& use) const {
    const nb::gil_scoped_release released;
    const std::shared_lock<std::shared_mutex> lock(mutex_);
    return use(window_);
  }
  // For the functions of a window that call rules.
  template <typename Use>
  auto call_rules(Use&& use) const {
    std::optional<nb::gil_scoped_release> released;
    if (!python_) released.emplace();
    return use(window_);
  }
  const Planes& planes() const { return window_.planes(); }
  bool python() const { return python_; }
  void references(References& found) { found.shared(*planes_); }

 private:
  bool python_;  // the rules need the GIL
  std::shared_ptr<Planes> planes_;
  Window window_;
  mutable std::shared_mutex mutex_;
};

// What use(window) returns, as a function of a shared window.
template <typename Use>
auto reading(Use use) {
  return [use](const SharedWindow& shared) { return shared.read(use); };
}

Numbers as_dict(TrainingBatch&& batch, const Planes& planes) {
  const std::size_t rows = batch.rows;
  const auto policy = static_cast<std::size_t>(planes.policy_size());
  Numbers result;
  result["planes"] =
      as_array(std::move(batch.planes), {rows, planes.names().size(), static_cast<std::size_t>(planes.rows()),
                                         static_cast<std::size_t>(planes.columns())});
  result["policy"] = as_array(std::move(batch.policy), {rows, policy});
  result["policy_weight"] = as_array(std::move(batch.policy_weight), {rows});
  result["value"] = as_array(std::move(batch.value), {rows});
  result["value_weight"] = as_array(std::move(batch.value_weight), {rows});
  result["root_value"] = as_array(std::move(batch.root_value), {rows});
  result["reply"] = as_array(std::move(batch.reply), {rows, policy});
  result["reply_weight"] = as_array(std::move(batch.reply_weight), {rows});
  result["moves_left"] = as_array(std::move(batch.moves_left), {rows});
  return result;
}

Numbers sample(const SharedWindow& shared, std::size_t count, std::uint64_t seed, int threads) {
  check_threads(threads);
  if (count > 1'000'000) fail("count must be at most 1000000, not " + std::to_string(count));
  if (shared.python()) threads = 1;
  const auto samples = shared.read([&](const Window& window) { return window.draw(count, seed); });
  TrainingBatch batch =
      shared.call_rules([&](const Window& window) { return window.write(samples, threads, check_signals); });
  return as_dict(std::move(batch), shared.planes());
}

template <typename Game>
void add(SharedWindow& shared, std::vector<Game> games) {
  auto checked = shared.call_rules([&](const Window& window) { return window.checked(std::move(games)); });
  shared.change([&](Window& window) { window.add(std::move(checked)); });
}

// A quantity of all games, one after another, as in a file.
template <typename T>
class Column {
 public:
  explicit Column(const char* name, bool optional = false) : name_(name), optional_(optional) {}

  void push_back(T value) { values_.push_back(value); }
  void append(const std::vector<T>& values) { values_.insert(values_.end(), values.begin(), values.end()); }
  void write(Arrays& arrays) { arrays[name_] = as_array(std::move(values_)); }

  void read(const Arrays& arrays) {
    Input<T> array;
    missing_ = !arrays.contains(name_);
    if (missing_ && optional_) return;
    if (missing_) fail(std::string("the window's file has no '") + name_ + "'");
    if (!nb::try_cast(arrays[name_], array)) refuse("has the wrong type");
    values_.assign(array.data(), array.data() + array.size());
  }
  std::size_t left() const { return values_.size() - used_; }
  T next() {
    if (missing_) return {};
    if (left() == 0) refuse("is too short");
    return values_[used_++];
  }
  std::vector<T> take(std::size_t count) {
    if (count > left()) refuse("is too short");
    const auto begin = values_.begin() + static_cast<std::ptrdiff_t>(used_);
    used_ += count;
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }
  // All values must have been taken.
  void finish() const {
    if (left() > 0) refuse("is too long");
  }

 private:
  [[noreturn]] void refuse(const char* problem) const {
    fail(std::string("'") + name_ + "' of the window's file " + problem);
  }

  const char* name_;
  bool optional_;
  bool missing_ = false;
  std::vector<T> values_;
  std::size_t used_ = 0;
};

struct Columns {
  Column<std::uint8_t> boards{"boards"};
  Column<std::uint32_t> deals{"deals", true};  // older files have none
  Column<std::uint16_t> moves{"moves"}, move_counts{"move_counts"}, openings{"openings"};
  Column<float> scores{"scores"};
  Column<std::int8_t> resigned_by{"resigned_by"};
  // One number for each searched move.
  Column<float> values{"values"}, surprises{"surprises"};
  Column<std::uint8_t> full{"full"};
  Column<std::uint16_t> target_counts{"target_counts"};
  Column<std::uint16_t> indices{"indices"}, shares{"shares"};

  template <typename Visit>
  void for_each(Visit&& visit) {
    const auto each = [&](auto&... columns) { (visit(columns), ...); };
    each(boards, deals, moves, move_counts, openings, scores, resigned_by, values, surprises, full, target_counts,
         indices, shares);
  }
};

Arrays to_arrays(const SharedWindow& shared) {
  Columns columns;
  shared.read([&](const Window& window) {
    for (const auto& each : window.games()) {
      const StoredGame& game = *each;
      columns.boards.push_back(game.board);
      columns.deals.push_back(game.deal);
      columns.moves.append(game.moves);
      columns.indices.append(game.indices);
      columns.shares.append(game.shares);
      columns.move_counts.push_back(static_cast<std::uint16_t>(game.moves.size()));
      columns.openings.push_back(game.opening);
      columns.scores.push_back(game.score);
      columns.resigned_by.push_back(game.resigned_by);
      for (const StoredGame::Ply& ply : game.plies) {
        columns.values.push_back(ply.value);
        columns.surprises.push_back(ply.surprise);
        columns.full.push_back(ply.full ? 1 : 0);
        columns.target_counts.push_back(ply.count);
      }
    }
  });
  Arrays arrays;
  columns.for_each([&](auto& column) { column.write(arrays); });
  return arrays;
}

void add_arrays(SharedWindow& shared, const Arrays& arrays) {
  Columns columns;
  columns.for_each([&](auto& column) { column.read(arrays); });
  std::vector<StoredGame> games;
  while (columns.move_counts.left() > 0) {
    StoredGame game;
    game.moves = columns.moves.take(columns.move_counts.next());
    game.board = columns.boards.next();
    game.deal = columns.deals.next();
    game.opening = columns.openings.next();
    game.score = columns.scores.next();
    game.resigned_by = columns.resigned_by.next();
    if (game.opening > game.moves.size()) fail("a game of the window's file is shorter than its opening");
    std::size_t targets = 0;
    for (std::size_t i = game.opening; i < game.moves.size(); ++i) {
      game.plies.push_back(
          {columns.values.next(), columns.surprises.next(), columns.target_counts.next(), columns.full.next() != 0});
      targets += game.plies.back().count;
    }
    game.indices = columns.indices.take(targets);
    game.shares = columns.shares.take(targets);
    games.push_back(std::move(game));
  }
  columns.for_each([](const auto& column) { column.finish(); });
  add(shared, std::move(games));
}

}  // namespace

void bind_window(nb::module_& module) {
  nb::class_<PlayedGame>(module, "PlayedGame", "Self-play game: its moves and search results.")
      .def(
          "__init__",
          [](PlayedGame* self, const std::vector<Move>& moves, const std::array<double, 2>& scores,
             std::uint32_t opening, const std::vector<Search>& searches, int resigned_by, std::uint8_t board,
             std::uint32_t deal) {
            new (self) PlayedGame(make(moves, scores, opening, searches, resigned_by, board, deal));
          },
          "moves"_a, "scores"_a, "opening"_a, "searched"_a, "resigned_by"_a = -1, "board"_a = 0, "deal"_a = 0)
      .def_ro("deal", &PlayedGame::deal, "Seed of the deal; 0 in games without one.")
      .def_ro("board", &PlayedGame::board, "Index of the run's board.")
      .def_ro("moves", &PlayedGame::moves)
      .def_ro("opening", &PlayedGame::opening, "Number of initial moves that were not searched.")
      .def_prop_ro("searched", &searched,
                   "For each move after the opening: value for the side to move, surprise, whether the search was "
                   "full, and {policy index: share}.")
      .def_prop_ro("scores", [](const PlayedGame& game) { return std::pair(game.scores[0], game.scores[1]); })
      .def_ro("resigned_by", &PlayedGame::resigned_by, "The player who resigned, or -1.");
  nb::class_<SharedWindow>(module, "Window", "Replay window of the newest self-play games.",
                           garbage_collected<SharedWindow>())
      .def(
          "__init__",
          [](SharedWindow* self, const nb::typed<nb::sequence, nb::object>& starts,
             const std::shared_ptr<Planes>& planes, std::size_t capacity, double surprise, double fast_search_weight) {
            new (self) SharedWindow(starts, planes, {capacity, surprise, fast_search_weight});
          },
          "starts"_a, "planes"_a, nb::kw_only(), "capacity"_a, "surprise"_a, "fast_search_weight"_a)
      .def_prop_ro("positions", reading([](const Window& window) { return window.positions(); }))
      .def_prop_ro("games", reading([](const Window& window) { return window.games().size(); }))
      .def_prop_rw("capacity", reading([](const Window& window) { return window.options().capacity; }),
                   [](SharedWindow& shared, std::size_t capacity) {
                     shared.change([&](Window& window) { window.set_capacity(capacity); });
                   })
      .def(
          "add", [](SharedWindow& shared, const std::vector<PlayedGame>& games) { add(shared, games); }, "games"_a,
          "Add all games or none; the oldest games are dropped.")
      .def(
          "add_unchecked",
          [](SharedWindow& shared, const std::vector<PlayedGame>& games) {
            shared.change([&](Window& window) { window.add_unchecked(games); });
          },
          "games"_a, "Add games of our own self-play to be written; they are not replayed.")
      .def("sample", &sample, "count"_a, "seed"_a, "threads"_a)
      .def("played", reading([](const Window& window) {
             std::vector<PlayedGame> games;
             for (const auto& game : window.games()) games.push_back(Window::played(*game));
             return games;
           }),
           "Return the games.")
      .def("to_arrays", &to_arrays)
      .def("add_arrays", &add_arrays, "arrays"_a);
}

}  // namespace tesuji::python
