#include "games/hex/knowledge.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace tesuji::hex {

namespace {

enum class Edge { first, second };  // top and bottom for Black, left and right for White

Cells edge_cells(int size, int player, Edge edge) {
  Cells cells{};
  if (player == 0) {
    cells[edge == Edge::first ? 1 : size] = full_row(size);
  } else {
    for (int row = 1; row <= size; ++row) cells[row] = edge == Edge::first ? 1U : 1U << (size - 1);
  }
  return cells;
}

bool meet(int size, const Cells& a, const Cells& b) {
  for (int row = 1; row <= size; ++row) {
    if ((a[row] & b[row]) != 0) return true;
  }
  return false;
}

// Breadth-first search from one edge: an empty cell costs one step, own stones none. Calls visit(steps, reached) for 0,
// 1, 2, … steps until it returns false or nothing is added.
template <typename Visit>
void walk(const HexState& state, int player, Edge from, Visit&& visit) {
  const int size = state.size();
  const Cells& stones = state.stones(player);
  const Cells open = state.empty();
  Cells frontier = edge_cells(size, player, from);
  Cells reached{};
  for (int row = 1; row <= size; ++row) reached[row] = frontier[row] & stones[row];
  flood(size, stones, reached);
  for (int steps = 0; visit(steps, reached); ++steps) {
    const Cells beside = grown(size, reached);
    bool grew = false;
    Cells stones_reached{};
    for (int row = 1; row <= size; ++row) {
      // The first step starts at the edge.
      const std::uint32_t fresh = open[row] & ~reached[row] & (steps == 0 ? beside[row] | frontier[row] : beside[row]);
      grew = grew || fresh != 0;
      reached[row] |= fresh;
    }
    if (!grew) return;
    const Cells touched = grown(size, reached);
    for (int row = 1; row <= size; ++row) stones_reached[row] = touched[row] & stones[row];
    flood(size, stones, stones_reached);
    for (int row = 1; row <= size; ++row) reached[row] |= stones_reached[row];
  }
}

using Steps = std::array<int, max_size * max_size>;

// For every cell, the steps from an edge to it, including its own.
Steps steps_from(const HexState& state, int player, Edge from) {
  Steps result;
  result.fill(unreachable);
  walk(state, player, from, [&](int steps, const Cells& reached) {
    for_each_cell(state.size(), reached, [&](int row, int column) {
      int& entry = result[row * state.size() + column];
      entry = std::min(entry, steps);
    });
    return true;
  });
  return result;
}

struct Connectivity {
  int distance;
  int groups;

  bool cut() const { return distance == unreachable; }
};

Connectivity connectivity(const HexState& state, int player) {
  return {distance(state, player), groups(state, player)};
}

ObjectiveValues gradients(const Connectivity& own, const Connectivity& theirs, double size, bool stepped) {
  double advantage = 0.5;
  if (own.cut() != theirs.cut()) {
    advantage = own.cut() ? 0.0 : 1.0;
  } else if (!own.cut()) {
    advantage = std::clamp((theirs.distance - own.distance + size) / (2 * size), 0.0, 1.0);
  }
  const auto near_win = [&](int k) {
    if (stepped) return own.distance <= k ? 1.0 - static_cast<double>(own.distance) / (k + 1) : 0.0;
    return own.cut() ? 0.0 : std::max(0.0, 1.0 - own.distance / size);
  };
  double fewer = 0.5;
  if (own.groups == 0 && theirs.groups > 0) {
    fewer = 0.0;
  } else if (own.groups > 0) {
    fewer = static_cast<double>(theirs.groups) / (own.groups + theirs.groups);
    if (theirs.groups == 0) fewer = 1.0;
  }
  return {advantage,
          near_win(1),
          near_win(2),
          near_win(3),
          theirs.cut() ? 1.0 : std::min(1.0, theirs.distance / size),
          theirs.cut() ? 0.0 : std::max(0.0, 1.0 - theirs.distance / size),
          fewer,
          own.groups == 0 ? 0.0 : 1.0 / own.groups};
}

ObjectiveValues booleans(const Connectivity& own, const Connectivity& theirs) {
  const auto answer = [](bool yes) { return yes ? 1.0 : 0.0; };
  return {answer(own.distance < theirs.distance),
          answer(own.distance <= 1),
          answer(own.distance <= 2),
          answer(own.distance <= 3),
          answer(theirs.cut()),
          answer(theirs.distance <= 2),
          answer(own.groups < theirs.groups),
          answer(own.groups == 1)};
}

}  // namespace

const HexState& as_hex(const State& state) { return state_as<HexState>(state, "this knowledge needs a Hex position"); }

int distance(const HexState& state, int player) {
  const Cells budget = edge_cells(state.size(), player, Edge::second);
  int found = unreachable;
  walk(state, player, Edge::first, [&](int steps, const Cells& reached) {
    if (!meet(state.size(), reached, budget)) return true;
    found = steps;
    return false;
  });
  return found;
}

