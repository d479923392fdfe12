// The threat solver as a Prover: VCT at the root, a small VCF at each new node.
#pragma once

#include "game/prover.hpp"

namespace tesuji::gomoku {

class ThreatProver final : public Prover {
 public:
  std::unique_ptr<Session> open() const override;
};

}  // namespace tesuji::gomoku
