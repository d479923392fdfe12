#include "bindings/python/hooks.hpp"

#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "bindings/errors.hpp"

namespace tesuji::python {

namespace {

double number(nb::handle value, const char* hook) {
  const double result = number_of(value);
  if (std::isnan(result)) fail(std::string(hook) + " returned " + text(value) + ", which is not a number");
  return result;
}

// A hook that calls a Python callable.
template <typename Interface>
class PythonHook : public Interface {
 public:
  PythonHook(std::shared_ptr<Converter> converter, nb::object callable)
      : converter_(std::move(converter)), callable_(converter_->keep(std::move(callable))) {}

 protected:
  // Calls it with the position, a player, and the moves if it takes any.
  template <typename... Arguments>
  nb::object call(const State& state, int player, const Arguments&... arguments) const {
    return callable_(converter_->state(state), player, arguments...);
  }
  nb::list list(const MoveList& moves) const { return converter_->moves(moves); }
  Move legal(const State& state, nb::handle move, const MoveList& moves, const char* hook) const {
    const Move id = converter_->id(state, move);
    if (std::find(moves.begin(), moves.end(), id) == moves.end()) {
      fail(std::string(hook) + " returned " + text(move) + ", which is not a legal move here");
    }
    return id;
  }
  const nb::object& keep(nb::object object) const { return converter_->keep(std::move(object)); }

 private:
  std::shared_ptr<Converter> converter_;
  const nb::object& callable_;
};

class PythonValue final : public PythonHook<Value> {
 public:
  using PythonHook::PythonHook;
  double value(const State& state, int player) const override {
    const nb::object result = call(state, player);
    const double value = number(result, "the value");
    if (!(value >= 0.0 && value <= 1.0)) fail("the value returned " + text(result) + "; it must be from 0 to 1");
    return value;
  }
};

class PythonThreatResponse final : public PythonHook<ThreatResponse> {
 public:
  using PythonHook::PythonHook;
  void respond(const State& state, ThreatReplies& threat) const override {
    threat.moves.clear();
    threat.urgent = false;
    const nb::object answer = call(state, state.player());
    if (answer.is_none()) return;
    if (!nb::hasattr(answer, "moves") || !nb::hasattr(answer, "urgent")) {
      fail("threat_response returned " + text(answer) + "; it must be a Threat or None");
    }
    MoveList moves;
    state.moves(moves);
    for (const nb::handle move : answer.attr("moves")) {
      const Move id = legal(state, move, moves, "threat_response");
      if (std::find(threat.moves.begin(), threat.moves.end(), id) == threat.moves.end()) threat.moves.push_back(id);
    }
    threat.urgent = nb::cast<bool>(nb::bool_(answer.attr("urgent")));
  }
};

class PythonPlayoutPolicy final : public PythonHook<PlayoutPolicy> {
 public:
  PythonPlayoutPolicy(std::shared_ptr<Converter> converter, nb::object callable)
      : PythonHook(std::move(converter), std::move(callable)),
        borrowed_(nb::cast(BorrowedRandom{})),
        random_(keep(nb::module_::import_("tesuji.knowledge").attr("SearchRandom")(borrowed_))) {}
  Move choose(const State& state, const MoveList& moves, Random& random) const override {
    auto& borrowed = nb::cast<BorrowedRandom&>(borrowed_);
    borrowed.random = &random;
    const struct Return {
      BorrowedRandom& lent;
      ~Return() { lent.random = nullptr; }
    } when_done{borrowed};
    const nb::object move = call(state, state.player(), list(moves), random_);
    return legal(state, move, moves, "playout_policy");
  }

 private:
  nb::object borrowed_;
  const nb::object& random_;
};

class PythonMoveOrdering final : public PythonHook<MoveOrdering> {
 public:
  using PythonHook::PythonHook;
  void order(const State& state, MoveList& moves, std::vector<float>& weights, Random& random) const override {
    weights.clear();
    const nb::object answer = call(state, state.player(), list(moves));
    // Moves that the hook does not mention come last, in random order.
    shuffle(moves, random);
    if (PyObject_HasAttrString(answer.ptr(), "__iter__") == 0) {
      fail("move_ordering returned " + text(answer) +
           "; it must be a sequence of moves, or a mapping of moves to weights");
    }
    if (PyMapping_Check(answer.ptr()) != 0 && nb::hasattr(answer, "items")) {
      by_weight(state, answer, moves, weights);
    } else {
      by_sequence(state, answer, moves);
    }
  }