ShortestPaths shortest_paths(const HexState& state, int player) {
  const int size = state.size();
  const Steps from_start = steps_from(state, player, Edge::first);
  const Steps to_goal = steps_from(state, player, Edge::second);
  ShortestPaths paths{unreachable, {}};
  for (int i = 0; i < size; ++i) {
    const int far = player == 0 ? (size - 1) * size + i : i * size + size - 1;
    paths.distance = std::min(paths.distance, from_start[far]);
  }
  if (paths.distance == unreachable) return paths;
  for_each_cell(size, state.empty(), [&](int row, int column) {
    const int cell = row * size + column;
    if (from_start[cell] + to_goal[cell] - 1 == paths.distance) paths.cells.push_back(static_cast<Move>(cell));
  });
  return paths;
}

int groups(const HexState& state, int player) {
  Cells left = state.stones(player);
  int found = 0;
  for (int row = 1; row <= state.size(); ++row) {
    while (left[row] != 0) {
      Cells group{};
      group[row] = left[row] & (~left[row] + 1U);
      flood(state.size(), left, group);
      for (int r = 1; r <= state.size(); ++r) left[r] &= ~group[r];
      ++found;
    }
  }
  return found;
}

ObjectiveValues objectives(const HexState& state, int player, ObjectiveForm form) {
  const Connectivity own = connectivity(state, player);
  const Connectivity theirs = connectivity(state, 1 - player);
  if (form == ObjectiveForm::boolean) return booleans(own, theirs);
  return gradients(own, theirs, state.size(), form == ObjectiveForm::stepped);
}

void HexFeatures::extract(const State& state, int player, double* out) const {
  const auto& hex = state_as<HexState>(state, "these features need a Hex position");
  const ObjectiveValues values = objectives(hex, player, ObjectiveForm::stepped);
  std::copy(values.begin(), values.end(), out);
}

double ObjectiveValue::value(const State& state, int player) const {
  const ObjectiveValues achieved = objectives(as_hex(state), player, form_);
  double sum = 0;
  double negative = 0;
  double scale = 0;
  for (int i = 0; i < objective_count; ++i) {
    sum += weights_[i] * achieved[i];
    negative += std::min(0.0, weights_[i]);
    scale += std::abs(weights_[i]);
  }
  return scale > 0 ? 0.1 + 0.8 * (sum - negative) / scale : 0.5;
}

void PathThreats::respond(const State& state, ThreatReplies& threat) const {
  const HexState& hex = as_hex(state);
  const int mover = hex.player();
  const bool wins_now = distance(hex, mover) == 1;
  ShortestPaths paths = shortest_paths(hex, wins_now ? mover : 1 - mover);
  threat.moves = std::move(paths.cells);
  threat.urgent = wins_now || paths.distance <= urgent_distance_;
}

void NeighbourOrdering::order(const State& state, MoveList& moves, std::vector<float>& weights, Random& random) const {
  const HexState& hex = as_hex(state);
  const int size = hex.size();
  const int mover = hex.player();
  const Cells beside_own = grown(size, hex.stones(mover));
  const Cells beside_theirs = grown(size, hex.stones(1 - mover));
  Cells newest{};
  if (hex.last_move() < hex.swap_move()) newest[hex.last_move() / size + 1] = 1U << (hex.last_move() % size);
  const Cells beside_newest = grown(size, newest);
  // The centre quarter: about half the rows times half the columns, 25 of the 121 cells of 11×11.
  const int low = (size + 2) / 4;
  const int high = size - 1 - low;

  const auto weigh = [&](Move move) {
    if (move == hex.swap_move()) return 1;
    const int row = static_cast<int>(move) / size;
    const int column = static_cast<int>(move) % size;
    const auto in = [&](const Cells& cells) { return static_cast<int>(cells[row + 1] >> column & 1U); };
    const bool central = low <= row && row <= high && low <= column && column <= high;
    return 1 + 10 * in(beside_newest) + 5 * in(beside_theirs) + 3 * in(beside_own) + (central ? 2 : 0);
  };
  // Random order of ties, so that no corner of the board is favoured; bucket sort, since weights are small integers.
  constexpr int heaviest = 1 + 10 + 5 + 3 + 2;
  shuffle(moves, random);
  std::array<std::array<std::uint16_t, max_size * max_size + 1>, heaviest + 1> buckets;
  std::array<std::uint16_t, heaviest + 1> sizes{};
  for (const Move move : moves) {
    const int weight = weigh(move);
    buckets[weight][sizes[weight]++] = static_cast<std::uint16_t>(move);
  }
  moves.clear();
  weights.clear();
  for (int weight = heaviest; weight > 0; --weight) {
    moves.insert(moves.end(), buckets[weight].begin(), buckets[weight].begin() + sizes[weight]);
    weights.insert(weights.end(), sizes[weight], static_cast<float>(weight));
  }
}

double FullnessExploration::exploration(const State& state) const {
  const HexState& hex = as_hex(state);
  const int stones = count(hex.size(), hex.stones(0)) + count(hex.size(), hex.stones(1));
  const double fullness = static_cast<double>(stones) / (hex.size() * hex.size());
  if (fullness < 0.3) return 1.4;
  return fullness < 0.6 ? std::numbers::sqrt2 : 1.0;
}

}  // namespace tesuji::hex
