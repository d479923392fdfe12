// Bindings of the replay window. Batches and files are dictionaries of arrays.
#include "zero/window.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <mutex>
#include <optional>
#include <shared_mutex>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "bindings/errors.hpp"
#include "bindings/python/planes.hpp"

namespace tesuji::python {

namespace nb = nanobind;

namespace {

using zero::StoredGame;
using zero::TrainingBatch;
using zero::Window;
using zero::WindowOptions;

template <typename T>
using Column = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

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

nb::dict as_dict(TrainingBatch&& batch, const Planes& planes) {
  const std::size_t rows = batch.rows;
  const auto policy = static_cast<std::size_t>(planes.policy_size());
  nb::dict result;
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

nb::dict sample(const SharedWindow& shared, std::size_t count, std::uint64_t seed, int threads) {
  if (threads < 1) fail("threads must be at least 1, not " + std::to_string(threads));
  if (count > 1'000'000) fail("count must be at most 1000000, not " + std::to_string(count));
  if (shared.python()) threads = 1;
  const auto samples = shared.read([&](const Window& window) { return window.draw(count, seed); });
  TrainingBatch batch = shared.call_rules([&](const Window& window) {
    return window.write(samples, threads, [] {
      const nb::gil_scoped_acquire gil;
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    });
  });
  return as_dict(std::move(batch), shared.planes());
}

template <typename Game>
void add(SharedWindow& shared, std::vector<Game> games) {
  auto checked = shared.call_rules([&](const Window& window) { return window.checked(std::move(games)); });
  shared.change([&](Window& window) { window.add(std::move(checked)); });
}

// The games as concatenated columns, as stored in a file.
struct Columns {
  std::vector<std::uint16_t> moves, openings, move_counts, target_counts, indices, shares;
  std::vector<float> scores, values, surprises;
  std::vector<std::int8_t> resigned_by;
  std::vector<std::uint8_t> full, boards;
  std::vector<std::uint32_t> deals;
};

nb::dict to_arrays(const SharedWindow& shared) {
  Columns columns = shared.read([](const Window& window) {
    Columns result;
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    for (const auto& each : window.games()) {
      const StoredGame& game = *each;
      result.boards.push_back(game.board);
      result.deals.push_back(game.deal);
      append(result.moves, game.moves);
      append(result.indices, game.indices);
      append(result.shares, game.shares);
      result.move_counts.push_back(static_cast<std::uint16_t>(game.moves.size()));
      result.openings.push_back(game.opening);
      result.scores.push_back(game.score);
      result.resigned_by.push_back(game.resigned_by);
      for (const StoredGame::Ply& ply : game.plies) {
        result.values.push_back(ply.value);
        result.surprises.push_back(ply.surprise);
        result.full.push_back(ply.full ? 1 : 0);
        result.target_counts.push_back(ply.count);
      }
    }
    return result;
  });
  nb::dict result;
  result["boards"] = as_array(std::move(columns.boards));
  result["deals"] = as_array(std::move(columns.deals));
  result["moves"] = as_array(std::move(columns.moves));
  result["move_counts"] = as_array(std::move(columns.move_counts));
  result["openings"] = as_array(std::move(columns.openings));
  result["scores"] = as_array(std::move(columns.scores));
  result["resigned_by"] = as_array(std::move(columns.resigned_by));
  result["values"] = as_array(std::move(columns.values));
  result["surprises"] = as_array(std::move(columns.surprises));
  result["full"] = as_array(std::move(columns.full));
  result["target_counts"] = as_array(std::move(columns.target_counts));
  result["indices"] = as_array(std::move(columns.indices));
  result["shares"] = as_array(std::move(columns.shares));
  return result;
}

// Reads one column of a file, which must be consumed completely.
template <typename T>
class Reader {
 public:
  Reader(const nb::dict& arrays, const char* name) : name_(name) {
    if (!arrays.contains(name)) fail(std::string("the window's file has no '") + name + "'");
    if (!nb::try_cast(arrays[name], column_)) {
      fail(std::string("'") + name + "' of the window's file has the wrong type");
    }
  }
  std::size_t left() const { return column_.shape(0) - used_; }
  T next() { return *take(1); }
  const T* take(std::size_t count) {
    if (count > left()) fail(std::string("'") + name_ + "' of the window's file is too short");
    const T* const begin = column_.data() + used_;
    used_ += count;
    return begin;
  }
  void finish() const {
    if (left() > 0) fail(std::string("'") + name_ + "' of the window's file is too long");
  }

 private:
  const char* name_;
  Column<T> column_;
  std::size_t used_ = 0;
};

void add_arrays(SharedWindow& shared, const nb::dict& arrays) {
  Reader<std::uint16_t> moves(arrays, "moves"), move_counts(arrays, "move_counts"), openings(arrays, "openings"),
      target_counts(arrays, "target_counts"), indices(arrays, "indices"), shares(arrays, "shares");
  Reader<float> scores(arrays, "scores"), values(arrays, "values"), surprises(arrays, "surprises");
  Reader<std::int8_t> resigned_by(arrays, "resigned_by");
  Reader<std::uint8_t> full(arrays, "full"), boards(arrays, "boards");
  std::optional<Reader<std::uint32_t>> deals;
  if (arrays.contains("deals")) deals.emplace(arrays, "deals");  // older files have none
  std::vector<StoredGame> games;
  while (move_counts.left() > 0) {
    StoredGame game;
    const std::size_t count = move_counts.next();
    const std::uint16_t* const first = moves.take(count);
    game.moves.assign(first, first + count);
    game.board = boards.next();
    if (deals) game.deal = deals->next();
    game.opening = openings.next();
    game.score = scores.next();
    game.resigned_by = resigned_by.next();
    if (game.opening > count) fail("a game of the window's file is shorter than its opening");
    std::size_t targets = 0;
    for (std::size_t i = game.opening; i < count; ++i) {
      game.plies.push_back({values.next(), surprises.next(), target_counts.next(), full.next() != 0});
      targets += game.plies.back().count;
    }
    const std::uint16_t* const index = indices.take(targets);
    const std::uint16_t* const share = shares.take(targets);
    game.indices.assign(index, index + targets);
    game.shares.assign(share, share + targets);
    games.push_back(std::move(game));
  }
  for (const auto* column : {&moves, &openings, &target_counts, &indices, &shares}) column->finish();
  for (const auto* column : {&scores, &values, &surprises}) column->finish();
  resigned_by.finish();
  full.finish();
  boards.finish();
  if (deals) deals->finish();
  add(shared, std::move(games));
}

}  // namespace

void bind_window(nb::module_& module) {
  nb::class_<SharedWindow>(module, "Window", "Replay window of the newest self-play games.",
                           garbage_collected<SharedWindow>())
      .def(
          "__init__",
          [](SharedWindow* self, const nb::sequence& starts, const std::shared_ptr<Planes>& planes,
             std::size_t capacity, double surprise,
             double cheap) { new (self) SharedWindow(starts, planes, {capacity, surprise, cheap}); },
          nb::arg("starts"), nb::arg("planes"), nb::kw_only(), nb::arg("capacity"), nb::arg("surprise"),
          nb::arg("cheap"),
          nb::sig("def __init__(self, starts: collections.abc.Sequence[object], planes: Planes, *, capacity: int, "
                  "surprise: float, cheap: float) "
                  "-> None"))
      .def_prop_ro("positions",
                   [](const SharedWindow& shared) {
                     return shared.read([](const Window& window) { return window.positions(); });
                   })
      .def_prop_ro("games",
                   [](const SharedWindow& shared) {
                     return shared.read([](const Window& window) { return window.games().size(); });
                   })
      .def_prop_rw(
          "capacity",
          [](const SharedWindow& shared) {
            return shared.read([](const Window& window) { return window.options().capacity; });
          },
          [](SharedWindow& shared, std::size_t capacity) {
            shared.change([&](Window& window) { window.set_capacity(capacity); });
          })
      .def(
          "add", [](SharedWindow& shared, const std::vector<PlayedGame>& games) { add(shared, games); },
          nb::arg("games"), "Add all games or none; the oldest games are dropped.")
      .def(
          "add_unchecked",
          [](SharedWindow& shared, const std::vector<PlayedGame>& games) {
            shared.change([&](Window& window) { window.add_unchecked(games); });
          },
          nb::arg("games"), "Add games of our own self-play to be written; they are not replayed.")
      .def("sample", &sample, nb::arg("count"), nb::arg("seed"), nb::arg("threads"),
           nb::sig("def sample(self, count: int, seed: int, threads: int) -> dict[str, object]"))
      .def(
          "played",
          [](const SharedWindow& shared) {
            return shared.read([](const Window& window) {
              std::vector<PlayedGame> games;
              for (const auto& game : window.games()) games.push_back(Window::played(*game));
              return games;
            });
          },
          "Return the games.")
      .def("to_arrays", &to_arrays, nb::sig("def to_arrays(self) -> dict[str, object]"))
      .def("add_arrays", &add_arrays, nb::arg("arrays"),
           nb::sig("def add_arrays(self, arrays: dict[str, object]) -> None"));
}

}  // namespace tesuji::python
