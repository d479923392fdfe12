// Bindings of the Monte-Carlo tree search. The GIL is only held while Python is called.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>

#include "bindings/searcher.hpp"
#include "search/root_parallel.hpp"

namespace tesuji::python {

namespace {

const char* rave_name(const PlayoutOptions& options) {
  return options.rave == Rave::off ? "off" : options.rave == Rave::node ? "node" : "global";
}

void set_rave(PlayoutOptions& options, const std::string& name) {
  for (const Rave rave : {Rave::off, Rave::node, Rave::global}) {
    options.rave = rave;
    if (name == rave_name(options)) return;
  }
  fail("rave must be node, global or off, not '" + name + "'");
}

class Searcher : public SearcherOf<RootParallel> {
 public:
  Searcher(const PlayoutOptions& options, int players, nb::object from_core, const nb::dict& given,
           const std::vector<std::uint64_t>& tree_seeds)
      : SearcherOf(players, std::move(from_core)) {
    if (players < 1 || players > max_players) {
      const std::string most = std::to_string(max_players);
      fail("a game has 1 to " + most + " players, not " + std::to_string(players));
    }
    const Hooks made = hooks(given);
    PlayoutOptions adjusted = options;
    if (uses_python_) adjusted.threads = 1;  // more would only contend for the GIL
    const int trees = std::min(count_trees(adjusted, made), static_cast<int>(tree_seeds.size()) + 1);
    search_ = std::make_unique<RootParallel>(adjusted, made, trees, tree_seeds);
  }

  nb::dict search(nb::object root, std::uint64_t iterations, double seconds, bool reuse, nb::object progress) {
    return run(std::move(root), std::move(progress), [&](const State& state, SearchMonitor& monitor) {
      return search_->search(state, {iterations, seconds}, monitor, reuse);
    });
  }
  int trees() const { return search_->trees(); }
};

}  // namespace

void bind_search(nb::module_& module) {
  nb::class_<TreeOptions>(module, "TreeOptions", "What PlayoutOptions and NetworkOptions share.")
      .def_rw("prior_weight", &TreeOptions::prior_weight)
      .def_rw("hard_proximity", &TreeOptions::hard_proximity)
      .def_rw("solver", &TreeOptions::solver)
      .def_rw("proof_search_after", &TreeOptions::proof_search_after)
      .def_rw("seed", &TreeOptions::seed)
      .def_rw("memory", &TreeOptions::memory);
  nb::class_<PlayoutOptions, TreeOptions>(module, "PlayoutOptions", "See tesuji.search.MCTSOptions.")
      .def(nb::init<>())
      .def_prop_rw("rave", &rave_name, &set_rave)
      .def_rw("rave_k", &PlayoutOptions::rave_k)
      .def_rw("exploration", &PlayoutOptions::exploration)
      .def_rw("exploration_floor", &PlayoutOptions::exploration_floor)
      .def_rw("first_play", &PlayoutOptions::first_play)
      .def_rw("expand_after", &PlayoutOptions::expand_after)
      .def_rw("threats_at_root_only", &PlayoutOptions::threats_at_root_only)
      .def_rw("playout_depth", &PlayoutOptions::playout_depth)
      .def_rw("threads", &PlayoutOptions::threads);
  nb::class_<NetworkOptions, TreeOptions>(module, "NetworkOptions", "See tesuji.search.zero.ZeroOptions.")
      .def(nb::init<>())
      .def_rw("first_play_reduction", &NetworkOptions::first_play_reduction)
      .def_rw("batch_size", &NetworkOptions::batch_size)
      .def_rw("full_batches", &NetworkOptions::full_batches)
      .def_rw("evaluations_at_once", &NetworkOptions::evaluations_at_once);
  nb::class_<Searcher> bound(module, "Searcher", "Monte-Carlo tree search that keeps its tree between calls.",
                             garbage_collected<Searcher>());
  bound
      .def(nb::init<const PlayoutOptions&, int, nb::object, const nb::dict&, const std::vector<std::uint64_t>&>(),
           nb::arg("options"), nb::arg("players"), nb::arg("from_core").none(), nb::arg("hooks"),
           nb::arg("tree_seeds") = std::vector<std::uint64_t>(),
           "`tree_seeds`: of the trees after the first, at most as many as there are.")
      .def("search", &Searcher::search, nb::arg("root"), nb::arg("iterations"), nb::arg("seconds"), nb::arg("reuse"),
           nb::arg("progress").none() = nb::none(),
           nb::sig("def search(self, root: object, iterations: int, seconds: float, reuse: bool, progress: object | "
                   "None = None) -> dict[str, object]"))
      .def_prop_ro("trees", &Searcher::trees, "Separate trees that share the threads.");
  Searcher::bind(bound);
}

}  // namespace tesuji::python
