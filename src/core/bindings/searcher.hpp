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
  SearcherBase(int players, nb::object wrap)
      : game_(std::make_shared<PythonGame>(players)),
        converter_(std::make_shared<Converter>(game_, std::move(wrap))),
        uses_python_(!converter_->native()) {}

  // Native hooks are used directly, other objects as Python callables.
  template <typename Interface, typename Make>
  std::shared_ptr<const Interface> hook(const nb::dict& hooks, const char* name, Make make) {
    if (!hooks.contains(name)) return nullptr;
    const nb::object given = nb::borrow(hooks[name]);
    if (nb::isinstance<Interface>(given)) return native<Interface>(given);
    uses_python_ = true;
    return make(converter_, given);
  }

  // Tablebases and provers are always native.
  std::shared_ptr<const Tablebase> tablebase(const nb::dict& hooks) {
    return hooks.contains("tablebase") ? native<Tablebase>(hooks["tablebase"]) : nullptr;
  }

  std::shared_ptr<const Prover> prover(const nb::dict& hooks) {
    return hooks.contains("prover") ? native<Prover>(hooks["prover"]) : nullptr;
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

  // Calls `search(state, monitor)` without the GIL.
  template <typename Search>
  auto run(nb::object root, nb::object progress, double interval, Search&& search) {
    const Running running(*this);
    std::unique_ptr<State> state;
    if (converter_->native()) {
      state = nb::cast<const State&>(root).clone();
    } else {
      state = std::make_unique<PythonState>(game_, std::move(root));
    }
    PythonMonitor monitor(uses_python_, std::move(progress), interval);
    const nb::gil_scoped_release released;
    return search(*state, monitor);
  }

  // report() may only be called from a progress callback, because it reads what the search writes.
  void require_search() const {
    if (!searching_) fail("no search is running");
  }
  void require_idle() const {
    if (searching_) fail("this bot is searching; cancel it first");
  }

  // The report of a tree search as a dictionary.
  nb::dict describe(const Report& report) const;

  template <typename T>
  static nb::object optional(const std::optional<T>& value) {
    return value ? nb::cast(*value) : nb::object(nb::none());
  }

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

}  // namespace tesuji::python
