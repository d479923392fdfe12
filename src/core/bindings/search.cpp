// Bindings of the Monte-Carlo tree search. The GIL is only held while Python is called.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "bindings/searcher.hpp"
#include "search/root_parallel.hpp"

namespace tesuji::python {

namespace {

const char* rave_name(const SearchOptions& options) {
  return options.rave == Rave::off ? "off" : options.rave == Rave::node ? "node" : "global";
}

void set_rave(SearchOptions& options, const std::string& name) {
  for (const Rave rave : {Rave::off, Rave::node, Rave::global}) {
    options.rave = rave;
    if (name == rave_name(options)) return;
  }
  fail("rave must be node, global or off, not '" + name + "'");
}

class Searcher : SearcherBase {
 public:
  using SearcherBase::references;

  Searcher(const SearchOptions& options, int players, nb::object wrap, const nb::dict& hooks,
           const std::vector<std::uint64_t>& tree_seeds)
      : SearcherBase(players, std::move(wrap)) {
    if (players < 1 || players > max_players) {
      const std::string most = std::to_string(max_players);
      fail("a game has 1 to " + most + " players, not " + std::to_string(players));
    }
    Hooks made;
    made.value = hook<Value>(hooks, "value", make_value);
    made.threat_response = hook<ThreatResponse>(hooks, "threat_response", make_threat_response);
    made.move_ordering = hook<MoveOrdering>(hooks, "move_ordering", make_move_ordering);
    made.exploration = hook<Exploration>(hooks, "exploration", make_exploration);
    made.proximity = hook<Proximity>(hooks, "proximity", make_proximity);
    made.playout_policy = hook<PlayoutPolicy>(hooks, "playout_policy", make_playout_policy);
    made.tablebase = tablebase(hooks);
    made.prover = prover(hooks);
    SearchOptions adjusted = options;
    if (uses_python_) adjusted.threads = 1;  // more would only contend for the GIL
    const int trees = std::min(count_trees(adjusted, made), static_cast<int>(tree_seeds.size()) + 1);
    search_ = std::make_unique<RootParallel>(adjusted, made, trees, tree_seeds);
  }

  nb::dict search(nb::object root, std::uint64_t iterations, double seconds, bool reuse, nb::object progress,
                  double interval) {
    const auto search = [&](const State& state, SearchMonitor& monitor) {
      return search_->search(state, {iterations, seconds}, monitor, reuse);
    };
    return describe(run(std::move(root), std::move(progress), interval, search));
  }

  nb::dict report() const {
    require_search();
    return describe(search_->report());
  }
  int trees() const { return search_->trees(); }
  void cancel() { search_->cancel(); }
  void forget() {
    require_idle();
    search_->reset();
    game_->clear();
  }

 private:
  std::unique_ptr<RootParallel> search_;
};

}  // namespace

void bind_search(nb::module_& module) {
  nb::class_<SearchOptions>(module, "SearchOptions", "See tesuji.search.MCTSOptions for what each field means.")
      .def(nb::init<>())
      .def_prop_rw("rave", &rave_name, &set_rave)
      .def_rw("rave_k", &SearchOptions::rave_k)
      .def_rw("exploration", &SearchOptions::exploration)
      .def_rw("prior_weight", &SearchOptions::prior_weight)
      .def_rw("revisit", &SearchOptions::revisit)
      .def_rw("first_play", &SearchOptions::first_play)
      .def_rw("first_play_reduction", &SearchOptions::first_play_reduction)
      .def_rw("leaves", &SearchOptions::leaves)
      .def_rw("collisions", &SearchOptions::collisions)
      .def_rw("expand_after", &SearchOptions::expand_after)
      .def_rw("hard_proximity", &SearchOptions::hard_proximity)
      .def_rw("threats_at_root_only", &SearchOptions::threats_at_root_only)
      .def_rw("playout_depth", &SearchOptions::playout_depth)
      .def_rw("solver", &SearchOptions::solver)
      .def_rw("study_after", &SearchOptions::study_after)
      .def_rw("evaluations_at_once", &SearchOptions::evaluations_at_once)
      .def_rw("seed", &SearchOptions::seed)
      .def_rw("threads", &SearchOptions::threads)
      .def_rw("memory", &SearchOptions::memory);
  nb::class_<Searcher>(module, "Searcher", "Monte-Carlo tree search that keeps its tree between calls.",
                       garbage_collected<Searcher>())
      .def(nb::init<const SearchOptions&, int, nb::object, const nb::dict&, const std::vector<std::uint64_t>&>(),
           nb::arg("options"), nb::arg("players"), nb::arg("wrap").none(), nb::arg("hooks"),
           nb::arg("tree_seeds") = std::vector<std::uint64_t>(),
           "`tree_seeds`: of the trees after the first, at most as many as there are.")
      .def("search", &Searcher::search, nb::arg("root"), nb::arg("iterations"), nb::arg("seconds"), nb::arg("reuse"),
           nb::arg("progress").none() = nb::none(), nb::arg("interval") = 0.1,
           nb::sig("def search(self, root: object, iterations: int, seconds: float, reuse: bool, progress: object | "
                   "None = None, interval: float = 0.1) -> dict[str, object]"))
      .def("report", &Searcher::report, nb::sig("def report(self) -> dict[str, object]"),
           "Return the results so far; for progress callbacks.")
      .def_prop_ro("trees", &Searcher::trees, "Separate trees that share the threads.")
      .def("cancel", &Searcher::cancel, "Stop a running search soon; may be called from any thread.")
      .def("forget", &Searcher::forget, "Discard the tree and everything learned.");
}

}  // namespace tesuji::python
