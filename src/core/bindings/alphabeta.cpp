// Bindings of alpha-beta. The GIL is only held while Python is called.
#include "search/alphabeta/alphabeta.hpp"

#include <nanobind/stl/string.h>

#include "bindings/searcher.hpp"

namespace tesuji::python {

namespace {

const char* name_of(AlphaBetaStop stop) {
  switch (stop) {
    case AlphaBetaStop::depth:
      return "depth";
    case AlphaBetaStop::nodes:
      return "nodes";
    case AlphaBetaStop::seconds:
      return "seconds";
    case AlphaBetaStop::proven:
      return "proven";
    case AlphaBetaStop::cancelled:
      return "cancelled";
    case AlphaBetaStop::none:
      break;
  }
  return "running";
}

class AlphaBetaSearcher : SearcherBase {
 public:
  using SearcherBase::references;

  AlphaBetaSearcher(const AlphaBetaOptions& options, nb::object wrap, const nb::dict& hooks)
      : SearcherBase(2, std::move(wrap)) {
    Hooks made;
    made.value = hook<Value>(hooks, "value", make_value);
    made.move_ordering = hook<MoveOrdering>(hooks, "move_ordering", make_move_ordering);
    made.proximity = hook<Proximity>(hooks, "proximity", make_proximity);
    made.threat_response = hook<ThreatResponse>(hooks, "threat_response", make_threat_response);
    made.tablebase = tablebase(hooks);
    made.prover = prover(hooks);
    if (options.threads > 1) require_threads(options);
    search_ = std::make_unique<AlphaBeta>(options, std::move(made));
  }

  nb::dict search(nb::object root, int depth, std::uint64_t nodes, double seconds, nb::object progress,
                  double interval) {
    const auto search = [&](const State& state, SearchMonitor& monitor) {
      return search_->search(state, {depth, nodes, seconds}, monitor);
    };
    return describe(run(std::move(root), std::move(progress), interval, search));
  }

  nb::dict report() const {
    require_search();
    return describe(search_->report());
  }
  void cancel() { search_->cancel(); }
  void forget() {
    require_idle();
    search_->forget();
    game_->clear();
  }

 private:
  void require_threads(const AlphaBetaOptions& options) const {
    const std::string given = "threads=" + std::to_string(options.threads);
    if (uses_python_) fail(given + ": a game or hook in Python needs threads=1 in alphabeta");
    if (options.memory == 0) fail(given + ": threads share the transposition table, so memory must not be off");
  }

  nb::dict describe(const AlphaBetaReport& report) const {
    const RootMove& best = report.moves.front();
    nb::dict result;
    result["move"] = converter_->move(best.move);
    result["value"] = best.depth > 0 ? value_of_score(best.score) : 0.5;
    result["proven"] = optional(report.proven);
    result["plies"] = optional(report.plies);
    result["depth"] = report.depth;
    result["nodes"] = report.nodes;
    result["bytes"] = report.bytes;
    result["memory_full"] = report.memory_full;
    result["seconds"] = report.seconds;
    result["stopped"] = name_of(report.stop);
    nb::list candidates;
    for (const RootMove& move : report.moves) {
      const double value = move.depth > 0 ? value_of_score(move.score) : 0.0;
      candidates.append(nb::make_tuple(converter_->move(move.move), move.nodes, value, move.prior, nb::none(),
                                       optional(move.proven()), nb::tuple(converter_->moves(move.line)),
                                       move.depth > 0 && move.exact, optional(move.plies())));
    }
    result["candidates"] = candidates;
    return result;
  }

  std::unique_ptr<AlphaBeta> search_;
};

}  // namespace

void bind_alphabeta(nb::module_& module) {
  nb::class_<AlphaBetaOptions>(module, "AlphaBetaOptions",
                               "See tesuji.search.AlphaBetaOptions for what each field means.")
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
  nb::class_<AlphaBetaSearcher>(module, "AlphaBetaSearcher", "Alpha-beta search that keeps its table between calls.",
                                garbage_collected<AlphaBetaSearcher>())
      .def(nb::init<const AlphaBetaOptions&, nb::object, const nb::dict&>(), nb::arg("options"), nb::arg("wrap").none(),
           nb::arg("hooks"))
      .def("search", &AlphaBetaSearcher::search, nb::arg("root"), nb::arg("depth"), nb::arg("nodes"),
           nb::arg("seconds"), nb::arg("progress").none() = nb::none(), nb::arg("interval") = 0.1,
           nb::sig("def search(self, root: object, depth: int, nodes: int, seconds: float, progress: object | None = "
                   "None, interval: float = 0.1) -> dict[str, object]"))
      .def("report", &AlphaBetaSearcher::report, nb::sig("def report(self) -> dict[str, object]"),
           "Return the results so far; for progress callbacks.")
      .def("cancel", &AlphaBetaSearcher::cancel, "Stop a running search soon; may be called from any thread.")
      .def("forget", &AlphaBetaSearcher::forget, "Discard the table and restart the random numbers.");
}

}  // namespace tesuji::python
