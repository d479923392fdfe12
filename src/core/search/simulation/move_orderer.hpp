// Orders a new node's moves by the hooks: move ordering, proximity, threat response.
#pragma once

#include <cstdint>
#include <functional>

#include "game/knowledge.hpp"
#include "search/options.hpp"
#include "search/simulation/worker.hpp"

namespace tesuji {

class MoveOrderer {
 public:
  MoveOrderer(const Hooks& hooks, const SearchOptions& options)
      : hooks_(hooks),
        hard_proximity_(options.hard_proximity),
        threats_first_(options.leaves == 0),
        threats_at_root_only_(options.threats_at_root_only) {}

  // Orders worker.moves and sets their priors (worker.weights); returns how many may be tried for now. Without
  // `ordering` the order is random. stopped() is called before each move that is tried for an immediate win.
  std::uint32_t order(Worker& worker, const MoveOrdering* ordering, bool at_root,
                      const std::function<bool()>& stopped) const;

 private:
  std::uint32_t order_by_proximity(Worker& worker) const;
  std::uint32_t order_threat_replies_first(Worker& worker, std::uint32_t near,
                                           const std::function<bool()>& stopped) const;
  static std::uint32_t move_to_front(Worker& worker, const MoveList& chosen, std::uint32_t placed);
  static bool find_immediate_wins(Worker& worker, MoveList& wins, const std::function<bool()>& stopped);

  const Hooks& hooks_;
  bool hard_proximity_;
  bool threats_first_;  // a network orders the moves; there the threat response only chooses among lost ones
  bool threats_at_root_only_;
};

}  // namespace tesuji
