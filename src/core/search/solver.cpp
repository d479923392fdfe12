// Proofs: what goes up the tree by the rules of outcomes.hpp, and where to look for more of it.
#include "search/atomics.hpp"
#include "search/mcts.hpp"

namespace tesuji {

// Whether the children prove this node. An urgent threat's restriction is no proof: when all its answers fail, the
// other moves are opened up. No proof goes through chance, which is sampled.
bool Mcts::prove(Index index) {
  Node& node = tree_->node(index);
  if (node.outcome.load(acquire) != unproven) return false;
  Family& family = tree_->family(node.family.load(acquire));
  const int mover = node.player.load(relaxed);
  if (mover == chance_player) return false;
  const std::uint32_t limit = family.limit.load(relaxed);
  bool all = true;
  bool tied = false;
  Outcome best = unproven;
  for (std::uint32_t position = 0; position < family.total; ++position) {
    const Index child = tree_->child_at(family, position);
    const Outcome known = child == no_index ? unproven : tree_->node(child).outcome.load(acquire);
    if (!outcomes_->known(known, mover)) {
      all = all && position >= limit;
      continue;
    }
    const double score = outcomes_->score(known, mover);
    const double so_far = best == unproven ? -1.0 : outcomes_->score(best, mover);
    tied = score == so_far ? tied || known != best : tied && score < so_far;
    if (score > so_far) best = known;
  }
  if (best == unproven) return false;
  const bool wins = outcomes_->score(best, mover) >= 1.0;
  if (!wins && !all) return false;
  if (!wins && limit < family.total) {
    family.limit.store(family.total, relaxed);
    return prove(index);  // what was left out may be known already
  }
  // What the others get is certain only if the mover has no other equally good choice.
  const Scores& scores = outcomes_->scores(best);
  const bool unique = all && limit >= family.total && !tied;
  const Outcome proven = outcomes_->intern(unique ? scores : outcomes_->after_choice(scores, mover));
  node.outcome.store(proven, release);
  return proven != unproven;
}

// After SelectionRule::best: the best of the same children that are not proven.
std::uint32_t Mcts::best_unproven(const Worker& worker, const Family& family, int mover, std::uint32_t count) const {
  std::uint32_t found = Tree::no_position;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Index child = tree_->child_at(family, i);
    if (child != no_index && outcomes_->known(tree_->node(child).outcome.load(acquire), mover)) continue;
    if (found == Tree::no_position || worker.scores[i] > worker.scores[found]) found = i;
  }
  return found;
}

}  // namespace tesuji
