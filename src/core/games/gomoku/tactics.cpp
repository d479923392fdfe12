#include "games/gomoku/tactics.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <unordered_set>

#include "base/threads.hpp"
#include "games/gomoku/maps.hpp"
#include "games/gomoku/threats/threats.hpp"

namespace tesuji::gomoku {

namespace {

constexpr std::size_t chunk_size = 64;  // positions per task
constexpr int games_tried = 400;        // per position, before giving up
constexpr int min_stones = 6;
constexpr int near_steps = 2;    // of targets to the next stone
constexpr int max_defences = 8;  // positions with more defences are skipped
constexpr SolverLimits four_limits{2'000, 0, nullptr};
constexpr SolverLimits three_limits{3'000, 0, nullptr};

// The targets of a position.
struct TacticalPosition {
  std::vector<int> cells;  // policy target
  std::vector<int> line;   // up to the five; or one move if nothing is proven
  float value = 0.5F;
  bool proven = true;
};

// The smallest hash of a position's symmetric images.
std::uint64_t canonical_hash(const GomokuState& state) {
  const Board& board = state.board();
  std::uint64_t smallest = std::numeric_limits<std::uint64_t>::max();
  for (int symmetry = 0; symmetry < board_symmetries; ++symmetry) {
    Board image(board.size(), board.rule());
    for (int cell = 0; cell < board.cells(); ++cell) {
      const int owner = board.at(board.place(cell));
      if (owner != nobody) image.put(image.place(symmetric_cell(symmetry, cell, board.size())), owner);
    }
    smallest = std::min(smallest, GomokuState(image, state.colour()).hash());
  }
  return smallest;
}

class TacticsGenerator {
 public:
  TacticsGenerator(const GomokuState& start, const Planes& planes) : planes_(planes), start_(start), state_(start) {}

  // A position of this kind, as a game that leads to it; empty if random games did not reach one.
  std::optional<PlayedGame> find(Tactic wanted, Random& random) {
    for (int game = 0; game < games_tried; ++game) {
      state_.assign(start_);
      moves_.clear();
      const int plies = min_stones + static_cast<int>(random.below(static_cast<std::uint32_t>(start_.board().cells())));
      const double sense = random.uniform();
      while (static_cast<int>(moves_.size()) < plies && !state_.over()) {
        if (state_.board().stones() >= min_stones && state_.stage() == Stage::settled) {
          const std::optional<TacticalPosition> found = look(wanted, random);
          if (std::optional<PlayedGame> written = found ? as_game(*found) : std::nullopt) return written;
        }
        const int cell = choose(sense, random);
        if (cell == no_cell) break;
        play(cell);
      }
    }
    return std::nullopt;
  }
  const GomokuState& position() const { return state_; }

 private:
  void play(int cell) {
    state_.play(static_cast<Move>(cell));
    moves_.push_back(static_cast<Move>(cell));
  }
  bool legal(int cell) const { return state_.legal(static_cast<Move>(cell)); }
  std::vector<int> legal_cells(Threat threat, int colour) const {
    std::vector<int> cells;
    state_.patterns().cells(threat, colour).each([&](int cell) {
      if (legal(cell)) cells.push_back(cell);
    });
    return cells;
  }
  int count(Threat threat, int colour) const { return state_.patterns().count(threat, colour); }

  // A random move near the stones that stops fives; with a higher `sense`, more often the better of several by pattern
  // score.
  int choose(double sense, Random& random) {
    const Board& board = state_.board();
    if (board.stones() == 0) return static_cast<int>(random.below(static_cast<std::uint32_t>(board.cells())));
    const int mine = state_.colour();
    if (count(Threat::five, mine) > 0) return no_cell;  // would end the game
    if (const std::vector<int> stops = legal_cells(Threat::five, 1 - mine); !stops.empty()) return stops.front();
    near_.clear();
    const Nearness steps(board);
    for (int cell = 0; cell < board.cells(); ++cell) {
      if (board.empty(cell) && steps.steps(board.place(cell)) <= near_steps && legal(cell)) near_.push_back(cell);
    }
    if (near_.empty()) return no_cell;
    const auto any = [&] { return near_[random.below(static_cast<std::uint32_t>(near_.size()))]; };
    const auto worth = [&](int cell) {
      return state_.patterns().score(cell, mine) + state_.patterns().score(cell, 1 - mine);
    };
    int best = any();
    for (int i = 0; i < 3 && random.uniform() < sense; ++i) {
      const int other = any();
      if (worth(other) > worth(best)) best = other;
    }
    return best;
  }

  std::optional<TacticalPosition> look(Tactic wanted, Random& random) {
    const int mine = state_.colour();
    const int theirs = 1 - mine;
    const bool my_five = count(Threat::five, mine) > 0;
    const int their_fives = count(Threat::five, theirs);
    TacticalPosition found;
    if (wanted == Tactic::five) {
      if (!my_five) return std::nullopt;
      found.cells = legal_cells(Threat::five, mine);
      found.line = {found.cells.front()};
      found.value = 1;
      return checked(std::move(found));
    }
    if (wanted == Tactic::stop_five) {
      if (my_five || their_fives != 1) return std::nullopt;
      found.cells = legal_cells(Threat::five, theirs);
      found.proven = false;
      return checked(std::move(found));
    }
    if (my_five || their_fives > 0 || random.below(2) == 0) return std::nullopt;
    switch (wanted) {
      case Tactic::open_four:
        found.cells = legal_cells(Threat::open_four, mine);
        if (found.cells.empty() || !won(solver_.vcf(state_.patterns(), mine, four_limits), found)) return std::nullopt;
        break;
      case Tactic::stop_open_four:
        if (!stops_fours(found)) return std::nullopt;
        break;
      case Tactic::fours:
        if (!makes_fours(mine) || !won(solver_.vcf(state_.patterns(), mine, four_limits), found)) return std::nullopt;
        if (found.line.size() < 5) return std::nullopt;
        found.cells = {found.line.front()};
        break;
      case Tactic::threats:
        if (count(Threat::open_three, mine) + count(Threat::double_three, mine) == 0) return std::nullopt;
        if (solver_.vcf(state_.patterns(), mine, four_limits).verdict != Verdict::none) return std::nullopt;
        if (!won(solver_.vct(state_.patterns(), mine, three_limits), found)) return std::nullopt;
        found.cells = {found.line.front()};
        break;
      default:
        if (!makes_fours(mine) || !won(solver_.vcf(state_.patterns(), mine, four_limits), found)) return std::nullopt;
        play(found.line.front());
        found.line.erase(found.line.begin());
        found.cells = legal_cells(Threat::five, mine);
        found.value = 0;
    }
    return checked(std::move(found));
  }

  bool makes_fours(int colour) const {
    return count(Threat::four, colour) + count(Threat::four_three, colour) + count(Threat::open_four, colour) > 0;
  }
  static bool won(const ThreatResult& result, TacticalPosition& found) {
    if (result.verdict != Verdict::won) return false;
    found.line = result.line;
    found.value = 1;
    return true;
  }
  // Defences, except fours that only delay the threat.
  bool stops_fours(TacticalPosition& found) {
    const int mine = state_.colour();
    if (count(Threat::open_four, 1 - mine) == 0) return false;
    if (solver_.vcf(state_.patterns(), mine, four_limits).verdict != Verdict::none) return false;
    const Defence defence = solver_.defend(state_.patterns(), mine, four_limits);
    if (defence.threat.verdict != Verdict::won || defence.threat.stopped != SolverStop::finished) return false;
    for (const int cell : defence.moves) {
      const Threat made = state_.patterns().threat(cell, mine);
      if (made != Threat::four && made != Threat::four_three && legal(cell)) found.cells.push_back(cell);
    }
    found.proven = false;
    return static_cast<int>(found.cells.size()) <= max_defences;
  }

  std::optional<TacticalPosition> checked(TacticalPosition found) const {
    const Nearness steps(state_.board());
    const auto near = [&](int cell) { return steps.steps(state_.board().place(cell)) <= near_steps; };
    if (found.cells.empty() || !std::all_of(found.cells.begin(), found.cells.end(), near)) return std::nullopt;
    if (!found.proven) found.line = {found.cells.front()};
    return found;
  }

  std::optional<PlayedGame> as_game(const TacticalPosition& found) const {
    PlayedGame game;
    game.opening = static_cast<std::uint32_t>(moves_.size());
    for (const int cell : found.cells) {
      const int index = planes_.index(state_, static_cast<Move>(cell));
      game.targets.emplace_back(static_cast<std::uint32_t>(index), 1.0F / static_cast<float>(found.cells.size()));
    }
    game.searched.push_back({0, static_cast<std::uint32_t>(game.targets.size()), found.value, 0, true});
    game.searched.resize(found.line.size());
    game.moves = moves_;
    GomokuState end = state_;
    for (const int cell : found.line) {
      if (end.over() || !end.legal(static_cast<Move>(cell))) return std::nullopt;
      end.play(static_cast<Move>(cell));
      game.moves.push_back(static_cast<Move>(cell));
    }
    if (found.proven && end.winner() == nobody) return std::nullopt;
    game.scores = found.proven ? end.scores() : Scores{unknown_score, unknown_score};
    return game;
  }

  const Planes& planes_;
  const GomokuState& start_;
  GomokuState state_;
  std::vector<Move> moves_;
  std::vector<int> near_;
  ThreatSolver solver_;
};

}  // namespace

std::vector<PlayedGame> make_tactics(const GomokuState& start, const Planes& planes, const TacticsRequest& request,
                                     const std::function<void()>& poll) {
  planes.check(start);
  if (start.board().stones() > 0) throw std::invalid_argument("tactics need an empty start board");
  std::unordered_set<std::uint64_t> taken;
  for (const GomokuState* excluded : request.excluded) {
    planes.check(*excluded);
    taken.insert(canonical_hash(*excluded));
  }
  struct Made {
    std::optional<PlayedGame> game;
    std::uint64_t key = 0;
  };
  std::vector<Made> made(request.count);
  const std::size_t chunks = (request.count + chunk_size - 1) / chunk_size;
  const auto work = [&](int number) {
    TacticsGenerator generator(start, planes);
    const std::size_t begin = static_cast<std::size_t>(number) * chunk_size;
    for (std::size_t i = begin; i < std::min(begin + chunk_size, request.count); ++i) {
      Random random(request.seed, i);
      made[i].game = generator.find(static_cast<Tactic>(i % tactic_names.size()), random);
      if (made[i].game) made[i].key = canonical_hash(generator.position());
    }
  };
  parallel_for(static_cast<int>(chunks), request.threads, work, poll);
  std::vector<PlayedGame> games;
  for (Made& each : made) {
    if (!each.game || !taken.insert(each.key).second) continue;
    each.game->board = request.board;
    games.push_back(std::move(*each.game));
  }
  return games;
}

}  // namespace tesuji::gomoku
