// Bindings of the search with a network.
#include "zero/searcher.hpp"

#include <nanobind/stl/shared_ptr.h>

#include "bindings/network.hpp"
#include "bindings/searcher.hpp"

namespace tesuji::python {

namespace {

class ZeroSearcher : public SearcherOf<zero::Searcher> {
 public:
  ZeroSearcher(const NetworkOptions& options, std::shared_ptr<Planes> planes, nb::object network, bool symmetries,
               nb::object from_core, const nb::dict& given, int groups, int threads)
      : SearcherOf(2, std::move(from_core)), planes_(planes), network_(std::move(network)), threads_(threads) {
    for (int group = 0; group < groups; ++group) {
      batches_.emplace_back(*planes, static_cast<std::size_t>(options.batch_size));
    }
    search_ = std::make_unique<zero::Searcher>(options, hooks(given), std::move(planes), symmetries, groups);
  }

  nb::dict search(nb::object root, std::uint64_t iterations, double seconds, bool reuse, nb::object progress) {
    return run(std::move(root), std::move(progress), [&](const State& state, SearchMonitor& monitor) {
      // A Python game needs the GIL throughout; other threads get it while the network runs.
      const SearchBatch batch(monitor);
      NetworkThreads evaluator(network_, batches_, threads_, monitor.slow());
      return search_->search(state, {iterations, seconds}, reuse, evaluator, monitor);
    });
  }
  std::uint64_t evaluations() const { return search_->evaluations(); }
  void references(References& found) {
    SearcherBase::references(found);
    found.shared(*planes_);
    found(network_);
    for (NetworkBatch& batch : batches_) batch.references(found);
  }

 private:
  std::shared_ptr<Planes> planes_;
  nb::object network_;
  std::vector<NetworkBatch> batches_;  // one for each group of leaves
  int threads_;
};

}  // namespace

void bind_zero_searcher(nb::module_& module) {
  nb::class_<ZeroSearcher> bound(module, "ZeroSearcher",
                                 "Tree search with a network that keeps its tree between calls.",
                                 garbage_collected<ZeroSearcher>());
  bound
      .def(nb::init<const NetworkOptions&, std::shared_ptr<Planes>, nb::object, bool, nb::object, const nb::dict&, int,
                    int>(),
           nb::arg("options"), nb::arg("planes"), nb::arg("network"), nb::arg("symmetries"),
           nb::arg("from_core").none(), nb::arg("hooks"), nb::arg("groups") = 1, nb::arg("threads") = 1,
           "The network gets planes [batch, planes, rows, columns] with a batch of at most options.batch_size, and "
           "returns float32 logits for the side to move: policy [batch, policy size] and value [batch]. With several "
           "groups of leaves, threads evaluate some while the next one is collected.")
      .def("search", &ZeroSearcher::search, nb::arg("root"), nb::arg("iterations"), nb::arg("seconds"),
           nb::arg("reuse"), nb::arg("progress").none() = nb::none(),
           nb::sig("def search(self, root: object, iterations: int, seconds: float, reuse: bool, progress: object | "
                   "None = None) -> dict[str, object]"))
      .def_prop_ro("evaluations", &ZeroSearcher::evaluations, "Evaluations by the network in the last search.");
  ZeroSearcher::bind(bound);
}

}  // namespace tesuji::python
