#include "games/gomoku/codes.hpp"

#include <algorithm>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

namespace tesuji::gomoku {

namespace {

using FourLines = std::array<unsigned, directions>;

FourLines split(unsigned lines) { return {lines & 15U, lines >> 4 & 15U, lines >> 8 & 15U, lines >> 12 & 15U}; }

std::uint16_t joined(const FourLines& kinds) {
  return static_cast<std::uint16_t>(kinds[0] | kinds[1] << 4 | kinds[2] << 8 | kinds[3] << 12);
}

}  // namespace

Shapes::Shapes() {
  shapes_.fill(nothing);
  std::uint16_t next = 0;
  for (unsigned lines = 0; lines < shapes_.size(); ++lines) {
    FourLines kinds = split(lines);
    if (std::ranges::any_of(kinds, [](unsigned kind) { return kind >= line_kinds; })) continue;
    std::ranges::sort(kinds, std::greater<>());
    const std::uint16_t sorted = joined(kinds);
    // The smallest number with these lines has the largest in the lowest bits, so it comes first.
    if (sorted == lines) lines_[next++] = sorted;
    if (kinds[0] < static_cast<unsigned>(Line::two)) continue;
    shapes_[lines] = sorted == lines ? static_cast<std::uint16_t>(next - 1) : shapes_[sorted];
  }
}

const Shapes& Shapes::table() {
  static const auto table = std::unique_ptr<const Shapes>(new Shapes);
  return *table;
}

std::string in_words(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

std::string shape_text(int shape) {
  std::string text;
  for (const unsigned kind : split(Shapes::table().lines(shape))) {
    if (kind >= static_cast<unsigned>(Line::two)) text += (text.empty() ? "" : ", ") + in_words(line_names.at(kind));
  }
  return text.empty() ? "nothing" : text;
}

int situation(const Patterns& patterns, int mover) {
  int found = 0;
  int bit = 1;
  for (const int colour : {mover, 1 - mover}) {
    for (const Threat threat : listed_threats) {
      found |= patterns.count(threat, colour) > 0 ? bit : 0;
      bit *= 2;
    }
  }
  return found;
}

ShapeWeights::ShapeWeights(const std::shared_ptr<const CodeWeights>& weights, Rule rule)
    : source_(weights), rule_(rule) {
  if (weights->size() != ShapeCodes::count) {
    throw std::invalid_argument("Gomoku has " + std::to_string(ShapeCodes::count) + " codes, not " +
                                std::to_string(weights->size()));
  }
  const Shapes& shapes = Shapes::table();
  for (const int colour : {black, white}) {
    const Side side = side_of(rule, colour);
    if (colour == white && side == side_of(rule, black)) {
      tables_[white] = tables_[black];
      continue;
    }
    auto table = std::make_shared<Table>();
    for (unsigned lines = 0; lines < table->size(); ++lines) {
      const std::uint16_t shape = shapes[static_cast<std::uint16_t>(lines)];
      if (shape == Shapes::nothing) continue;
      const auto weight = [&](bool to_move) {
        return std::int64_t{(*weights)[ShapeCodes::cell(table_of(side), to_move, shape)]} +
               (*weights)[ShapeCodes::cell(ShapeCodes::shared, to_move, shape)];
      };
      (*table)[lines] = (weight(true) << 32) + weight(false);
    }
    tables_[static_cast<std::size_t>(colour)] = std::move(table);
  }
}

std::shared_ptr<const ShapeWeights> ShapeWeights::of(const std::shared_ptr<const CodeWeights>& weights, Rule rule) {
  static std::mutex mutex;
  static std::vector<std::shared_ptr<const ShapeWeights>> known;
  const std::scoped_lock lock(mutex);
  std::erase_if(known, [](const auto& entry) { return entry->source_.expired(); });
  for (const auto& entry : known) {
    if (entry->rule_ == rule && entry->from(weights)) return entry;
  }
  known.push_back(std::make_shared<const ShapeWeights>(weights, rule));
  return known.back();
}

}  // namespace tesuji::gomoku
