#include "games/gomoku/features.hpp"

#include "games/gomoku/knowledge.hpp"

namespace tesuji::gomoku {

namespace {

constexpr auto first_feature = static_cast<std::size_t>(Threat::two);
constexpr std::size_t feature_kinds = static_cast<std::size_t>(Threat::five) - first_feature + 1;

std::vector<std::string> feature_names() {
  std::vector<std::string> names;
  for (const char* owner : {"my_", "their_"}) {
    for (std::size_t i = 0; i < feature_kinds; ++i)
      names.push_back(owner + std::string(threat_names[first_feature + i]));
  }
  return names;
}

// What a code is about.
struct Meaning {
  enum class About : std::uint8_t { cell, threats, decision } about;
  Code table;
  bool to_move;  // of a cell
  int number;    // a shape, a situation or a decision
};

Meaning meaning_of(Code code) {
  using About = Meaning::About;
  if (code < ShapeCodes::cells) {
    const Code table = code / shape_count;
    return {About::cell, table / 2, table % 2 == 0, static_cast<int>(code % shape_count)};
  }
  const Code place = code - ShapeCodes::cells;
  if (place < ShapeCodes::situations) {
    return {About::threats, place / situation_count, false, static_cast<int>(place % situation_count)};
  }
  const Code last = place - ShapeCodes::situations;
  return {About::decision, last / decision_count, false, static_cast<int>(last % decision_count)};
}

std::string owner(bool to_move) { return to_move ? "my " : "their "; }

// The threats of a situation, strongest first.
template <typename Visit>
void for_each_threat(int situation, Visit&& visit) {
  constexpr auto kinds = static_cast<int>(listed_threats.size());
  for (int kind = kinds; kind-- > 0;) {
    for (const bool to_move : {true, false}) {
      if ((situation >> (kind + (to_move ? 0 : kinds)) & 1) == 0) continue;
      visit(owner(to_move) + in_words(threat_names[static_cast<std::size_t>(listed_threats[kind])]));
    }
  }
}

}  // namespace

GomokuFeatures::GomokuFeatures() : Features(feature_names()) {}

void GomokuFeatures::extract(const State& state, int player, double* out) const {
  const auto& gomoku = state_as<GomokuState>(state, "these features need a Gomoku position");
  const Patterns& patterns = gomoku.patterns();
  const int mine = gomoku.colour_of(player);
  for (const int colour : {mine, 1 - mine}) {
    for (std::size_t i = 0; i < feature_kinds; ++i) {
      *out++ = patterns.count(static_cast<Threat>(first_feature + i), colour);
    }
  }
}

std::string PatternFeatures::code_name(Code code) const {
  const Meaning meaning = meaning_of(code);
  std::string text;
  if (meaning.about == Meaning::About::cell) {
    text = owner(meaning.to_move) + "cell: " + shape_text(meaning.number);
  } else if (meaning.about == Meaning::About::decision) {
    text = "decided: " + std::string(decision_names.at(static_cast<std::size_t>(meaning.number)));
  } else {
    for_each_threat(meaning.number, [&](const std::string& threat) { text += (text.empty() ? "" : ", ") + threat; });
    text = "threats: " + (text.empty() ? "none" : text);
  }
  return meaning.table == ShapeCodes::shared ? text : text + " (" + std::string(side_names.at(meaning.table)) + ")";
}

// By the threat that a stone on the cell makes, or the strongest threat of a situation.
std::string PatternFeatures::code_group(Code code) const {
  const Meaning meaning = meaning_of(code);
  if (meaning.about == Meaning::About::decision) {
    return std::string(decision_names.at(static_cast<std::size_t>(meaning.number)));
  }
  if (meaning.about == Meaning::About::cell) {
    const Threat made =
        threat_of_lines(Shapes::table().lines(meaning.number), meaning.table == table_of(Side::renju_black));
    return owner(meaning.to_move) + in_words(threat_names[static_cast<std::size_t>(made)]);
  }
  std::string text;
  for_each_threat(meaning.number, [&](const std::string& threat) {
    if (text.empty()) text = threat;
  });
  return text.empty() ? "no threats" : text;
}

void PatternFeatures::extract_codes(const State& state, int player, std::vector<Code>& codes) const {
  const GomokuState& gomoku = as_gomoku(state);
  const Patterns& patterns = gomoku.patterns();
  const Board& board = gomoku.board();
  const Shapes& shapes = Shapes::table();
  const int mover = gomoku.colour_of(player);
  const Code side = table_of(side_of(board.rule(), mover));
  codes.clear();
  if (const std::optional<Decision> decided = decision(patterns, mover)) {
    for (const Code table : {side, ShapeCodes::shared}) codes.push_back(ShapeCodes::decided(table, *decided));
    return;
  }
  for (int cell = 0; cell < board.cells(); ++cell) {
    if (!board.empty(cell)) continue;
    for (const int colour : {black, white}) {
      const std::uint16_t shape = shapes[patterns.lines_of(cell, colour)];
      if (shape == Shapes::nothing) continue;
      for (const Code table : {table_of(side_of(board.rule(), colour)), ShapeCodes::shared}) {
        codes.push_back(ShapeCodes::cell(table, colour == mover, shape));
      }
    }
  }
  const int threats = situation(patterns, mover);
  for (const Code table : {side, ShapeCodes::shared}) codes.push_back(ShapeCodes::threats(table, threats));
}

std::int64_t PatternFeatures::sum_codes(const State& state, int player,
                                        const std::shared_ptr<const CodeWeights>& weights) const {
  const GomokuState& gomoku = as_gomoku(state);
  const Patterns& patterns = gomoku.weighed_patterns(weights);
  const int mover = gomoku.colour_of(player);
  const Code side = table_of(side_of(gomoku.board().rule(), mover));
  if (const std::optional<Decision> decided = decision(patterns, mover)) {
    return (*weights)[ShapeCodes::decided(side, *decided)] +
           (*weights)[ShapeCodes::decided(ShapeCodes::shared, *decided)];
  }
  const int threats = situation(patterns, mover);
  return ShapeWeights::if_to_move(patterns.weight(mover)) + ShapeWeights::otherwise(patterns.weight(1 - mover)) +
         (*weights)[ShapeCodes::threats(side, threats)] + (*weights)[ShapeCodes::threats(ShapeCodes::shared, threats)];
}

}  // namespace tesuji::gomoku
