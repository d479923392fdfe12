// Alpha-beta as Python sees it: options in, a report out, the interpreter's lock only where Python is called.
#include "search/alphabeta.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <atomic>
#include <optional>

#include "bindings/bindings.hpp"
#include "bindings/errors.hpp"
#include "bindings/python_hooks.hpp"
#include "bindings/python_host.hpp"

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

class AlphaBetaSearcher {
 public:
  AlphaBetaSearcher(const AlphaBetaOptions& options, nb::object wrap, const nb::dict& hooks)
      : rules_(std::make_shared<Rules>(2)), bridge_(std::make_shared<Bridge>(rules_, std::move(wrap))) {
    auto value = hook<Value>(hooks, "value", make_value);
    auto ordering = hook<MoveOrdering>(hooks, "move_ordering", make_move_ordering);
    uses_python_ = uses_python_ || !bridge_->native();
    search_ = std::make_unique<AlphaBeta>(options, std::move(value), std::move(ordering));
  }

  nb::dict search(nb::object root, int depth, std::uint64_t nodes, double seconds, nb::object progress,
                  double interval) {
    if (searching_.exchange(true)) fail("this bot is thinking already; use another bot in another thread");
    const struct Done {
      std::atomic<bool>& flag;
      ~Done() { flag = false; }
    } done{searching_};
    std::unique_ptr<State> state;
    if (bridge_->native()) {
      state = nb::cast<const State&>(root).clone();
    } else {
      state = std::make_unique<PythonState>(rules_, std::move(root));
    }
    PythonHost host(uses_python_, std::move(progress), interval);
    AlphaBetaReport report;
    {
      const nb::gil_scoped_release released;
      report = search_->search(*state, {depth, nodes, seconds}, host);
    }
    return describe(report);
  }

  // From a progress callback only: at any other time another thread may be changing what it reads.
  nb::dict report() const {
    if (!searching_) fail("there is no search to report on");
    return describe(search_->report());
  }
  void cancel() { search_->cancel(); }
  void forget() {
    if (searching_) fail("this bot is thinking; cancel it first");
    search_->forget();
  }

 private:
  // A native hook stays what it is; anything else is called as Python.
  template <typename Interface, typename Make>
  std::shared_ptr<const Interface> hook(const nb::dict& hooks, const char* name, Make make) {
    if (!hooks.contains(name)) return nullptr;
    const nb::object given = nb::borrow(hooks[name]);
    if (nb::isinstance<Interface>(given)) return nb::cast<std::shared_ptr<Interface>>(given);
    uses_python_ = true;
    return make(bridge_, given);
  }

  template <typename T>
  static nb::object optional(const std::optional<T>& value) {
    return value ? nb::cast(*value) : nb::object(nb::none());
  }

  nb::dict describe(const AlphaBetaReport& report) const {
    const RootMove& best = report.moves.front();
    nb::dict result;
    result["move"] = bridge_->move(best.move);
    result["value"] = best.depth > 0 ? value_of_score(best.score) : 0.5;
    result["proven"] = optional(report.proven);
    result["plies"] = optional(report.plies);
    result["depth"] = report.depth;
    result["nodes"] = report.nodes;
    result["bytes"] = report.bytes;
    result["seconds"] = report.seconds;
    result["stopped"] = name_of(report.stop);
    nb::list candidates;
    for (const RootMove& move : report.moves) {
      const double value = move.depth > 0 ? value_of_score(move.score) : 0.0;
      candidates.append(nb::make_tuple(bridge_->move(move.move), move.nodes, value, move.prior, nb::none(),
                                       optional(move.proven()), nb::tuple(bridge_->moves(move.line)),
                                       move.depth > 0 && move.exact));
    }
    result["candidates"] = candidates;
    return result;
  }

  std::shared_ptr<Rules> rules_;
  std::shared_ptr<Bridge> bridge_;
  std::unique_ptr<AlphaBeta> search_;
  bool uses_python_ = false;
  std::atomic<bool> searching_{false};
};

}  // namespace

void bind_alphabeta(nb::module_& module) {
  nb::class_<AlphaBetaOptions>(module, "AlphaBetaOptions",
                               "See tesuji.search.AlphaBetaOptions for what each field means.")
      .def(nb::init<>())
      .def_rw("pvs", &AlphaBetaOptions::pvs)
      .def_rw("killers", &AlphaBetaOptions::killers)
      .def_rw("history", &AlphaBetaOptions::history)
      .def_rw("quiescence", &AlphaBetaOptions::quiescence)
      .def_rw("lines", &AlphaBetaOptions::lines)
      .def_rw("reuse", &AlphaBetaOptions::reuse)
      .def_rw("seed", &AlphaBetaOptions::seed)
      .def_rw("memory", &AlphaBetaOptions::memory);
  nb::class_<AlphaBetaSearcher>(module, "AlphaBetaSearcher", "An alpha-beta search that keeps its table between calls.")
      .def(nb::init<const AlphaBetaOptions&, nb::object, const nb::dict&>(), nb::arg("options"), nb::arg("wrap").none(),
           nb::arg("hooks"))
      .def("search", &AlphaBetaSearcher::search, nb::arg("root"), nb::arg("depth"), nb::arg("nodes"),
           nb::arg("seconds"), nb::arg("progress").none() = nb::none(), nb::arg("interval") = 0.1,
           nb::sig("def search(self, root: object, depth: int, nodes: int, seconds: float, progress: object | None = "
                   "None, interval: float = 0.1) -> dict[str, object]"))
      .def("report", &AlphaBetaSearcher::report, nb::sig("def report(self) -> dict[str, object]"),
           "What is known now; for progress callbacks.")
      .def("cancel", &AlphaBetaSearcher::cancel, "Ends a running search soon; from any thread.")
      .def("forget", &AlphaBetaSearcher::forget, "Drops the table.");
}

}  // namespace tesuji::python
