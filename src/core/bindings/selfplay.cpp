// Bindings of self-play. Native games are searched without the GIL.
#include "zero/selfplay.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>

#include "bindings/network.hpp"
#include "bindings/python/planes.hpp"
#include "bindings/searcher.hpp"

namespace tesuji::python {

namespace {

using zero::Counters;
using zero::SelfPlayOptions;

class PythonSelfPlay : SearcherBase {
 public:
  // Boards are chosen in proportion to their weights, of which some may be 0.
  PythonSelfPlay(const nb::sequence& starts, const std::vector<double>& weights, std::shared_ptr<Planes> planes,
                 const NetworkOptions& search, const SelfPlayOptions& options, nb::object from_core,
                 const nb::dict& given)
      : SearcherBase(2, std::move(from_core)), planes_(planes) {
    zero::SelfPlayConfig config;
    if (!converter_->native() && nb::len(given) > 0) fail("self-play of a Python game takes no hooks");
    if (nb::len(starts) != weights.size()) fail("self-play needs one weight per board");
    if (!weights.empty() && !(*std::max_element(weights.begin(), weights.end()) > 0)) {
      fail("self-play needs a board whose weight is above 0");
    }
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (!(weights[i] >= 0)) fail("the weight of a board must be at least 0, not " + std::to_string(weights[i]));
      const nb::object& start = converter_->keep(starts[i]);
      if (is_python(*planes)) {
        config.boards.push_back({[&start, planes] { return first_state(*planes, start); }, weights[i]});
      } else {  // without the GIL
        const std::shared_ptr<const State> first = first_state(*planes, start);
        config.boards.push_back({[first] { return first->clone(); }, weights[i]});
      }
    }
    config.planes = std::move(planes);
    config.search = search;
    config.options = options;
    config.hooks = hooks(given);
    config.openings = hook<Proximity>(given, "openings", make_proximity);
    if (uses_python_) config.options.threads = 0;
    selfplay_ = std::make_unique<zero::SelfPlay>(std::move(config));
    for (int group = 0; group < zero::SelfPlay::groups; ++group) {
      batches_.push_back(std::make_unique<NetworkBatch>(*selfplay_->config().planes, selfplay_->batch_size()));
    }
  }

  void use_arrays(nb::object first, nb::object second) {
    batches_[0]->use(std::move(first));
    batches_[1]->use(std::move(second));
    // Pending leaves were written to the old arrays.
    selfplay_->restart_searches();
  }

  std::vector<PlayedGame> run(const nb::object& network, double seconds, std::uint64_t games, std::uint64_t positions) {
    if (seconds <= 0 && games == 0 && positions == 0) fail("self-play needs a limit: seconds, games or positions");
    const Running running(*this);
    for (int group = 0; group < zero::SelfPlay::groups; ++group) {
      selfplay_->batch(group).planes = batches_[static_cast<std::size_t>(group)]->planes();
    }
    const auto evaluate = [&](int group) {
      const nb::gil_scoped_acquire gil;
      NetworkBatch& batch = *batches_[static_cast<std::size_t>(group)];
      batch.evaluate(network, selfplay_->batch_size());
      selfplay_->batch(group).policy = batch.policy();
      selfplay_->batch(group).value = batch.value();
    };
    const auto go_on = [&] {
      const nb::gil_scoped_acquire gil;
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      return !cancelled_.load();
    };
    const auto stopped = [&] { return cancelled_.load(); };
    cancelled_ = false;
    std::optional<nb::gil_scoped_release> released;
    if (!uses_python_) released.emplace();
    return selfplay_->run({seconds, games, positions}, evaluate, go_on, stopped);
  }

  void references(References& found) {
    SearcherBase::references(found);
    found.shared(*planes_);
    for (const auto& batch : batches_) batch->references(found);
  }
  void cancel() { cancelled_ = true; }
  SelfPlayOptions& options() { return selfplay_->config().options; }
  std::size_t batch_size() const { return selfplay_->batch_size(); }
  void restart_searches() {
    require_idle();
    selfplay_->restart_searches();
  }

  std::vector<PlayedGame> in_progress() const {
    require_idle();
    return selfplay_->in_progress();
  }
  void adopt(const std::vector<PlayedGame>& games) {
    require_idle();
    selfplay_->adopt(games);
  }

  nb::dict counters() const {
    nb::dict result;
    Counters::each([&](const char* name, auto counter) { result[name] = selfplay_->counters().*counter; });
    result["seconds"] = selfplay_->timings().seconds;
    result["evaluating"] = selfplay_->timings().evaluating;
    result["waiting"] = selfplay_->timings().waiting;
    return result;
  }

