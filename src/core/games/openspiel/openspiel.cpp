#include "games/openspiel/openspiel.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tesuji::openspiel {

OpenSpielState::OpenSpielState(std::shared_ptr<const Rules> rules, const ForeignState& state)
    : rules_(std::move(rules)), state_(library().clone(state)), player_(library().current_player(state)) {}

OpenSpielState::OpenSpielState(const OpenSpielState& other)
    : State(other), rules_(other.rules_), state_(library().clone(*other.state_)), player_(other.player_) {}

void OpenSpielState::assign(const State& other) {
  const auto& source = static_cast<const OpenSpielState&>(other);
  ForeignState* const copy = library().clone(*source.state_);
  library().destroy(std::exchange(state_, copy));
  player_ = source.player_;
}

Scores OpenSpielState::scores() const {
  const std::vector<double> returns = library().returns(*state_);
  Scores scores{};
  for (std::size_t i = 0; i < returns.size() && i < scores.size(); ++i) {
    scores[i] = std::clamp((returns[i] - rules_->low) / (rules_->high - rules_->low), 0.0, 1.0);
  }
  return scores;
}

void OpenSpielState::moves(MoveList& list) const {
  list.clear();
  if (over()) return;
  for (const Action action : library().legal_actions(*state_)) list.push_back(to_move(action));
}

Move OpenSpielState::to_move(Action action) const {
  if (action < 0 || action >= static_cast<Action>(rules_->move_limit)) {
    throw std::out_of_range("OpenSpiel has the action " + std::to_string(action) + "; actions must be below " +
                            std::to_string(rules_->move_limit));
  }
  return static_cast<Move>(action);
}

bool OpenSpielState::legal(Move move) const {
  if (over()) return false;
  const std::vector<Action> actions = library().legal_actions(*state_);
  return std::find(actions.begin(), actions.end(), static_cast<Action>(move)) != actions.end();
}

bool OpenSpielState::same_position(const State& other) const {
  const auto* state = dynamic_cast<const OpenSpielState*>(&other);
  return state != nullptr && state->history() == history();
}

Action OpenSpielState::sample_outcome(Random& random) const {
  const std::vector<std::pair<Action, double>> outcomes = library().chance_outcomes(*state_);
  double rest = random.uniform();
  for (const auto& [action, probability] : outcomes) {
    rest -= probability;
    if (rest < 0) return action;
  }
  // Probabilities may add up to slightly less than 1.
  const auto possible = [](const auto& outcome) { return outcome.second > 0; };
  return std::find_if(outcomes.rbegin(), outcomes.rend(), possible)->first;
}

void OpenSpielState::playout(Random& random, const PlayoutRequest& request) {
  for (int plies = 0; plies != request.max_plies && !over(); ++plies) {
    if (player_ == chance_player) {
      apply(sample_outcome(random));
    } else {
      const std::vector<Action> actions = library().legal_actions(*state_);
      const Action action = actions[random.below(static_cast<std::uint32_t>(actions.size()))];
      if (request.trace != nullptr) request.trace->push_back({to_move(action), player_});
      apply(action);
    }
    if (plies % 64 == 63 && request.stopped != nullptr && request.stopped(request.stopped_context)) return;
  }
}

}  // namespace tesuji::openspiel
