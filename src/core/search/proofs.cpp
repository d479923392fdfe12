// Proofs: backed up from children, and found by the game's prover.
#include <algorithm>

#include "search/tree_search.hpp"

namespace tesuji {

namespace {

constexpr std::int64_t growth = 4;  // of the visits from one proof search of a node to the next

}  // namespace

// Moves set aside by a threat or proximity do not count as refuted: if all others lose, they are opened up. Chance
// nodes are sampled, so they are never proven.
bool TreeSearch::prove(Index index) {
  Tree& tree = *tree_;
  Outcomes& outcomes = *outcomes_;
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

void TreeSearch::prove_path(const Worker& worker) {
  for (std::size_t i = worker.path.size() - 1; i-- > 0 && prove(worker.path[i].node);) {
  }
}

bool TreeSearch::settled(const Node& child, int mover) const {
  return outcomes_->known(child.outcome.load(acquire), mover) || (child.marks.load(relaxed) & mark::inferior) != 0;
}

std::uint32_t TreeSearch::best_unproven(const Worker& worker, const Edges& edges, int mover,
                                        std::uint32_t count) const {
  const Tree& tree = *tree_;
  std::uint32_t found = Tree::no_position;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Index child = tree.child_at(edges, i);
    if (child != no_index && settled(tree.node(child), mover)) continue;
    if (found == Tree::no_position || worker.scores[i] > worker.scores[found]) found = i;
  }
  return found;
}

void TreeSearch::begin_proof_searches() {
  proof_search_at_.fill(never);
  if (provers_.empty()) return;
  const Prover::Schedule schedule = hooks_.prover->schedule(*root_state_, batch_size_ > 0);
  std::int64_t visits = options_.proof_search_after;
  if (visits < 0) {  // the prover's own
    visits = std::min<std::int64_t>(std::int64_t{schedule.visits} * evaluations_at_once_, Prover::root_only);
  }
  for (int i = 0; i < schedule.times && 0 < visits && visits <= Prover::root_only; ++i, visits *= growth) {
    proof_search_at_[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(visits);
  }
}

double TreeSearch::evaluations(std::uint32_t visits) const {
  return static_cast<double>(visits) / (batch_size_ > 0 ? evaluations_at_once_ : playouts_per_evaluation);
}

bool TreeSearch::search_proof(Worker& worker, Index index, std::uint32_t visits, Scores& result) {
  Node& node = tree_->node(index);
  std::uint8_t marks = node.marks.load(relaxed);
  if (visits < proof_search_at_[marks & mark::proof_searches]) return false;  // another thread searches
  if (!node.marks.compare_exchange_strong(marks, marks + 1, relaxed)) return false;
  Prover::Findings& found = worker.findings;
  worker.prover->search(*worker.state, evaluations(visits), found);
  const int mover = node.player.load(relaxed);
  if (found.win || found.lost) {
    result = scores_of_two(mover, found.win ? 1.0 : 0.0);
    node.outcome.store(outcomes_->intern(result), release);
    return true;
  }
  mark_moves(worker, node, found);
  if (!prove(index)) return false;
  result = outcomes_->scores(node.outcome.load(acquire));
  return true;
}

std::optional<Prover::Win> TreeSearch::search_root_proof() {
  if (proof_search_at_[0] == never) return std::nullopt;
  Worker& worker = *workers_.front();
  Prover::Findings& found = worker.findings;
  provers_.front()->search(*root_state_, evaluations(proof_search_at_[0]), found);
  if (found.lost) proof_search_at_.fill(never);
  if (found.win || found.lost) return found.win;
  Node& root = root_node();
  if ((root.marks.load(relaxed) & mark::proof_searches) == 0) root.marks.fetch_add(1, relaxed);
  mark_moves(worker, root, found);
  prove(root_);
  return std::nullopt;
}

void TreeSearch::mark_moves(Worker& worker, const Node& node, const Prover::Findings& found) {
  if (found.losing.empty() && found.inferior.empty()) return;
  Tree& tree = *tree_;
  const int mover = node.player.load(relaxed);
  const Outcome lost = outcomes_->intern(scores_of_two(mover, 0.0));
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
    refresh(edges_index, i, child, mover);
  }
}

// Marks the moves that do not stop the opponent's threat, quickly: for self-play.
void TreeSearch::mark_losing_moves(Worker& worker) {
  worker.prover->search(*root_state_, 0, worker.findings);
  mark_moves(worker, root_node(), worker.findings);
}

void TreeSearch::prove_root_win(SearchMonitor& monitor, const ProverBudget& share) {
  const Outcomes& outcomes = *outcomes_;
  win_.reset();
  const Node& node = root_node();
  const Outcome known = node.outcome.load();
  if (provers_.empty() || (known != unproven && outcomes.score(known, node.player.load()) < 1.0)) return;
  begin_proof_searches();
  win_ = search_root_proof();
  const auto go_on = [&] { return poll_within_batch(monitor) && !limits_.cancelled(); };
  if (!win_) win_ = provers_.front()->prove(*root_state_, Prover::Purpose::root, share, go_on);
  if (!win_) return;
  mark_root_move(win_->line.front(), 1.0);
}

void TreeSearch::verify(Move move, SearchMonitor& monitor, const ProverBudget& budget) {
  if (provers_.empty() || std::find(verified_.begin(), verified_.end(), move) != verified_.end()) return;
  verified_.push_back(move);
  const std::unique_ptr<State> after = root_state_->clone();
  after->play(move);
  if (after->over() || root_node().outcome.load() != unproven) return;
  const auto go_on = [&] { return poll_within_batch(monitor) && !limits_.cancelled(); };
  if (provers_.front()->prove(*after, Prover::Purpose::choice, budget, go_on)) mark_root_move(move, 0.0);
}

// Marks a move as proven, with the score of the side to move.
void TreeSearch::mark_root_move(Move move, double score) {
  Tree& tree = *tree_;
  const Node& node = root_node();
  const int mover = node.player.load();
  const Outcome proven = outcomes_->intern(scores_of_two(mover, score));
  const Index edges_index = node.edges.load();
  const Edges& edges = tree.edges(edges_index);
  for (std::uint32_t i = 0; i < edges.total; ++i) {
    const Index child = tree.child_at(edges, i);
    if (child == no_index || tree.node(child).move != move) continue;
    tree.node(child).outcome.store(proven);
    refresh(edges_index, i, child, mover);
  }
  prove(root_);
}

}  // namespace tesuji
