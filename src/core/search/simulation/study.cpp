#include "search/simulation/study.hpp"

#include <algorithm>

#include "base/atomics.hpp"

namespace tesuji {

namespace {

constexpr std::int64_t growth = 4;  // of the visits from one study of a node to the next

}  // namespace

void NodeStudy::begin() {
  context_.study_at = SearchContext::never();
  if (context_.provers.empty()) return;
  const SearchOptions& options = context_.options;
  const Prover::Schedule schedule = context_.hooks.prover->studies(*context_.root_state, options.leaves > 0);
  std::int64_t visits = options.study_after;
  if (visits < 0) {
    visits = std::min<std::int64_t>(std::int64_t{schedule.visits} * options.evaluations_at_once, Prover::root_only);
  }
  for (int i = 0; i < schedule.times && 0 < visits && visits <= Prover::root_only; ++i, visits *= growth) {
    context_.study_at[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(visits);
  }
}

double NodeStudy::evaluations(std::uint32_t visits) const {
  const SearchOptions& options = context_.options;
  return static_cast<double>(visits) / (options.leaves > 0 ? options.evaluations_at_once : playouts_per_evaluation);
}

bool NodeStudy::study(Worker& worker, Index index, std::uint32_t visits, Scores& result) {
  Node& node = context_.tree->node(index);
  std::uint8_t marks = node.marks.load(relaxed);
  if (visits < context_.study_at[marks & mark::studies]) return false;  // another thread studies it
  if (!node.marks.compare_exchange_strong(marks, marks + 1, relaxed)) return false;
  Prover::Study& found = worker.study;
  worker.prover->study(*worker.state, evaluations(visits), found);
  const int mover = node.player.load(relaxed);
  if (found.win || found.lost) {
    result[mover] = found.win ? 1.0 : 0.0;
    result[1 - mover] = 1.0 - result[mover];
    node.outcome.store(context_.outcomes->intern(result), release);
    return true;
  }
  mark_moves(worker, node, found);
  if (!solver_.prove(index)) return false;
  result = context_.outcomes->scores(node.outcome.load(acquire));
  return true;
}

std::optional<Prover::Win> NodeStudy::study_root() {
  if (context_.study_at[0] == SearchContext::no_study) return std::nullopt;
  Worker& worker = *context_.workers.front();
  Prover::Study& found = worker.study;
  context_.provers.front()->study(*context_.root_state, evaluations(context_.study_at[0]), found);
  if (found.lost) context_.study_at = SearchContext::never();
  if (found.win || found.lost) return found.win;
  Node& root = context_.root_node();
  if ((root.marks.load(relaxed) & mark::studies) == 0) root.marks.fetch_add(1, relaxed);
  mark_moves(worker, root, found);
  solver_.prove(context_.root);
  return std::nullopt;
}

void NodeStudy::mark_losing_root_moves(Worker& worker) {
  worker.prover->study(*context_.root_state, 0, worker.study);
  mark_moves(worker, context_.root_node(), worker.study);
}

void NodeStudy::mark_moves(Worker& worker, const Node& node, const Prover::Study& found) {
  if (found.losing.empty() && found.inferior.empty()) return;
  Tree& tree = *context_.tree;
  const int mover = node.player.load(relaxed);
  Scores loss{};
  loss[1 - mover] = 1.0;
  const Outcome lost = context_.outcomes->intern(loss);
  const Index edges_index = node.edges.load(acquire);
  Edges& edges = tree.edges(edges_index);
  const auto among = [](const MoveList& moves, Move move) {
    return std::find(moves.begin(), moves.end(), move) != moves.end();
  };
  for (std::uint32_t i = 0; i < edges.total; ++i) {
    const Move move = tree.move_at(edges, i);
    const bool loses = among(found.losing, move);
    if (!loses && !among(found.inferior, move)) continue;
    const Index child = tree.ensure_child(worker.allocator, edges, i);
    if (child == no_index) continue;
    if (loses) {
      tree.node(child).outcome.store(lost, release);
    } else {
      tree.node(child).marks.fetch_or(mark::inferior, relaxed);
    }
    statistics_.refresh(edges_index, i, child, mover);
  }
}

}  // namespace tesuji
