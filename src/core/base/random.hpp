// Random numbers: xoshiro256++ (Blackman and Vigna, 2019), seeded through splitmix64.
//
// Each search worker has its own generator. The sequence is the same on every platform, which the standard library's
// distributions do not guarantee.
#pragma once

#include <bit>
#include <cstdint>

#include "base/hash.hpp"

namespace tesuji {

class Random {
 public:
  explicit Random(std::uint64_t seed = 0, std::uint64_t stream = 0) {
    // Mixed, so that (seed, stream) pairs close to each other give unrelated sequences.
    std::uint64_t mixer = mix(seed) + 0x632BE59BD9B4E019ULL * stream;
    for (std::uint64_t& word : words_) {
      mixer += golden_ratio;
      word = mix(mixer);
    }
  }

  std::uint64_t next() {
    const std::uint64_t result = std::rotl(words_[0] + words_[3], 23) + words_[0];
    const std::uint64_t shifted = words_[1] << 17;
    words_[2] ^= words_[0];
    words_[3] ^= words_[1];
    words_[1] ^= words_[2];
    words_[0] ^= words_[3];
    words_[2] ^= shifted;
    words_[3] = std::rotl(words_[3], 45);
    return result;
  }

  // Uniform in [0, bound), by Lemire's multiplication. The bias is below bound / 2^32.
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32); }

  // Uniform in [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  std::uint64_t words_[4];
};

}  // namespace tesuji
