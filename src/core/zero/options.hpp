// Parameters of self-play. NetworkOptions has those of the search below the root.
#pragma once

#include <cstdint>

namespace tesuji::zero {

struct SelfPlayOptions {
  int games = 256;  // concurrent games; one half searches while the network evaluates the other
  int threads = 1;  // search threads besides the calling thread, which runs the network; 0: it does both in turn
  std::uint64_t seed = 0;

  // Playout-cap randomization (Wu 2019): a share of the moves gets a full search, which trains the policy; the others
  // get a fast one.
  int visits = 200;
  int fast_visits = 40;
  double full_share = 0.25;
  bool reuse = true;  // visits of the reused subtree count

  // The root: PUCT, with Dirichlet noise in full searches (Silver et al. 2017), or Gumbel with sequential halving in
  // all searches (Danihelka et al. 2022).
  bool gumbel = false;
  int gumbel_moves = 16;      // considered at the root
  double gumbel_visits = 50;  // c_visit, and c_scale below, in σ(q) = (c_visit + max N)·c_scale·q
  double gumbel_scale = 1.0;
  double noise = 0.25;         // ε: the noise's share of the priors
  double noise_total = 10.83;  // Σα of the Dirichlet distribution over all moves: 0.03 per move on a Go board

  // A move is sampled with probability ∝ visits^(1/T). T decays from the first to the last value with a half-life of
  // `temperature_plies`.
  double temperature = 1.0;
  double last_temperature = 0.15;
  double temperature_plies = 10;

  // Openings: up to opening_plies random moves, then up to policy_plies moves sampled with probability ∝ P^(1/T). An
  // opening with network value v is kept with probability (1 - b²)^balance, b = 2v - 1, as in KataHex, unless it
  // favours the wrong player: each game draws the right one. 0 keeps all.
  int opening_plies = 0;
  int policy_plies = 0;
  double policy_temperature = 1.0;
  double balance = 0;

  // A player whose value is below `resign` for `resign_moves` consecutive moves resigns; 0: never. In a share of the
  // games (resign_control) play continues, to measure how often that would have been wrong.
  double resign = 0;
  int resign_moves = 3;
  double resign_control = 0.1;

  bool symmetries = true;  // evaluate every leaf under a random symmetry

  // Effort of the game's prover, in playouts, for a win at the root of each search and for the opponent's win after the
  // move to be played; 0: none.
  std::uint64_t proof_effort = 0;
};

}  // namespace tesuji::zero
