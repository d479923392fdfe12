// What all searches share at the border to Python: the game's bridge, the hooks, one search at a time.
#pragma once

#include <nanobind/stl/shared_ptr.h>

#include <atomic>
#include <memory>
#include <optional>
#include <utility>

#include "bindings/bindings.hpp"
#include "bindings/errors.hpp"
#include "bindings/python_hooks.hpp"
#include "bindings/python_host.hpp"
#include "search/report.hpp"

namespace tesuji::python {

class SearcherBase {
 protected:
  SearcherBase(int players, nb::object wrap)
      : rules_(std::make_shared<Rules>(players)),
        bridge_(std::make_shared<Bridge>(rules_, std::move(wrap))),
        uses_python_(!bridge_->native()) {}

  // A native hook stays what it is; anything else is called as Python.
  template <typename Interface, typename Make>
  std::shared_ptr<const Interface> hook(const nb::dict& hooks, const char* name, Make make) {
    if (!hooks.contains(name)) return nullptr;
    const nb::object given = nb::borrow(hooks[name]);
    if (nb::isinstance<Interface>(given)) return nb::cast<std::shared_ptr<Interface>>(given);
    uses_python_ = true;
    return make(bridge_, given);
  }

  // A tablebase is native, or there is none.
  static std::shared_ptr<const Tablebase> tablebase(const nb::dict& hooks) {
    return hooks.contains("tablebase") ? nb::cast<std::shared_ptr<Tablebase>>(hooks["tablebase"]) : nullptr;
  }

  // So is a prover.
  static std::shared_ptr<const Prover> prover(const nb::dict& hooks) {
    return hooks.contains("prover") ? nb::cast<std::shared_ptr<Prover>>(hooks["prover"]) : nullptr;
  }

  // One search at a time.
  class Running {
   public:
    explicit Running(SearcherBase& searcher) : flag_(searcher.searching_) {
      if (flag_.exchange(true)) fail("this bot is thinking already; use another bot in another thread");
    }
    ~Running() { flag_ = false; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

   private:
    std::atomic<bool>& flag_;
  };

  // The report of `search(state, host)`, which runs without the interpreter's lock.
  template <typename Search>
  auto run(nb::object root, nb::object progress, double interval, Search&& search) {
    const Running running(*this);
    std::unique_ptr<State> state;
    if (bridge_->native()) {
      state = nb::cast<const State&>(root).clone();
    } else {
      state = std::make_unique<PythonState>(rules_, std::move(root));
    }
    PythonHost host(uses_python_, std::move(progress), interval);
    const nb::gil_scoped_release released;
    return search(*state, host);
  }

  // From a progress callback only: at any other time another thread may be changing what it reads.
  void require_search() const {
    if (!searching_) fail("there is no search to report on");
  }
  void require_rest() const {
    if (searching_) fail("this bot is thinking; cancel it first");
  }

  // What a tree search found, as a dictionary.
  nb::dict describe(const Report& report) const;

  template <typename T>
  static nb::object optional(const std::optional<T>& value) {
    return value ? nb::cast(*value) : nb::object(nb::none());
  }

  std::shared_ptr<Rules> rules_;
  std::shared_ptr<Bridge> bridge_;
  bool uses_python_;

 private:
  std::atomic<bool> searching_{false};
};

}  // namespace tesuji::python
