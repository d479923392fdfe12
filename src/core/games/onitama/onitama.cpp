#include "games/onitama/onitama.hpp"

#include <algorithm>
#include <numeric>

#include "base/hash.hpp"

namespace tesuji::onitama {

namespace {

constexpr int plies_between_stop_checks = 1024;

}  // namespace

// The pieces fit into one word and the cards into another: mixing both on demand is cheaper than updating Zobrist
// hashes at every move. Cards are identified by their number in the table, so that different deals may share a table.
std::uint64_t hash_of(const Position& position) {
  const std::uint64_t board =
      static_cast<std::uint64_t>(position.pieces(blue)) | static_cast<std::uint64_t>(position.pieces(red)) << 25 |
      static_cast<std::uint64_t>(position.master(blue)) << 50 | static_cast<std::uint64_t>(position.master(red)) << 55 |
      static_cast<std::uint64_t>(position.player()) << 60;
  std::uint64_t held = position.deal()[static_cast<std::size_t>(position.side())];
  for (const int player : {blue, red}) {
    const std::uint64_t one = position.deal()[position.hand(player)[0]];
    const std::uint64_t two = position.deal()[position.hand(player)[1]];
    held = held << 10 | std::min(one, two) << 5 | std::max(one, two);
  }
  return nonzero(hash_combine(mix(held), board));
}

Deal deal_cards(std::uint64_t seed, int first, int end) {
  MoveList deck(static_cast<std::size_t>(end - first));
  std::iota(deck.begin(), deck.end(), static_cast<Move>(first));
  Random random(seed);
  shuffle(deck, random);
  Deal deal;
  std::transform(deck.begin(), deck.begin() + deal_size, deal.begin(),
                 [](Move card) { return static_cast<std::uint8_t>(card); });
  return deal;
}

OnitamaState::OnitamaState(const Position& position, Limits limits, Pack pack)
    : position_(position), limits_(limits), pack_(pack) {
  if (limits_.occurrences > 0) earlier_.push_back(hash_of(position_));
}

void OnitamaState::deal(std::uint64_t seed) {
  *this = OnitamaState(Position(deal_cards(seed, pack_.first, pack_.end)), limits_, pack_);
}

Scores OnitamaState::scores() const {
  Scores scores{};
  if (position_.winner() >= 0) {
    scores[static_cast<std::size_t>(position_.winner())] = 1.0;
  } else {
    scores[blue] = scores[red] = 0.5;
  }
  return scores;
}

void OnitamaState::moves(MoveList& list) const {
  list.clear();
  if (over()) return;
  position_.for_each_reach([&](int place, int from, Board reach) {
    for_each_square(reach, [&](int to) { list.push_back(encode(place, from, to)); });
  });
  if (list.empty()) {
    for (const int place : position_.hand(player())) list.push_back(encode(place, 0, 0));
  }
}

std::uint64_t OnitamaState::count_moves() const {
  if (over()) return 0;
  const int found = position_.mobility(player());
  return static_cast<std::uint64_t>(found > 0 ? found : 2);  // no piece can move: one pass per card
}

bool OnitamaState::legal(Move move) const {
  if (over() || move >= move_limit()) return false;
  const Turn turn = decode(move);
  const auto& hand = position_.hand(player());
  if (turn.place != hand[0] && turn.place != hand[1]) return false;
  if (turn.pass()) return turn.from == 0 && position_.mobility(player()) == 0;
  if ((position_.pieces(player()) >> turn.from & 1U) == 0) return false;
  return (position_.reach(player(), turn.place, turn.from) >> turn.to & 1U) != 0;
}

void OnitamaState::play(const Turn& turn) {
  const Board enemies = position_.pieces(1 - player());
  position_.play(turn);
  last_move_ = encode(turn.place, turn.from, turn.to);
  ++ply_;
  drawn_ = ply_ == limits_.plies && position_.winner() < 0;
  if (limits_.occurrences > 0) {
    if (position_.pieces(player()) != enemies) {  // positions before a capture cannot recur
      earlier_.clear();
      max_occurrences_ = 1;
    }
    earlier_.push_back(hash_of(position_));
    const int now = occurrences();
    max_occurrences_ = std::max(max_occurrences_, now);
    drawn_ = drawn_ || (position_.winner() < 0 && now >= limits_.occurrences);
  }
}

int OnitamaState::occurrences() const {
  if (earlier_.empty()) return 1;
  return static_cast<int>(std::count(earlier_.begin(), earlier_.end(), earlier_.back()));
}

bool OnitamaState::same_position(const State& other) const {
  const auto* onitama = dynamic_cast<const OnitamaState*>(&other);
  return onitama != nullptr && onitama->position_ == position_ && onitama->limits_ == limits_ &&
         (limits_.plies == 0 || onitama->ply_ == ply_) && onitama->drawn_ == drawn_ && same_repetitions(*onitama);
}

bool OnitamaState::same_repetitions(const OnitamaState& other) const {
  if (earlier_.size() != other.earlier_.size()) return false;
  std::vector<std::uint64_t> mine = earlier_;
  std::vector<std::uint64_t> theirs = other.earlier_;
  std::sort(mine.begin(), mine.end());
  std::sort(theirs.begin(), theirs.end());
  return mine == theirs;
}

std::uint64_t OnitamaState::hash_with_horizon(int horizon) const {
  const std::uint64_t hash = hash_of(position_);
  const int left = limits_.plies - ply_;
  return limits_.plies > 0 && left < horizon ? nonzero(hash_combine(hash, static_cast<std::uint64_t>(left))) : hash;
}

bool OnitamaState::noisy_moves(MoveList& list) const {
  list.clear();
  if (over()) return true;
  const Board enemies = position_.pieces(1 - player());
  const int master = position_.master(player());
  std::size_t wins = 0;
  position_.for_each_reach([&](int place, int from, Board reach) {
    const Board winning =
        from == master ? position_.enemy_master() | position_.enemy_temple() : position_.enemy_master();
    for_each_square(reach & (enemies | winning), [&](int to) {
      list.push_back(encode(place, from, to));
      if ((winning >> to & 1U) != 0) std::swap(list[wins++], list.back());
    });
  });
  return true;
}

// A uniformly random move, without listing the moves.
Turn OnitamaState::random_turn(Random& random) const {
  struct Reach {
    int place;
    int from;
    Board squares;
  };
  std::array<Reach, 10> found;
  std::size_t count = 0;
  int moves = 0;
  position_.for_each_reach([&](int place, int from, Board reach) {
    found[count++] = {place, from, reach};
    moves += std::popcount(reach);
  });
  if (moves == 0) return {position_.hand(player())[random.below(2)], 0, 0};
  auto chosen = static_cast<int>(random.below(static_cast<std::uint32_t>(moves)));
  std::size_t at = 0;
  for (int here = 0; chosen >= (here = std::popcount(found[at].squares)); ++at) chosen -= here;
  Board reach = found[at].squares;
  for (; chosen > 0; --chosen) reach &= reach - 1;
  return {found[at].place, found[at].from, std::countr_zero(reach)};
}

void OnitamaState::playout(Random& random, const PlayoutRequest& request) {
  for (int plies = 0; !over() && plies != request.max_plies; ++plies) {
    const Turn turn = random_turn(random);
    if (request.trace != nullptr) request.trace->push_back({encode(turn.place, turn.from, turn.to), player()});
    play(turn);
    if (plies % plies_between_stop_checks == plies_between_stop_checks - 1 && request.stopped != nullptr &&
        request.stopped(request.stopped_context)) {
      return;
    }
  }
}

}  // namespace tesuji::onitama