 private:
  std::shared_ptr<Planes> planes_;
  std::unique_ptr<zero::SelfPlay> selfplay_;
  std::vector<std::unique_ptr<NetworkBatch>> batches_;
  std::atomic<bool> cancelled_{false};
};

}  // namespace

void bind_selfplay(nb::module_& module) {
  nb::class_<SelfPlayOptions>(module, "SelfPlayOptions", "Parameters of self-play; see tesuji.learn.zero.")
      .def(nb::init<>())
      .def_rw("games", &SelfPlayOptions::games)
      .def_rw("threads", &SelfPlayOptions::threads)
      .def_rw("seed", &SelfPlayOptions::seed)
      .def_rw("visits", &SelfPlayOptions::visits)
      .def_rw("fast_visits", &SelfPlayOptions::fast_visits)
      .def_rw("full_share", &SelfPlayOptions::full_share)
      .def_rw("reuse", &SelfPlayOptions::reuse)
      .def_rw("gumbel", &SelfPlayOptions::gumbel)
      .def_rw("gumbel_moves", &SelfPlayOptions::gumbel_moves)
      .def_rw("gumbel_visits", &SelfPlayOptions::gumbel_visits)
      .def_rw("gumbel_scale", &SelfPlayOptions::gumbel_scale)
      .def_rw("noise", &SelfPlayOptions::noise)
      .def_rw("noise_total", &SelfPlayOptions::noise_total)
      .def_rw("temperature", &SelfPlayOptions::temperature)
      .def_rw("last_temperature", &SelfPlayOptions::last_temperature)
      .def_rw("temperature_plies", &SelfPlayOptions::temperature_plies)
      .def_rw("opening_plies", &SelfPlayOptions::opening_plies)
      .def_rw("policy_plies", &SelfPlayOptions::policy_plies)
      .def_rw("policy_temperature", &SelfPlayOptions::policy_temperature)
      .def_rw("balance", &SelfPlayOptions::balance)
      .def_rw("resign", &SelfPlayOptions::resign)
      .def_rw("resign_moves", &SelfPlayOptions::resign_moves)
      .def_rw("resign_control", &SelfPlayOptions::resign_control)
      .def_rw("symmetries", &SelfPlayOptions::symmetries)
      .def_rw("proof_effort", &SelfPlayOptions::proof_effort);
  nb::class_<PythonSelfPlay>(
      module, "SelfPlay",
      "Concurrent self-play games whose leaves are evaluated in batches. Games in progress continue "
      "at the next run.",
      garbage_collected<PythonSelfPlay>())
      .def(nb::init<const nb::sequence&, const std::vector<double>&, std::shared_ptr<Planes>, const NetworkOptions&,
                    const SelfPlayOptions&, nb::object, const nb::dict&>(),
           nb::arg("starts"), nb::arg("weights"), nb::arg("planes"), nb::arg("search"), nb::arg("options"),
           nb::arg("from_core").none(), nb::arg("hooks"))
      .def("run", &PythonSelfPlay::run, nb::arg("network"), nb::arg("seconds") = 0.0, nb::arg("games") = 0,
           nb::arg("positions") = 0,
           nb::sig("def run(self, network: collections.abc.Callable[..., object], seconds: float = "
                   "0.0, games: int = 0, positions: int = 0) -> list[PlayedGame]"),
           "Play until a limit is reached; return the finished games. The network gets planes [batch, planes, rows, "
           "columns] and returns float32 logits for the side to move: policy [batch, policy size] and value [batch].")
      .def("cancel", &PythonSelfPlay::cancel, "Stop a run soon; may be called from any thread or a signal handler.")
      .def("use_arrays", &PythonSelfPlay::use_arrays, nb::arg("first"), nb::arg("second"),
           "Use two float32 arrays for the planes, one per group of games.")
      .def("restart_searches", &PythonSelfPlay::restart_searches,
           "Discard the search trees, as after a change of the network; games in progress continue.")
      .def("in_progress", &PythonSelfPlay::in_progress, "Return the games in progress.")
      .def("adopt", &PythonSelfPlay::adopt, nb::arg("games"), "Replace the games in progress by as many others.")
      .def_prop_ro("options", &PythonSelfPlay::options, nb::rv_policy::reference_internal,
                   "Options; may be changed between runs, except games and threads.")
      .def_prop_ro("batch_size", &PythonSelfPlay::batch_size)
      .def("counters", &PythonSelfPlay::counters, nb::sig("def counters(self) -> dict[str, float]"),
           "Return statistics and times, summed over all runs.");
}

}  // namespace tesuji::python
