// A fast checksum against damaged files, not against malice: any change within eight neighbouring bytes is noticed for
// certain, any other with all but 2^-64 of likelihood.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tesuji {

class Checksum {
 public:
  // Every part but the last has a multiple of eight bytes.
  void add(const std::uint8_t* data, std::size_t size) {
    std::size_t at = 0;
    for (; at + 8 <= size; at += 8) add_word(word(data + at, 8));
    if (at < size) add_word(word(data + at, size - at));
    size_ += size;
  }
  std::uint64_t value() const { return mixed(state_ ^ size_); }

 private:
  // Each step is a bijection of the state and of the word: different words never lead to the same state.
  void add_word(std::uint64_t given) { state_ = mixed(state_ ^ given); }
  static std::uint64_t mixed(std::uint64_t x) {
    x *= 0x9E3779B97F4A7C15ULL;
    return x ^ (x >> 32);
  }
  // The same on every machine: the first byte is the lowest.
  static std::uint64_t word(const std::uint8_t* data, std::size_t size) {
    std::uint64_t result = 0;
    for (std::size_t i = 0; i < size; ++i) result |= static_cast<std::uint64_t>(data[i]) << (8 * i);
    return result;
  }

  std::uint64_t state_ = 0x6A09E667F3BCC908ULL;  // the first 64 bits of the root of two, as in SHA-512
  std::uint64_t size_ = 0;
};

}  // namespace tesuji
