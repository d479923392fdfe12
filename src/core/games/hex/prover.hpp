// The exact solver as a Prover: df-pn at the root, virtual connections and inferior cells at the root and at busy
// nodes.
#pragma once

#include "game/prover.hpp"

namespace tesuji::hex {

class ConnectionProver final : public Prover {
 public:
  std::unique_ptr<Session> open(bool quick) const override;
  bool knows_length() const override { return false; }
  Schedule schedule(const State& root, bool network) const override;
};

}  // namespace tesuji::hex
