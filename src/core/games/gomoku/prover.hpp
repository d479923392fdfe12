// The threat solver as a Prover: VCT at the root and, with little effort, at busy nodes; a small VCF at each new node.
#pragma once

#include "game/prover.hpp"

namespace tesuji::gomoku {

class ThreatProver final : public Prover {
 public:
  std::unique_ptr<Session> open(bool quick) const override;
  bool knows_length() const override { return true; }
  Schedule schedule(const State& root, bool network) const override;
};

}  // namespace tesuji::gomoku