 private:
  void by_sequence(const State& state, const nb::object& answer, MoveList& moves) const {
    std::size_t placed = 0;
    for (const nb::handle move : answer) {
      const Move id = legal(state, move, moves, "move_ordering");
      const auto found = std::find(moves.begin() + static_cast<std::ptrdiff_t>(placed), moves.end(), id);
      if (found == moves.end()) continue;  // named twice
      std::rotate(moves.begin() + static_cast<std::ptrdiff_t>(placed), found, found + 1);
      ++placed;
    }
  }
  void by_weight(const State& state, const nb::object& answer, MoveList& moves, std::vector<float>& weights) const {
    std::vector<std::pair<double, Move>> weighted;
    double least = 1.0;
    double most = 0.0;
    for (const nb::handle item : answer.attr("items")()) {
      const Move id = legal(state, item[0], moves, "move_ordering");
      const auto same = [id](const auto& one) { return one.second == id; };
      if (std::any_of(weighted.begin(), weighted.end(), same)) {
        fail("move_ordering gave " + text(item[0]) + " a weight twice");
      }
      const double weight = number(item[1], "move_ordering");
      if (!(weight > 0.0 && std::isfinite(weight))) {
        fail("move_ordering gave " + text(item[0]) + " the weight " + text(item[1]) +
             "; weights must be positive and finite");
      }
      least = std::min(least, weight);
      most = std::max(most, weight);
      weighted.emplace_back(weight, id);
    }
    for (const Move move : moves) {
      const bool named = std::any_of(weighted.begin(), weighted.end(), [&](const auto& w) { return w.second == move; });
      if (!named) weighted.emplace_back(least, move);
    }
    std::stable_sort(weighted.begin(), weighted.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    moves.clear();
    // Relative to the largest, to avoid overflow in single precision.
    for (const auto& [weight, move] : weighted) {
      moves.push_back(move);
      weights.push_back(static_cast<float>(std::max(most > 0.0 ? weight / most : 1.0, 1e-30)));
    }
  }
};

class PythonProximity final : public PythonHook<Proximity> {
 public:
  using PythonHook::PythonHook;
  void weigh(const State& state, const MoveList& moves, bool hard, std::vector<float>& weights) const override {
    const nb::object result = call(state, state.player(), list(moves), hard);
    weights.clear();
    float most = 0;
    for (const nb::handle item : result) {
      const double weight = number(item, "proximity");
      if (!(weight >= 0.0 && weight <= 1.0))
        fail("proximity gave a move the weight " + text(item) + "; it must be from 0 to 1");
      // Positive weights must not underflow to 0, which sets a move aside.
      weights.push_back(weight > 0 ? std::max(static_cast<float>(weight), std::numeric_limits<float>::min()) : 0.0F);
      most = std::max(most, weights.back());
    }
    if (weights.size() != moves.size()) {
      fail("proximity gave " + std::to_string(weights.size()) + " weights for " + std::to_string(moves.size()) +
           " moves");
    }
    if (most == 0) fail("proximity gave every move the weight 0; at least one must be positive");
  }
};

class PythonExploration final : public PythonHook<Exploration> {
 public:
  using PythonHook::PythonHook;
  double exploration(const State& state) const override {
    const nb::object result = call(state, state.player());
    const double value = number(result, "exploration");
    if (!(value >= 0.0 && value <= 1e6)) {
      fail("exploration returned " + text(result) + "; it must be from 0 to 1,000,000");
    }
    return value;
  }
};

}  // namespace

nb::object Converter::state(const State& state) const {
  if (!native()) return static_cast<const PythonState&>(state).object();
  return from_core_(nb::cast(state.clone()));
}

nb::object Converter::move(Move move) const { return native() ? nb::object(nb::int_(move)) : game_->move_of(move); }

Move Converter::id(const State& state, nb::handle move) const {
  if (!native()) return game_->find(move, game_->has_hidden_information() ? state.player() : 0);
  Move id = no_move;
  return nb::try_cast<Move>(move, id) ? id : no_move;
}

nb::list Converter::moves(const MoveList& list) const {
  nb::list result;
  for (const Move each : list) result.append(move(each));
  return result;
}

std::shared_ptr<const Value> make_value(std::shared_ptr<Converter> converter, nb::object callable) {
  return std::make_shared<PythonValue>(std::move(converter), std::move(callable));
}
std::shared_ptr<const ThreatResponse> make_threat_response(std::shared_ptr<Converter> converter, nb::object callable) {
  return std::make_shared<PythonThreatResponse>(std::move(converter), std::move(callable));
}
std::shared_ptr<const PlayoutPolicy> make_playout_policy(std::shared_ptr<Converter> converter, nb::object callable) {
  return std::make_shared<PythonPlayoutPolicy>(std::move(converter), std::move(callable));
}
std::shared_ptr<const MoveOrdering> make_move_ordering(std::shared_ptr<Converter> converter, nb::object callable) {
  return std::make_shared<PythonMoveOrdering>(std::move(converter), std::move(callable));
}
std::shared_ptr<const Proximity> make_proximity(std::shared_ptr<Converter> converter, nb::object callable) {
  return std::make_shared<PythonProximity>(std::move(converter), std::move(callable));
}
std::shared_ptr<const Exploration> make_exploration(std::shared_ptr<Converter> converter, nb::object callable) {
  return std::make_shared<PythonExploration>(std::move(converter), std::move(callable));
}

}  // namespace tesuji::python
