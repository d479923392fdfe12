// The threat solver at work for the searches: at the root by fours and threes, at a tree's new positions by fours.
#pragma once

#include "game/prover.hpp"

namespace tesuji::gomoku {

class ThreatProver final : public Prover {
 public:
  std::unique_ptr<Session> open() const override;
};

}  // namespace tesuji::gomoku
