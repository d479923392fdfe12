// Common base of the search bindings: conversion, hooks, and one search at a time.
#pragma once

#include <nanobind/stl/shared_ptr.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bindings/bindings.hpp"
#include "bindings/errors.hpp"
#include "bindings/python/hooks.hpp"
#include "bindings/python/monitor.hpp"
#include "search/report.hpp"

namespace tesuji::python {

class SearcherBase {
 protected:
  SearcherBase(int players, nb::object from_core);

  // The hooks of a dictionary. Native ones are used directly, other objects as Python callables; tablebases and provers
  // are always native.
  Hooks hooks(const nb::dict& given);
  template <typename Interface, typename Make>
  std::shared_ptr<const Interface> hook(const nb::dict& hooks, const char* name, Make make) {
    if (!hooks.contains(name)) return nullptr;
    const nb::object found = nb::borrow(hooks[name]);
    if (nb::isinstance<Interface>(found)) return native<Interface>(found);
    uses_python_ = true;
    return make(converter_, found);
  }

  // Allows one search at a time.
  class Running {
   public:
    explicit Running(SearcherBase& searcher) : flag_(searcher.searching_) {
      if (flag_.exchange(true)) fail("this bot is already searching; use one bot per thread");
    }
    ~Running() { flag_ = false; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

   private:
    std::atomic<bool>& flag_;
  };

  // Calls `search(state, monitor)` without the GIL; returns its report.
  using Work = std::function<Report(const State&, SearchMonitor&)>;
  nb::dict run(nb::object root, nb::object progress, const Work& search);

  // report() may only be called from a progress callback, because it reads what the search writes.
  void require_search() const {
    if (!searching_) fail("no search is running");
  }
  void require_idle() const {
    if (searching_) fail("this bot is searching; cancel it first");
  }

  nb::dict describe(const Report& report) const;

  void references(References& found) {
    game_->references(found);
    converter_->references(found);
    for (const auto& visit : natives_) visit(found);
  }

  std::shared_ptr<PythonGame> game_;
  std::shared_ptr<Converter> converter_;
  bool uses_python_;

 private:
  template <typename Interface>
  std::shared_ptr<Interface> native(nb::handle given) {
    const auto hook = nb::cast<std::shared_ptr<Interface>>(given);
    natives_.push_back([hook](References& found) { found.shared(*hook); });
    return hook;
  }

  std::vector<std::function<void(References&)>> natives_;
  std::atomic<bool> searching_{false};
};

// A searcher around a search with report(), cancel() and reset().
template <typename Search>
class SearcherOf : public SearcherBase {
 public:
  using SearcherBase::references;

  nb::dict report() const {
    require_search();
    return describe(search_->report());
  }
  void cancel() { search_->cancel(); }
  void forget() {
    require_idle();
    search_->reset();
    game_->clear();
  }

  template <typename Class>
  static void bind(Class& bound) {
    using Searcher = typename Class::Type;
    bound
        .def("report", &Searcher::report, nb::sig("def report(self) -> dict[str, object]"),
             "Return the results so far; for progress callbacks.")
        .def("cancel", &Searcher::cancel, "Stop a running search soon; may be called from any thread.")
        .def("forget", &Searcher::forget, "Discard everything learned, and restart from the seed.");
  }

 protected:
  using SearcherBase::SearcherBase;

  std::unique_ptr<Search> search_;
};

}  // namespace tesuji::python
