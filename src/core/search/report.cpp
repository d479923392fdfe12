// What is known of the root: candidates, the choice among them, and the lines.
#include <algorithm>
#include <cmath>

#include "search/mcts.hpp"

namespace tesuji {

namespace {

constexpr std::size_t longest_line = 24;

// Of two moves that are equally certain the sooner win, or the later loss; a known end before an unknown one.
bool ends_better(const Candidate& a, const Candidate& b) {
  if (!a.plies || !b.plies) return a.plies.has_value() && !b.plies.has_value();
  return *a.proven > 0.0 ? *a.plies < *b.plies : *a.plies > *b.plies;
}

}  // namespace

Candidate Mcts::describe(const Family& family, std::uint32_t position, int mover) const {
  Candidate candidate;
  candidate.move = tree_->move_at(family, position);
  candidate.prior = tree_->prior_at(family, position);
  candidate.line.push_back(candidate.move);
  const double opinion = SelectionRule::opinion(tree_->table(family), position);
  if (!std::isnan(opinion)) candidate.amaf = opinion;
  const std::size_t slot =
      candidate.move * static_cast<std::size_t>(outcomes_->players()) + static_cast<std::size_t>(mover);
  if (slot < global_amaf_.size() && global_amaf_[slot].visits.load() > 0) candidate.amaf = global_amaf_[slot].mean();
  const Index child = tree_->child_at(family, position);
  if (child == no_index) return candidate;
  const Node& node = tree_->node(child);
  candidate.visits = node.visits.load();
  candidate.value = candidate.visits > 0 ? node.mean(candidate.visits) : 0.0;
  const Outcome known = node.outcome.load();
  if (outcomes_->known(known, mover)) {
    candidate.proven = outcomes_->score(known, mover);
    candidate.value = *candidate.proven;
  }
  if (hidden_) return candidate;  // what may come next depends on what is hidden
  candidate.line.clear();
  follow_line(child, candidate.line);
  return candidate;
}

// The mover's choice: a certain win; otherwise the most visited move that is not known to lose, unless what is certain
// elsewhere is worth as much as that move seems to be; a known loss only when there is nothing else.
Index Mcts::best_child(const Node& node) const {
  const Index family = node.family.load(std::memory_order_acquire);
  if (family == no_index) return no_index;
  const Family& of = tree_->family(family);
  const int mover = node.player.load();
  if (mover == chance_player) return no_index;  // a line ends where nobody chooses
  Index open = no_index;                        // most visited among the unproven
  Index certain = no_index;                     // best among the proven
  const auto more = [&](Index a, Index b) {
    const Node& x = tree_->node(a);
    const Node& y = tree_->node(b);
    const std::uint32_t nx = x.visits.load();
    const std::uint32_t ny = y.visits.load();
    return nx != ny ? nx > ny : nx > 0 && x.mean(nx) > y.mean(ny);
  };
  const auto score = [&](Index child) { return outcomes_->score(tree_->node(child).outcome.load(), mover); };
  for (std::uint32_t i = 0; i < of.total; ++i) {
    const Index child = tree_->child_at(of, i);
    if (child == no_index) continue;
    if (!outcomes_->known(tree_->node(child).outcome.load(), mover)) {
      if (open == no_index || more(child, open)) open = child;
      continue;
    }
    const bool better = certain == no_index || score(child) > score(certain) ||
                        (score(child) == score(certain) && more(child, certain));
    if (better) certain = child;
  }
  if (certain == no_index || open == no_index) return certain == no_index ? open : certain;
  const std::uint32_t visits = tree_->node(open).visits.load();
  // With a margin for luck: one won playout is no reason to leave a certain draw.
  const double hoped = visits > 0 ? tree_->node(open).mean(visits) - 0.5 / std::sqrt(static_cast<double>(visits)) : 0.0;
  return score(certain) > 0 && score(certain) >= hoped ? certain : open;
}

void Mcts::follow_line(Index from, MoveList& line) const {
  for (Index at = from; at != no_index && line.size() < longest_line; at = best_child(tree_->node(at))) {
    const Node& node = tree_->node(at);
    if (at != from && node.visits.load() == 0) break;
    line.push_back(node.move);
  }
}

// A proof says who wins and not when: who only knows that a move wins may win for ever. So a tablebase has the last
// word among certain wins, and among certain losses.
void Mcts::ask_tablebase(Report& report) const {
  const std::unique_ptr<State> state = root_state_->clone();
  for (Candidate& candidate : report.candidates) {
    if (!candidate.proven || (*candidate.proven > 0.0 && *candidate.proven < 1.0)) continue;
    state->follow(*root_state_, candidate.move);
    if (state->over()) {
      candidate.plies = 1;
    } else if (const std::optional<Known> known = hooks_.tablebase->probe(*state); known && known->plies > 0) {
      candidate.plies = 1 + known->plies;
    }
  }
  const auto begin = report.candidates.begin();
  const auto end = report.candidates.end();
  auto best = std::find_if(begin, end, [&](const Candidate& candidate) { return candidate.move == report.move; });
  for (auto other = begin; other != end; ++other) {
    if (best->proven && other->proven == best->proven && ends_better(*other, *best)) best = other;
  }
  report.move = best->move;
  // How long a defence lasts is known only where every move's end is.
  const bool all = std::all_of(begin, end, [](const Candidate& candidate) { return candidate.plies.has_value(); });
  if (report.proven && (all || *report.proven > 0.0)) report.plies = best->plies;
}

// All is lost, by proof or since the only answers to a certain threat are: who still answers makes the opponent find
// the way. The answer that was looked at most took most to refute.
void Mcts::prefer_answer(Report& report) const {
  const MoveList& given = root_threat_.moves;
  const auto answers = [&](Move move) { return std::find(given.begin(), given.end(), move) != given.end(); };
  if (report.proven != 0.0 && (!root_threat_.certain || answers(report.move))) return;
  std::int64_t most = -1;
  for (const Candidate& candidate : report.candidates) {
    if (static_cast<std::int64_t>(candidate.visits) <= most || !answers(candidate.move)) continue;
    most = static_cast<std::int64_t>(candidate.visits);
    report.move = candidate.move;
  }
}

// The proof's own move, with its line: another that is known to win may take longer to show it.
void Mcts::show_root_win(Report& report) const {
  report.move = root_win_->line.front();
  report.plies = root_win_->plies;
  for (Candidate& candidate : report.candidates) {
    if (candidate.move != report.move) continue;
    candidate.line = root_win_->line;
    candidate.plies = root_win_->plies;
  }
}

Report Mcts::report() const {
  Report report;
  const Node& node = tree_->node(root_);
  const int mover = node.player.load();
  for (const auto& worker : workers_) {
    report.iterations += worker->completed.load();
    report.nodes += worker->allocator.nodes.load();
  }
  report.bytes = tree_->bytes() + root_state_->kept_bytes();
  report.seconds = std::chrono::duration<double>(Clock::now() - began_).count();
  report.stop = stop_.load();
  report.memory_full = tree_->full();
  if (outcomes_->known(node.outcome.load(), mover)) report.proven = outcomes_->score(node.outcome.load(), mover);

  const Family& family = tree_->family(node.family.load());
  for (std::uint32_t i = 0; i < family.total; ++i) {
    report.candidates.push_back(describe(family, i, mover));
    report.visits += report.candidates.back().visits;
  }
  report.move = tree_->node(best_child(node)).move;
  if (!root_win_) prefer_answer(report);
  if (hooks_.tablebase != nullptr && !hidden_) ask_tablebase(report);
  if (root_win_) show_root_win(report);
  std::stable_sort(report.candidates.begin(), report.candidates.end(), [&](const Candidate& a, const Candidate& b) {
    if ((a.move == report.move) != (b.move == report.move)) return a.move == report.move;
    if (a.visits != b.visits) return a.visits > b.visits;
    return a.value != b.value ? a.value > b.value : ends_better(a, b);
  });
  const Candidate& best = report.candidates.front();
  report.value = best.visits > 0 || best.proven ? best.value : 0.5;
  return report;
}

}  // namespace tesuji
