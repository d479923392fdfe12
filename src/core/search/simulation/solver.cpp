#include "search/simulation/solver.hpp"

#include "base/atomics.hpp"

namespace tesuji {

// Moves set aside by a threat or proximity do not count as refuted: if all others lose, they are opened up. Chance
// nodes are sampled, so they are never proven.
bool MctsSolver::prove(Index index) {
  Tree& tree = *context_.tree;
  Outcomes& outcomes = *context_.outcomes;
  Node& node = tree.node(index);
  if (node.outcome.load(acquire) != unproven) return false;
  Edges& edges = tree.edges(node.edges.load(acquire));
  const int mover = node.player.load(relaxed);
  if (mover == chance_player) return false;
  const std::uint32_t limit = edges.limit.load(relaxed);
  bool all = true;
  bool tied = false;
  Outcome best = unproven;
  for (std::uint32_t position = 0; position < edges.total; ++position) {
    const Index child = tree.child_at(edges, position);
    const Outcome known = child == no_index ? unproven : tree.node(child).outcome.load(acquire);
    if (!outcomes.known(known, mover)) {
      const bool inferior = child != no_index && (tree.node(child).marks.load(relaxed) & mark::inferior) != 0;
      all = all && (position >= limit || inferior);
      continue;
    }
    const double score = outcomes.score(known, mover);
    const double so_far = best == unproven ? -1.0 : outcomes.score(best, mover);
    tied = score == so_far ? tied || known != best : tied && score < so_far;
    if (score > so_far) best = known;
  }
  if (best == unproven) return false;
  const bool wins = outcomes.score(best, mover) >= 1.0;
  if (!wins && !all) return false;
  if (!wins && limit < edges.total) {
    edges.limit.store(edges.total, relaxed);
    return prove(index);  // some of the other moves may be proven already
  }
  // The other players' scores are certain only if the best move is unique.
  const Scores& scores = outcomes.scores(best);
  const bool unique = all && limit >= edges.total && !tied;
  const Outcome proven = outcomes.intern(unique ? scores : outcomes.after_choice(scores, mover));
  node.outcome.store(proven, release);
  return proven != unproven;
}

void MctsSolver::prove_path(const Worker& worker) {
  for (std::size_t i = worker.path.size() - 1; i-- > 0 && prove(worker.path[i].node);) {
  }
}

bool MctsSolver::settled(const Node& child, int mover) const {
  return context_.outcomes->known(child.outcome.load(acquire), mover) ||
         (child.marks.load(relaxed) & mark::inferior) != 0;
}

std::uint32_t MctsSolver::best_unproven(const Worker& worker, const Edges& edges, int mover,
                                        std::uint32_t count) const {
  const Tree& tree = *context_.tree;
  std::uint32_t found = Tree::no_position;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Index child = tree.child_at(edges, i);
    if (child != no_index && settled(tree.node(child), mover)) continue;
    if (found == Tree::no_position || worker.scores[i] > worker.scores[found]) found = i;
  }
  return found;
}

}  // namespace tesuji
