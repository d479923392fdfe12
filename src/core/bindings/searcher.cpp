#include "bindings/searcher.hpp"

#include <nanobind/stl/string.h>

namespace tesuji::python {

namespace {

const char* name_of(Stop stop) {
  switch (stop) {
    case Stop::iterations:
      return "iterations";
    case Stop::depth:
      return "depth";
    case Stop::nodes:
      return "nodes";
    case Stop::seconds:
      return "seconds";
    case Stop::proven:
      return "proven";
    case Stop::cancelled:
      return "cancelled";
    case Stop::none:
      break;
  }
  return "running";
}

template <typename T>
nb::object optional(const std::optional<T>& value) {
  return value ? nb::cast(*value) : nb::object(nb::none());
}

}  // namespace

SearcherBase::SearcherBase(int players, nb::object from_core)
    : game_(std::make_shared<PythonGame>(players)),
      converter_(std::make_shared<Converter>(game_, std::move(from_core))),
      uses_python_(!converter_->native()) {}

Hooks SearcherBase::hooks(const nb::dict& given) {
  Hooks made;
  made.value = hook<Value>(given, "value", make_value);
  made.threat_response = hook<ThreatResponse>(given, "threat_response", make_threat_response);
  made.playout_policy = hook<PlayoutPolicy>(given, "playout_policy", make_playout_policy);
  made.move_ordering = hook<MoveOrdering>(given, "move_ordering", make_move_ordering);
  made.exploration = hook<Exploration>(given, "exploration", make_exploration);
  made.proximity = hook<Proximity>(given, "proximity", make_proximity);
  if (given.contains("tablebase")) made.tablebase = native<Tablebase>(given["tablebase"]);
  if (given.contains("prover")) made.prover = native<Prover>(given["prover"]);
  return made;
}

nb::dict SearcherBase::run(nb::object root, nb::object progress, const Work& search) {
  const Running running(*this);
  std::unique_ptr<State> state;
  if (converter_->native()) {
    state = nb::cast<const State&>(root).clone();
  } else {
    state = std::make_unique<PythonState>(game_, std::move(root));
  }
  PythonMonitor monitor(uses_python_, std::move(progress));
  Report report;
  {
    const nb::gil_scoped_release released;
    report = search(*state, monitor);
  }
  return describe(report);
}

nb::dict SearcherBase::describe(const Report& report) const {
  nb::dict result;
  result["move"] = converter_->move(report.move);
  result["value"] = report.value;
  result["proven"] = optional(report.proven);
  result["plies"] = optional(report.plies);
  result["depth"] = optional(report.depth);
  result["iterations"] = report.iterations;
  result["visits"] = report.visits;
  result["nodes"] = report.nodes;
  result["bytes"] = report.bytes;
  result["seconds"] = report.seconds;
  result["stopped"] = name_of(report.stop);
  result["memory_full"] = report.memory_full;
  nb::list candidates;
  for (const Candidate& candidate : report.candidates) {
    candidates.append(nb::make_tuple(converter_->move(candidate.move), candidate.visits, candidate.value,
                                     candidate.prior, optional(candidate.amaf), optional(candidate.proven),
                                     nb::tuple(converter_->moves(candidate.line)), candidate.exact,
                                     optional(candidate.plies)));
  }
  result["candidates"] = candidates;
  return result;
}

}  // namespace tesuji::python
