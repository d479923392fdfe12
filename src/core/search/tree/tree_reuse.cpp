#include "search/tree/tree_reuse.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace tesuji {

namespace {

// With hundreds of moves per position a new search is cheaper than more comparisons.
constexpr int max_comparisons = 5000;

class Finder {
 public:
  Finder(const Tree& tree, const State& wanted) : tree_(tree), wanted_(wanted) {}

  // Searches exactly `depth` moves below a node whose state is path[0], most visited children first; the other states
  // of `path` are scratch space.
  Index find(Index index, std::size_t depth, std::unique_ptr<State>* path) {
    if (depth == 0) return --comparisons_left_ >= 0 && path[0]->same_position(wanted_) ? index : no_index;
    const Index edges = tree_.node(index).edges.load();
    if (edges == no_index) return no_index;
    const Edges& of = tree_.edges(edges);
    std::vector<Index> children;
    for (std::uint32_t i = 0; i < of.total; ++i) {
      const Index child = tree_.child_at(of, i);
      if (child != no_index && tree_.node(child).visits.load() > 0) children.push_back(child);
    }
    std::stable_sort(children.begin(), children.end(),
                     [this](Index a, Index b) { return tree_.node(a).visits.load() > tree_.node(b).visits.load(); });
    for (const Index child : children) {
      if (comparisons_left_ <= 0) break;
      path[1]->assign(*path[0]);
      path[1]->play(tree_.node(child).move);
      const Index found = find(child, depth - 1, path + 1);
      if (found != no_index) return found;
    }
    return no_index;
  }

 private:
  const Tree& tree_;
  const State& wanted_;
  int comparisons_left_ = max_comparisons;
};

}  // namespace

Index find_descendant(const Tree& tree, Index root, const State& root_state, const State& wanted) {
  const auto rounds = static_cast<std::size_t>(std::max(2, root_state.players()));
  std::vector<std::unique_ptr<State>> path;
  while (path.size() <= rounds) path.push_back(root_state.clone());
  Finder finder(tree, wanted);
  for (std::size_t depth = 0; depth <= rounds; ++depth) {
    const Index found = finder.find(root, depth, path.data());
    if (found != no_index) return found;
  }
  return no_index;
}

}  // namespace tesuji
