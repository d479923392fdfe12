// Onitama's codes: what a piece on a square is worth depends on which cards are around and who holds them.
//
// As the player sees the board: Red's is turned, so that the own temple is always c1.
#include <array>
#include <string>

#include "games/onitama/features.hpp"
#include "games/onitama/onitama.hpp"

namespace tesuji::onitama {

namespace {

constexpr std::array piece_names{"my student", "my master", "their student", "their master"};
constexpr std::array holder_names{"my", "their", "the side"};

constexpr Code piece_codes = piece_names.size() * squares;
constexpr Code card_codes = holder_names.size() * card_count;
constexpr Code first_card = piece_codes;
constexpr Code first_pair = first_card + card_codes;

// The pieces and the cards of a position, by their codes.
struct Parts {
  std::array<Code, 10> pieces;
  std::size_t count = 0;
  std::array<Code, deal_size> cards;
};

Parts parts_of(const State& state, int player) {
  const Position& position = state_as<OnitamaState>(state, "these codes need an Onitama position").position();
  Parts parts;
  for (const int owner : {player, 1 - player}) {
    const Code students = owner == player ? 0 : 2;
    for_each_square(position.pieces(owner), [&](int square) {
      const Code kind = students + (square == position.master(owner) ? 1 : 0);
      const int seen = player == blue ? square : squares - 1 - square;
      parts.pieces[parts.count++] = kind * squares + static_cast<Code>(seen);
    });
  }
  std::size_t card = 0;
  const auto add = [&](Code holder, int place) {
    parts.cards[card++] = holder * card_count + position.deal()[static_cast<std::size_t>(place)];
  };
  for (const int place : position.hand(player)) add(0, place);
  for (const int place : position.hand(1 - player)) add(1, place);
  add(2, position.side());
  return parts;
}

// Calls visit(code) for every code.
template <typename Visit>
void for_each_code(const Parts& parts, Visit&& visit) {
  for (const Code card : parts.cards) visit(first_card + card);
  for (std::size_t i = 0; i < parts.count; ++i) {
    visit(parts.pieces[i]);
    for (const Code card : parts.cards) visit(first_pair + parts.pieces[i] * card_codes + card);
  }
}

std::string card_text(Code card) {
  return std::string(holder_names[card / card_count]) + " " + std::string(cards[card % card_count].name);
}

std::string piece_text(Code piece) {
  const Code square = piece % squares;
  const auto file = static_cast<char>('a' + square % width);
  const auto row = static_cast<char>('1' + square / width);
  return std::string(piece_names[piece / squares]) + " on " + file + row;
}

}  // namespace

Code OnitamaFeatures::codes() const { return first_pair + piece_codes * card_codes; }

std::string OnitamaFeatures::code_name(Code code) const {
  if (code < first_card) return piece_text(code);
  if (code < first_pair) return card_text(code - first_card);
  const Code pair = code - first_pair;
  return piece_text(pair / card_codes) + ", " + card_text(pair % card_codes);
}

std::string OnitamaFeatures::code_group(Code code) const {
  if (code < first_card) return piece_names[code / squares];
  if (code < first_pair) return card_text(code - first_card);
  const Code pair = code - first_pair;
  return std::string(piece_names[pair / card_codes / squares]) + ", " + card_text(pair % card_codes);
}

void OnitamaFeatures::extract_codes(const State& state, int player, std::vector<Code>& codes) const {
  codes.clear();
  for_each_code(parts_of(state, player), [&](Code code) { codes.push_back(code); });
}

std::int64_t OnitamaFeatures::sum_codes(const State& state, int player,
                                        const std::shared_ptr<const CodeWeights>& weights) const {
  const CodeWeights& table = *weights;
  std::int64_t sum = 0;
  for_each_code(parts_of(state, player), [&](Code code) { sum += table[code]; });
  return sum;
}

}  // namespace tesuji::onitama
