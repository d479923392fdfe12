#include "game/codes.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

namespace tesuji {

CodeWeights::CodeWeights(const std::vector<double>& weights) {
  if (weights.size() > max_codes) {
    throw std::invalid_argument("a model has at most " + std::to_string(max_codes) + " codes, not " +
                                std::to_string(weights.size()));
  }
  units_.reserve(weights.size());
  for (const double weight : weights) {
    if (!(std::abs(weight) <= most)) {
      throw std::invalid_argument("the weight of a code must be from -63 to 63, not " + std::to_string(weight));
    }
    units_.push_back(static_cast<std::int32_t>(std::lround(weight / unit)));
  }
}

void CodeCollector::add_row(std::size_t game, const Code* codes, std::size_t count) {
  CodeRows& part = parts_[game];
  for (std::size_t i = 0; i < count; ++i) {
    if (codes[i] >= codes_) {
      throw std::logic_error("code " + std::to_string(codes[i]) + " is not below " + std::to_string(codes_));
    }
  }
  part.offsets.push_back(part.offsets.back() + static_cast<std::int64_t>(count));
  if (CodeRows::fits_narrow(codes_)) {
    for (std::size_t i = 0; i < count; ++i) part.narrow.push_back(static_cast<std::uint16_t>(codes[i]));
  } else {
    part.wide.insert(part.wide.end(), codes, codes + count);
  }
}

CodeRows CodeCollector::join() {
  std::size_t rows = 0;
  std::size_t narrow = 0;
  std::size_t wide = 0;
  for (const CodeRows& part : parts_) {
    rows += part.rows();
    narrow += part.narrow.size();
    wide += part.wide.size();
  }
  CodeRows joined;
  joined.offsets.reserve(rows + 1);
  joined.narrow.reserve(narrow);
  joined.wide.reserve(wide);
  for (CodeRows& part : parts_) {
    const std::int64_t before = joined.offsets.back();
    for (std::size_t i = 1; i < part.offsets.size(); ++i) joined.offsets.push_back(before + part.offsets[i]);
    joined.narrow.insert(joined.narrow.end(), part.narrow.begin(), part.narrow.end());
    joined.wide.insert(joined.wide.end(), part.wide.begin(), part.wide.end());
    part = CodeRows{};  // its memory is needed for the next ones
  }
  return joined;
}

}  // namespace tesuji
