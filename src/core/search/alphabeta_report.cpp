// What an alpha-beta search reports.
#include <algorithm>

#include "search/alphabeta.hpp"

namespace tesuji {

std::optional<double> RootMove::proven() const {
  if (depth == 0) return std::nullopt;
  if (loses(score)) return 0.0;
  return exact && (certain || wins(score)) ? std::optional<double>(value_of_score(score)) : std::nullopt;
}

std::optional<int> RootMove::plies() const {
  return proven() && decided(score) ? std::optional<int>(plies_of(score)) : std::nullopt;
}

AlphaBetaReport AlphaBeta::report() const {
  AlphaBetaReport report;
  report.moves = root_moves_;
  // If interrupted within an iteration, the first move may be known to lose while others were better before. Moves that
  // no iteration has reached count only before the first is complete: later they are moves that were set aside.
  auto chosen = std::find_if(report.moves.begin(), report.moves.end(),
                             [](const RootMove& move) { return move.depth > 0 && !loses(move.score); });
  if (chosen == report.moves.end() && depth_ == 0) {
    chosen =
        std::find_if(report.moves.begin(), report.moves.end(), [](const RootMove& move) { return move.depth == 0; });
  }
  if (chosen != report.moves.end()) std::rotate(report.moves.begin(), chosen, chosen + 1);
  std::stable_sort(report.moves.begin() + 1, report.moves.end(), [](const RootMove& a, const RootMove& b) {
    if ((a.depth > 0) != (b.depth > 0)) return a.depth > 0;
    return a.depth > 0 && a.score > b.score;
  });
  const RootMove& best = report.moves.front();
  report.proven = best.depth > 0 && wins(best.score) ? best.proven() : proven_;
  if (report.proven && best.depth > 0 && decided(best.score)) report.plies = plies_of(best.score);
  report.depth = depth_;
  report.nodes = total_nodes();
  report.bytes = (table_ != nullptr ? table_->bytes() : 0) + cache_bytes_;
  report.memory_full = memory_full_;
  report.seconds = std::chrono::duration<double>(Clock::now() - began_).count();
  report.stop = stop_;
  return report;
}

}  // namespace tesuji
