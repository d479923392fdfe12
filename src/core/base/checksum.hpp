// A fast, non-cryptographic 64-bit checksum: any change within one aligned eight-byte word is always detected, any
// other with probability 1 - 2^-64.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tesuji {

class Checksum {
 public:
  // The size of every part but the last must be a multiple of eight.
  void add(const std::uint8_t* data, std::size_t size) {
    std::size_t at = 0;
    for (; at + 8 <= size; at += 8) add_word(word(data + at, 8));
    if (at < size) add_word(word(data + at, size - at));
    size_ += size;
  }
  std::uint64_t value() const { return mixed(state_ ^ size_); }

 private:
  // A bijection of the state for a fixed word, and of the word for a fixed state.
  void add_word(std::uint64_t given) { state_ = mixed(state_ ^ given); }
  static std::uint64_t mixed(std::uint64_t x) {
    x *= 0x9E3779B97F4A7C15ULL;
    return x ^ (x >> 32);
  }
  // Little-endian on every machine.
  static std::uint64_t word(const std::uint8_t* data, std::size_t size) {
    std::uint64_t result = 0;
    for (std::size_t i = 0; i < size; ++i) result |= static_cast<std::uint64_t>(data[i]) << (8 * i);
    return result;
  }

  std::uint64_t state_ = 0x6A09E667F3BCC908ULL;  // first 64 bits of the fractional part of √2, as in SHA-512
  std::uint64_t size_ = 0;
};

}  // namespace tesuji
