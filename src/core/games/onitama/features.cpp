#include "games/onitama/features.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/popcount.hpp"
#include "games/onitama/onitama.hpp"

namespace tesuji::onitama {

namespace {

constexpr Board centre = 0b01110U << 5 | 0b01110U << 10 | 0b01110U << 15;

// Distance of each square to each player's temple.
constexpr std::array<std::array<std::int8_t, squares>, 2> make_distances() {
  std::array<std::array<std::int8_t, squares>, 2> distances{};
  for (std::size_t player = 0; player < 2; ++player) {
    for (int square = 0; square < squares; ++square) {
      const int columns = square % width - temples[player] % width;
      const int rows = square / width - temples[player] / width;
      distances[player][static_cast<std::size_t>(square)] =
          static_cast<std::int8_t>((columns < 0 ? -columns : columns) + (rows < 0 ? -rows : rows));
    }
  }
  return distances;
}
constexpr auto distances = make_distances();

// Index of a square in the piece-square table, from the player's point of view.
constexpr std::array<std::array<std::uint8_t, squares>, 2> make_table_places() {
  constexpr std::array files{0, 1, 2, 1, 0};
  std::array<std::array<std::uint8_t, squares>, 2> places{};
  for (int square = 0; square < squares; ++square) {
    const int turned = squares - 1 - square;
    for (const auto& [player, seen] : {std::pair{blue, square}, std::pair{red, turned}}) {
      places[static_cast<std::size_t>(player)][static_cast<std::size_t>(square)] =
          static_cast<std::uint8_t>(seen / width * table_files + files[static_cast<std::size_t>(seen % width)]);
    }
  }
  return places;
}
constexpr auto table_places = make_table_places();

// The moves of one side.
struct Mobility {
  int moves = 0;
  int captures = 0;
  int master_captures = 0;  // moves that capture the enemy master
  bool reaches_temple = false;
  Board attacked = 0;  // squares reached by any piece
};

// For both cards, one in each half of a word.
constexpr std::uint64_t twice(Board board) { return std::uint64_t{board} << 32 | board; }

// Bit-sliced counters of the pieces that reach each square: three popcounts instead of one per piece.
struct ReachCounter {
  std::uint64_t ones = 0;
  std::uint64_t twos = 0;
  std::uint64_t fours = 0;
  TESUJI_ALWAYS_INLINE void add(std::uint64_t reach) {
    const std::uint64_t two = ones & reach;
    ones ^= reach;
    fours |= twos & two;
    twos ^= two;
  }
  TESUJI_ALWAYS_INLINE int total(std::uint64_t mask) const {
    const std::uint64_t any = (ones | twos | fours) & mask;
    if (any == 0) return 0;
    return popcount_in_clone(ones & mask) + 2 * popcount_in_clone(twos & mask) + 4 * popcount_in_clone(fours & mask);
  }
};

TESUJI_ALWAYS_INLINE Mobility mobility_of(const Position& position, int player) {
  const int enemy = 1 - player;
  const Board own = position.pieces(player);
  const Board enemies = position.pieces(enemy);
  const auto& hand = position.hand(player);
  const auto& first = targets[position.deal()[hand[0]]][static_cast<std::size_t>(player)];
  const auto& second = targets[position.deal()[hand[1]]][static_cast<std::size_t>(player)];
  ReachCounter counter;
  std::uint64_t attacked = 0;
  for_each_square(own, [&](int from) {
    const auto square = static_cast<std::size_t>(from);
    const std::uint64_t both = std::uint64_t{second[square]} << 32 | first[square];
    attacked |= both;
    counter.add(both);
  });
  const auto master = static_cast<std::size_t>(position.master(player));
  const Board temple = 1U << temples[static_cast<std::size_t>(enemy)];
  Mobility mobility;
  mobility.moves = counter.total(~twice(own));
  mobility.captures = counter.total(twice(enemies));
  mobility.master_captures = counter.total(twice(enemies & 1U << position.master(enemy)));
  mobility.reaches_temple = (own >> master & 1U) != 0 && ((first[master] | second[master]) & temple & ~own) != 0;
  mobility.attacked = static_cast<Board>(attacked | attacked >> 32);
  return mobility;
}

TESUJI_ALWAYS_INLINE Board students(const Position& position, int player) {
  return position.pieces(player) & ~(1U << position.master(player));
}

TESUJI_ALWAYS_INLINE int master_distance(const Position& position, int player) {
  return distances[static_cast<std::size_t>(1 - player)][static_cast<std::size_t>(position.master(player))];
}

TESUJI_ALWAYS_INLINE bool alive(const Position& position, int player) {
  return (position.pieces(player) >> position.master(player) & 1U) != 0;
}

// The master's moves to squares that are not attacked.
TESUJI_ALWAYS_INLINE int escapes(const Position& position, int player, const Mobility& enemy) {
  if (!alive(position, player)) return 0;
  int count = 0;
  for (const int place : position.hand(player)) {
    count += popcount_in_clone(position.reach(player, place, position.master(player)) & ~enemy.attacked);
  }
  return count;
}

// Adds a side's pieces to the piece-square tables; returns its students' mean distance to the enemy temple.
TESUJI_ALWAYS_INLINE double fill_tables(const Position& position, int player, double sign, double* tables) {
  const auto& places = table_places[static_cast<std::size_t>(player)];
  const auto& ways = distances[static_cast<std::size_t>(1 - player)];
  int sum = 0;
  int count = 0;
  for_each_square(students(position, player), [&](int at) {
    const auto square = static_cast<std::size_t>(at);
    tables[places[square]] += sign;
    sum += ways[square];
    ++count;
  });
  if (alive(position, player)) tables[table_size + places[static_cast<std::size_t>(position.master(player))]] += sign;
  return count == 0 ? 0.0 : static_cast<double>(sum) / count;
}

TESUJI_POPCOUNT_CLONES void extract_position(const Position& position, int player, double* out) {
  const int enemy = 1 - player;
  const Mobility mine = mobility_of(position, player);
  const Mobility theirs = mobility_of(position, enemy);
  const Board my_students = students(position, player);
  const Board their_students = students(position, enemy);
  double* const tables = out + plain_feature_names.size();
  std::fill(tables, tables + 2 * table_size, 0.0);
  const double my_progress = fill_tables(position, player, 1.0, tables);
  const double their_progress = fill_tables(position, enemy, -1.0, tables);
  const std::array<double, plain_feature_names.size()> values{
      static_cast<double>(popcount_in_clone(my_students) - popcount_in_clone(their_students)),
      alive(position, player) ? 1.0 : 0.0,
      alive(position, enemy) ? 0.0 : 1.0,
      static_cast<double>(theirs.master_captures),
      static_cast<double>(mine.master_captures),
      theirs.reaches_temple ? 1.0 : 0.0,
      static_cast<double>(mine.moves),
      static_cast<double>(theirs.moves),
      static_cast<double>(mine.captures),
      static_cast<double>(theirs.captures),
      static_cast<double>(master_distance(position, player)),
      static_cast<double>(master_distance(position, enemy)),
      my_progress,
      their_progress,
      static_cast<double>(popcount_in_clone(position.pieces(player) & centre) -
                          popcount_in_clone(position.pieces(enemy) & centre)),
      static_cast<double>(escapes(position, player, theirs)),
      static_cast<double>(escapes(position, enemy, mine)),
      mine.reaches_temple ? 1.0 : 0.0,
      mine.reaches_temple || mine.master_captures > 0 ? 1.0 : 0.0,
      theirs.reaches_temple || theirs.master_captures > 0 ? 1.0 : 0.0,
      static_cast<double>(popcount_in_clone(my_students & theirs.attacked & ~mine.attacked)),
      static_cast<double>(popcount_in_clone(their_students & mine.attacked & ~theirs.attacked)),
  };
  std::copy(values.begin(), values.end(), out);
}

std::vector<std::string> feature_names() {
  std::vector<std::string> names(plain_feature_names.begin(), plain_feature_names.end());
  for (const char* pieces : {"students_", "master_"}) {
    for (int row = 1; row <= table_rows; ++row) {
      for (const char* file : {"edge_", "wing_", "middle_"}) names.push_back(pieces + (file + std::to_string(row)));
    }
  }
  return names;
}

}  // namespace

OnitamaFeatures::OnitamaFeatures() : Features(feature_names()) {}

void OnitamaFeatures::extract(const State& state, int player, double* out) const {
  extract_position(state_as<OnitamaState>(state, "these features need an Onitama position").position(), player, out);
}

}  // namespace tesuji::onitama
