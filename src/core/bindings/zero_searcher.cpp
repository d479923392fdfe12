// The search with a network as Python sees it: like the Monte-Carlo search, and a network beside the options.
#include "zero/searcher.hpp"

#include <nanobind/stl/shared_ptr.h>

#include "bindings/network.hpp"
#include "bindings/searcher.hpp"

namespace tesuji::python {

namespace {

class ZeroSearcher : SearcherBase {
 public:
  ZeroSearcher(const SearchOptions& options, std::shared_ptr<Planes> planes, nb::object network, bool symmetries,
               nb::object wrap, const nb::dict& hooks)
      : SearcherBase(2, std::move(wrap)),
        network_(std::move(network)),
        batch_(*planes, static_cast<std::size_t>(std::max(1, options.leaves))) {
    Hooks made;
    made.threat_response = hook<ThreatResponse>(hooks, "threat_response", make_threat_response);
    made.proximity = hook<Proximity>(hooks, "proximity", make_proximity);
    made.tablebase = tablebase(hooks);
    made.prover = prover(hooks);
    searcher_ = std::make_unique<zero::Searcher>(options, std::move(made), std::move(planes), symmetries);
  }

  nb::dict search(nb::object root, std::uint64_t iterations, double seconds, bool reuse, nb::object progress,
                  double interval) {
    const auto evaluate = [&](std::size_t rows) -> zero::Answers {
      const nb::gil_scoped_acquire gil;
      batch_.ask(network_, rows);
      return {batch_.policy(), batch_.value()};
    };
    const auto search = [&](const State& state, Host& host) {
      // A Python game needs the interpreter's lock all the time; whoever else wants it gets it while the network works.
      host.begin_batch();
      const struct Done {
        Host& host;
        ~Done() { host.end_batch(); }
      } done{host};
      return searcher_->search(state, {iterations, seconds}, reuse, batch_.planes(), evaluate, host);
    };
    nb::dict found = describe(run(std::move(root), std::move(progress), interval, search));
    found["evaluations"] = searcher_->evaluations();
    return found;
  }

  nb::dict report() const {
    require_search();
    nb::dict found = describe(searcher_->report());
    found["evaluations"] = searcher_->evaluations();
    return found;
  }
  void cancel() { searcher_->cancel(); }
  void forget() {
    require_rest();
    searcher_->reset();
    rules_->clear();
  }

 private:
  nb::object network_;
  NetworkBatch batch_;
  std::unique_ptr<zero::Searcher> searcher_;
};

}  // namespace

void bind_zero_searcher(nb::module_& module) {
  nb::class_<ZeroSearcher>(module, "ZeroSearcher", "A tree search with a network that keeps its tree between calls.")
      .def(nb::init<const SearchOptions&, std::shared_ptr<Planes>, nb::object, bool, nb::object, const nb::dict&>(),
           nb::arg("options"), nb::arg("planes"), nb::arg("network"), nb::arg("symmetries"), nb::arg("wrap").none(),
           nb::arg("hooks"),
           "The network gets planes [rows, planes, rows of the board, columns], at most options.leaves rows, and "
           "returns logits, float32: policy [rows, policy size] and value [rows], both for the player to move.")
      .def("search", &ZeroSearcher::search, nb::arg("root"), nb::arg("iterations"), nb::arg("seconds"),
           nb::arg("reuse"), nb::arg("progress").none() = nb::none(), nb::arg("interval") = 0.1,
           nb::sig("def search(self, root: object, iterations: int, seconds: float, reuse: bool, progress: object | "
                   "None = None, interval: float = 0.1) -> dict[str, object]"))
      .def("report", &ZeroSearcher::report, nb::sig("def report(self) -> dict[str, object]"),
           "What is known now; for progress callbacks.")
      .def("cancel", &ZeroSearcher::cancel, "Ends a running search soon; from any thread.")
      .def("forget", &ZeroSearcher::forget, "Drops all that has been learned: as new.");
}

}  // namespace tesuji::python
