// What an alpha-beta search reports.
#include <algorithm>

#include "search/alphabeta/alphabeta.hpp"

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
  report.moves.insert(report.moves.end(), set_aside_.begin(), set_aside_.end());
  for (RootMove& move : report.moves) {
    if (move.depth == 0 && move.certain) move.depth = plies_of(move.score);
  }
  // If interrupted within an iteration, the first move may be known to lose while others were better before, or were
  // not reached.
  const auto first = [&report](auto&& wanted) {
    const auto found = std::find_if(report.moves.begin(), report.moves.end(), wanted);
    if (found != report.moves.end()) std::rotate(report.moves.begin(), found, found + 1);
    return found != report.moves.end();
  };
  if (!first([](const RootMove& move) { return move.depth > 0 && !loses(move.score); })) {
    first([](const RootMove& move) { return move.depth == 0; });
  }
  std::stable_sort(report.moves.begin() + 1, report.moves.end(), [](const RootMove& a, const RootMove& b) {
    if ((a.depth > 0) != (b.depth > 0)) return a.depth > 0;
    return a.depth > 0 && a.score > b.score;
  });
  const RootMove& best = report.moves.front();
  const bool certain = best.depth > 0 && decided(best.score);  // if it loses, so do all others
  report.proven = certain ? best.proven() : proven_;
  // How long a loss takes is known when an iteration is complete.
  if (certain && report.proven && (proven_ || wins(best.score))) report.plies = plies_of(best.score);
  report.depth = depth_;
  report.nodes = total_nodes();
  report.bytes = (table_ != nullptr ? table_->bytes() : 0) + cache_bytes_;
  report.memory_full = memory_full_;
  report.seconds = std::chrono::duration<double>(Clock::now() - began_).count();
  report.stop = stop_;
  return report;
}

}  // namespace tesuji
