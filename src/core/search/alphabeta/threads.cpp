// Alpha-beta's helper threads.
#include "search/alphabeta/threads.hpp"

#include <vector>

#include "base/thread_pool.hpp"
#include "search/alphabeta/alphabeta.hpp"

namespace tesuji {

// A helper of `main`, with its table and hooks.
AlphaBeta::AlphaBeta(const AlphaBeta& main, int number)
    : options_(main.options_),
      hooks_(main.hooks_),
      table_(main.table_),
      random_(main.options_.seed, static_cast<std::uint64_t>(number)),
      team_(main.team_),
      helper_(true) {
  budget_.depth = main.budget_.depth;
  next_check_ = nodes_between_checks;
}

void AlphaBeta::deepen_with_helpers(const State& root) {
  std::vector<std::unique_ptr<AlphaBeta>> helpers;
  for (int number = 1; number < options_.threads; ++number) helpers.emplace_back(new AlphaBeta(*this, number));
  ThreadPool pool(static_cast<int>(helpers.size()));
  const struct StopAtEnd {  // before the pool waits for its threads
    AlphaBetaTeam& team;
    ~StopAtEnd() { team.stopped.store(true, relaxed); }
  } stop{*team_};
  pool.start(helpers.size(), [&](std::size_t i) { helpers[i]->help(root); });
  deepen();
}

// An error ends the help, but not the search.
void AlphaBeta::help(const State& root) {
  try {
    prepare(root);
    deepen();
  } catch (const Interrupted&) {
  }
  publish_nodes();
}

void AlphaBeta::publish_nodes() {
  team_->helper_nodes.fetch_add(nodes_ - published_nodes_, relaxed);
  published_nodes_ = nodes_;
}

void AlphaBeta::check_as_helper() {
  publish_nodes();
  next_check_ = nodes_ + nodes_between_checks;
  if (team_->stopped.load(relaxed)) interrupt(Stop::none);
}

}  // namespace tesuji
