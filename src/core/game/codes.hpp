// Codes: sparse features, as in a table of patterns. A position, or a move, has a multiset of small numbers, and a
// linear model adds up one weight for each of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tesuji {

using Code = std::uint32_t;

// A limit, so that tables of weights stay small and models are read safely.
inline constexpr Code max_codes = 1U << 22;

// One weight for each code, in fixed point: sums do not depend on the order of the additions, so that a sum which is
// updated move by move equals one that is computed anew, bit for bit.
class CodeWeights {
 public:
  // One unit of a sum; a rounded weight is off by at most 8e-6.
  static constexpr double unit = 1.0 / (1 << 16);
  // Sums of up to 512 codes fit into 32 bits.
  static constexpr double most = 63;

  // Throws std::invalid_argument if there are too many weights, or one is not a number from -most to most.
  explicit CodeWeights(const std::vector<double>& weights);

  std::size_t size() const { return units_.size(); }
  // In units.
  std::int32_t operator[](Code code) const { return units_[code]; }
  const std::int32_t* data() const { return units_.data(); }

  std::int64_t sum(const Code* codes, std::size_t count) const {
    std::int64_t total = 0;
    for (std::size_t i = 0; i < count; ++i) total += units_[codes[i]];
    return total;
  }

 private:
  std::vector<std::int32_t> units_;
};

// Rows of codes: row i has indices[offsets[i]] to indices[offsets[i + 1]]. Indices take two bytes each where the number
// of codes allows it.
struct CodeRows {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint16_t> narrow;
  std::vector<std::uint32_t> wide;

  std::size_t rows() const { return offsets.size() - 1; }
  static bool fits_narrow(Code codes) { return codes <= 1U << 16; }
};

// Collects the rows of one game, then joins those of all games in their order.
class CodeCollector {
 public:
  CodeCollector(Code codes, std::size_t games) : codes_(codes), parts_(games) {}

  // Throws std::logic_error if a code is out of range. Different games may be added by different threads.
  void add_row(std::size_t game, const Code* codes, std::size_t count);
  // Empties the collector.
  CodeRows join();

 private:
  Code codes_;
  std::vector<CodeRows> parts_;  // by game
};

}  // namespace tesuji
