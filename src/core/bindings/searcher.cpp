#include "bindings/searcher.hpp"

#include <nanobind/stl/string.h>

namespace tesuji::python {

namespace {

const char* name_of(Stop stop) {
  switch (stop) {
    case Stop::iterations:
      return "iterations";
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

}  // namespace

nb::dict SearcherBase::describe(const Report& report) const {
  nb::dict result;
  result["move"] = converter_->move(report.move);
  result["value"] = report.value;
  result["proven"] = optional(report.proven);
  result["plies"] = optional(report.plies);
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
                                     nb::tuple(converter_->moves(candidate.line)), true, optional(candidate.plies)));
  }
  result["candidates"] = candidates;
  return result;
}

}  // namespace tesuji::python
