// Bindings of alpha-beta. The GIL is only held while Python is called.
#include "search/alphabeta/alphabeta.hpp"

#include <nanobind/stl/string.h>

#include "bindings/searcher.hpp"

namespace tesuji::python {

namespace {

class AlphaBetaSearcher : public SearcherOf<AlphaBeta> {
 public:
  AlphaBetaSearcher(const AlphaBetaOptions& options, nb::object from_core, const nb::dict& given)
      : SearcherOf(2, std::move(from_core)) {
    Hooks made = hooks(given);
    if (options.threads > 1) require_threads(options);
    search_ = std::make_unique<AlphaBeta>(options, std::move(made));
  }

  nb::dict search(nb::object root, int depth, std::uint64_t nodes, double seconds, nb::object progress) {
    return run(std::move(root), std::move(progress), [&](const State& state, SearchMonitor& monitor) {
      return search_->search(state, {depth, nodes, seconds}, monitor);
    });
  }

 private:
  void require_threads(const AlphaBetaOptions& options) const {
    const std::string threads = "threads=" + std::to_string(options.threads);
    if (uses_python_) fail(threads + ": a game or hook in Python needs threads=1 in alphabeta");
    if (options.memory == 0) fail(threads + ": threads share the transposition table, so memory must not be off");
  }
};

}  // namespace

void bind_alphabeta(nb::module_& module) {
  nb::class_<AlphaBetaOptions>(module, "AlphaBetaOptions", "See tesuji.search.AlphaBetaOptions.")
      .def(nb::init<>())
      .def_rw("pvs", &AlphaBetaOptions::pvs)
      .def_rw("aspiration", &AlphaBetaOptions::aspiration)
      .def_rw("killers", &AlphaBetaOptions::killers)
      .def_rw("hard_proximity", &AlphaBetaOptions::hard_proximity)
      .def_rw("reductions", &AlphaBetaOptions::reductions)
      .def_rw("futility", &AlphaBetaOptions::futility)
      .def_rw("history", &AlphaBetaOptions::history)
      .def_rw("quiescence", &AlphaBetaOptions::quiescence)
      .def_rw("lines", &AlphaBetaOptions::lines)
      .def_rw("threads", &AlphaBetaOptions::threads)
      .def_rw("reuse", &AlphaBetaOptions::reuse)
      .def_rw("seed", &AlphaBetaOptions::seed)
      .def_rw("memory", &AlphaBetaOptions::memory);
  nb::class_<AlphaBetaSearcher> bound(module, "AlphaBetaSearcher",
                                      "Alpha-beta search that keeps its table between calls.",
                                      garbage_collected<AlphaBetaSearcher>());
  bound
      .def(nb::init<const AlphaBetaOptions&, nb::object, const nb::dict&>(), nb::arg("options"),
           nb::arg("from_core").none(), nb::arg("hooks"))
      .def("search", &AlphaBetaSearcher::search, nb::arg("root"), nb::arg("depth"), nb::arg("nodes"),
           nb::arg("seconds"), nb::arg("progress").none() = nb::none(),
           nb::sig("def search(self, root: object, depth: int, nodes: int, seconds: float, progress: object | None = "
                   "None) -> dict[str, object]"));
  AlphaBetaSearcher::bind(bound);
}

}  // namespace tesuji::python
