// Bindings of the search with a network.
#include "zero/searcher.hpp"

#include <nanobind/stl/shared_ptr.h>

#include "bindings/network.hpp"
#include "bindings/searcher.hpp"

namespace tesuji::python {

namespace {

class ZeroSearcher : SearcherBase {
 public:
  ZeroSearcher(const SearchOptions& options, std::shared_ptr<Planes> planes, nb::object network, bool symmetries,
               nb::object wrap, const nb::dict& hooks, int groups, int threads)
      : SearcherBase(2, std::move(wrap)), planes_(planes), network_(std::move(network)), threads_(threads) {
    for (int group = 0; group < groups; ++group) {
      batches_.emplace_back(*planes, static_cast<std::size_t>(std::max(1, options.leaves)));
    }
    Hooks made;
    made.threat_response = hook<ThreatResponse>(hooks, "threat_response", make_threat_response);
    made.proximity = hook<Proximity>(hooks, "proximity", make_proximity);
    made.tablebase = tablebase(hooks);
    made.prover = prover(hooks);
    searcher_ = std::make_unique<zero::Searcher>(options, std::move(made), std::move(planes), symmetries, groups);
  }

  nb::dict search(nb::object root, std::uint64_t iterations, double seconds, bool reuse, nb::object progress,
                  double interval) {
    const auto search = [&](const State& state, SearchMonitor& monitor) {
      // A Python game needs the GIL throughout; other threads get it while the network runs.
      monitor.begin_batch();
      const struct Done {
        SearchMonitor& monitor;
        ~Done() { monitor.end_batch(); }
      } done{monitor};
      NetworkThreads evaluator(network_, batches_, threads_, monitor.slow());
      return searcher_->search(state, {iterations, seconds}, reuse, evaluator, monitor);
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
  void references(References& found) {
    SearcherBase::references(found);
    found.shared(*planes_);
    found(network_);
    for (NetworkBatch& batch : batches_) batch.references(found);
  }
  void cancel() { searcher_->cancel(); }
  void forget() {
    require_idle();
    searcher_->reset();
    game_->clear();
  }

 private:
  std::shared_ptr<Planes> planes_;
  nb::object network_;
  std::vector<NetworkBatch> batches_;  // one for each group of leaves
  int threads_;
  std::unique_ptr<zero::Searcher> searcher_;
};

}  // namespace

void bind_zero_searcher(nb::module_& module) {
  nb::class_<ZeroSearcher>(module, "ZeroSearcher", "Tree search with a network that keeps its tree between calls.",
                           garbage_collected<ZeroSearcher>())
      .def(nb::init<const SearchOptions&, std::shared_ptr<Planes>, nb::object, bool, nb::object, const nb::dict&, int,
                    int>(),
           nb::arg("options"), nb::arg("planes"), nb::arg("network"), nb::arg("symmetries"), nb::arg("wrap").none(),
           nb::arg("hooks"), nb::arg("groups") = 1, nb::arg("threads") = 1,
           "The network gets planes [batch, planes, rows, columns] with a batch of at most options.leaves, and returns "
           "float32 logits for the side to move: policy [batch, policy size] and value [batch]. With several groups "
           "of leaves, threads evaluate some while the next one is collected.")
      .def("search", &ZeroSearcher::search, nb::arg("root"), nb::arg("iterations"), nb::arg("seconds"),
           nb::arg("reuse"), nb::arg("progress").none() = nb::none(), nb::arg("interval") = 0.1,
           nb::sig("def search(self, root: object, iterations: int, seconds: float, reuse: bool, progress: object | "
                   "None = None, interval: float = 0.1) -> dict[str, object]"))
      .def("report", &ZeroSearcher::report, nb::sig("def report(self) -> dict[str, object]"),
           "Return the results so far; for progress callbacks.")
      .def("cancel", &ZeroSearcher::cancel, "Stop a running search soon; may be called from any thread.")
      .def("forget", &ZeroSearcher::forget, "Discard the tree and everything learned.");
}

}  // namespace tesuji::python
