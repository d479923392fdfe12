// How games of self-play are played, in one place. The search below the root is told by SearchOptions.
#pragma once

#include <cstdint>

namespace tesuji::zero {

struct SelfPlayOptions {
  int games = 256;  // at once; half of them search while the network looks at the others'
  int threads = 1;  // that search, beside the one that calls the network; 0: that one does both, in turns
  std::uint64_t seed = 0;

  // Playout-cap randomization (Wu 2019): a share of the moves is searched fully and teaches the policy; the others are
  // searched fast, only to bring the game to its end.
  int visits = 200;
  int fast_visits = 40;
  double full_share = 0.25;
  bool reuse = true;  // what the last search knows of the new position counts as visits

  // The root of a full search: PUCT with noise (Silver et al. 2017), or Gumbel with sequential halving (Danihelka et
  // al. 2022), which every search then has.
  bool gumbel = false;
  int gumbel_moves = 16;      // that are looked at
  double gumbel_visits = 50;  // c_visit and c_scale in σ(q) = (c_visit + max N)·c_scale·q
  double gumbel_scale = 1.0;
  double noise = 0.25;         // ε: the share of the noise in the priors
  double noise_total = 10.83;  // Σα of the Dirichlet distribution, over all moves: 0.03 a move on a Go board

  // A move is drawn with probability ∝ visits^(1/T). T goes from the first to the last value, half of the way every
  // `temperature_plies`.
  double temperature = 1.0;
  double last_temperature = 0.15;
  double temperature_plies = 10;

  // Starts: up to so many random moves before the first search, then up to so many drawn from the network's policy with
  // probability ∝ P^(1/T). The network judges the position: it is kept with probability (1 - b²)^balance, b = 2v - 1,
  // and otherwise another one is drawn (as in KataHex). 0: every one is kept.
  int opening_plies = 0;
  int policy_plies = 0;
  double policy_temperature = 1.0;
  double balance = 0;

  // A player whose value has been below this for `resign_moves` of its moves in a row gives up: 0 is never. A share of
  // the games is played on, to count how often that would have been wrong.
  double resign = 0;
  int resign_moves = 3;
  double resign_control = 0.1;

  bool symmetries = true;  // the network sees every leaf in a random symmetry
};

}  // namespace tesuji::zero
