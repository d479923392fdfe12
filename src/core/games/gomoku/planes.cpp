#include "games/gomoku/planes.hpp"

#include <algorithm>
#include <stdexcept>

#include "games/gomoku/maps.hpp"
#include "games/gomoku/threats/threats.hpp"

namespace tesuji::gomoku {

namespace {

// Attacking moves of the search for the opponent's win by fours: most wins need far fewer, and self-play encodes
// hundreds of thousands of positions per second.
constexpr std::uint64_t vcf_nodes = 48;
constexpr std::size_t vcf_table_bytes = std::size_t{1} << 15;

bool has_swap2(const GomokuState& start) { return start.stage() != Stage::settled; }

std::vector<std::string> plane_names(const GomokuState& start, const PlanesOptions& options) {
  std::vector<std::string> names = {"own", "other", "board", "black", "last_move"};
  const auto add = [&](std::initializer_list<const char*> more) {
    names.insert(names.end(), more.begin(), more.end());
  };
  if (options.rules) add({"standard", "renju"});
  if (options.rules || start.board().rule() == Rule::renju) add({"black_forbidden"});
  if (options.swap2 && has_swap2(start)) names.insert(names.end(), stage_names.begin() + 1, stage_names.end());
  if (options.patterns) add({"own_patterns", "other_patterns"});
  if (options.threats) {
    add({"own_threes", "own_fours", "own_open_fours", "other_threes", "other_fours", "other_open_fours"});
  }
  if (options.proximity) add({"proximity"});
  if (options.combined) add({"combined"});
  if (options.vcf) add({"other_vcf", "other_vcf_replies"});
  return names;
}

// Writes planes one after the other, every cell at its image: faster than transforming finished planes.
class PlaneWriter {
 public:
  PlaneWriter(const std::vector<std::uint16_t>& symmetry, int width, int size, float* out)
      : width_(width),
        size_(size),
        plane_(static_cast<std::size_t>(width) * static_cast<std::size_t>(width)),
        out_(out) {
    for (int row = 0; row < size; ++row) std::copy_n(symmetry.data() + row * width, size, to_.data() + row * size);
    const int first = to_[0];
    const int last = to_[static_cast<std::size_t>(size * size - 1)];
    corner_ = std::min(first / width, last / width) * width + std::min(first % width, last % width);
  }

  void next() {
    std::fill_n(out_, plane_, 0.0F);
    here_ = out_;
    out_ += plane_;
  }
  void set(int cell) { here_[to_[static_cast<std::size_t>(cell)]] = 1; }
  // A plane that is 1 or 0 on the whole board.
  void put_constant(bool one) {
    next();
    if (!one) return;
    for (int row = 0; row < size_; ++row) std::fill_n(here_ + corner_ + row * width_, size_, 1.0F);
  }
  void put_map(const float* map) {
    if (size_ < width_) {
      next();
    } else {
      here_ = out_;
      out_ += plane_;
    }
    for (int cell = 0; cell < size_ * size_; ++cell) here_[to_[static_cast<std::size_t>(cell)]] = map[cell];
  }

 private:
  int width_;
  int size_;
  std::size_t plane_;
  float* out_;
  float* here_ = nullptr;  // the current plane
  int corner_;             // the first cell of the board's image
  std::array<std::uint16_t, max_cells> to_;
};

void put_stones(const Board& board, int colour, PlaneWriter& writer) {
  writer.next();
  for (int row = 0; row < board.size(); ++row) {
    for (std::uint32_t left = board.row(colour, row); left != 0; left &= left - 1) {
      writer.set(row * board.size() + std::countr_zero(left));
    }
  }
}

void put_forbidden(const GomokuState& state, PlaneWriter& writer) {
  writer.next();
  if (state.board().rule() != Rule::renju) return;
  const Patterns& patterns = state.patterns();
  for (const Threat threat : {Threat::forbidden, Threat::double_three}) {
    if (patterns.count(threat, black) == 0) continue;
    patterns.cells(threat, black).each([&](int cell) {
      if (patterns.forbidden(cell)) writer.set(cell);
    });
  }
}

void put_threats(const Patterns& patterns, int colour, PlaneWriter& writer) {
  const auto put = [&](std::initializer_list<Threat> threats) {
    writer.next();
    for (const Threat threat : threats) {
      if (patterns.count(threat, colour) == 0) continue;
      patterns.cells(threat, colour).each([&](int cell) {
        if (colour == white || threat != Threat::double_three || !patterns.forbidden(cell)) writer.set(cell);
      });
    }
  };
  put({Threat::open_three, Threat::double_three, Threat::four_three});
  put({Threat::four, Threat::four_three});
  put({Threat::open_four});
}

void put_vcf(const Patterns& patterns, int attacker, PlaneWriter& writer) {
  thread_local ThreatSolver solver(vcf_table_bytes, ThreatTables::separate);
  static const FourLine none;
  const FourLine& line =
      may_make_fours(patterns, attacker) ? solver.line_by_fours(patterns, attacker, vcf_nodes) : none;
  writer.next();
  for (const Four& four : line) writer.set(four.move);
  writer.next();
  for (const Four& four : line) {
    if (four.five != no_cell) writer.set(four.five);
    if (four.other != no_cell) writer.set(four.other);
  }
}

}  // namespace

GomokuPlanes::GomokuPlanes(const GomokuState& start, const PlanesOptions& options)
    : Planes(plane_names(start, options), {start.size(), start.size(), 1, options.swap2 && has_swap2(start) ? 2 : 0}),
      rule_(start.board().rule()),
      swap2_(options.swap2 && has_swap2(start)),
      options_(options) {
  for (int symmetry = 1; symmetry < board_symmetries; ++symmetry) {
    add_symmetry([&](int cell) { return symmetric_cell(symmetry, cell, rows()); });
  }
}

void GomokuPlanes::check(const State& state) const {
  const auto& gomoku = state_as<GomokuState>(state, "these planes need a Gomoku position");
  check_size(gomoku.size());
  if (!options_.rules && gomoku.board().rule() != rule_)
    throw std::invalid_argument("these planes are of another rule");
}

Exchange GomokuPlanes::exchange(const State& state) const {
  const auto& gomoku = static_cast<const GomokuState&>(state);
  if (swap2_ || gomoku.stage() == Stage::settled) return Exchange::none;
  return gomoku.may_swap() ? Exchange::offered : Exchange::ahead;
}

void GomokuPlanes::weights_ahead(const State& state, const MoveList& moves, std::vector<float>& weights) const {
  const Board& board = static_cast<const GomokuState&>(state).board();
  std::array<float, max_cells> map;
  proximity_map(board.stone_rows().data(), board.size(), board.size(), 0, map.data());
  weights.clear();
  for (const Move move : moves) weights.push_back(map[static_cast<std::size_t>(move)]);
}

int GomokuPlanes::index(const State& state, Move move) const {
  const auto& gomoku = static_cast<const GomokuState&>(state);
  if (move >= gomoku.swap_move()) {
    const int choice = static_cast<int>(move - gomoku.swap_move());
    return swap2_ ? cells() + choice : choice == 0 ? exchange_index : even_choice_index;
  }
  if (gomoku.size() == rows()) return static_cast<int>(move);
  const Place at = gomoku.board().place(static_cast<int>(move));
  return at.row * rows() + at.column;
}

void GomokuPlanes::indices(const State& state, const MoveList& moves, std::vector<int>& out) const {
  const auto& gomoku = static_cast<const GomokuState&>(state);
  if (gomoku.size() == rows() && (swap2_ || !gomoku.may_swap())) {
    out.assign(moves.begin(), moves.end());
    return;
  }
  out.clear();
  for (const Move move : moves) out.push_back(index(state, move));
}

void GomokuPlanes::encode_turned(const State& state, int symmetry, float* out) const {
  const auto& gomoku = static_cast<const GomokuState&>(state);
  const Board& board = gomoku.board();
  const int own = gomoku.colour();
  PlaneWriter writer(cell_symmetry(symmetry), rows(), board.size(), out);
  std::array<float, max_cells> map;
  put_stones(board, own, writer);
  put_stones(board, 1 - own, writer);
  writer.put_constant(true);
  writer.put_constant(own == black);
  writer.next();
  if (gomoku.last_move() < gomoku.swap_move()) writer.set(static_cast<int>(gomoku.last_move()));
  if (options_.rules) {
    writer.put_constant(board.rule() == Rule::standard);
    writer.put_constant(board.rule() == Rule::renju);
  }
  if (options_.rules || rule_ == Rule::renju) put_forbidden(gomoku, writer);
  if (swap2_) {
    const auto stage = static_cast<std::size_t>(gomoku.stage());
    for (std::size_t other = 1; other < stage_names.size(); ++other) writer.put_constant(stage == other);
  }
  if (options_.patterns) {
    for (const int colour : {own, 1 - own}) {
      pattern_map(gomoku.patterns(), colour, map.data());
      writer.put_map(map.data());
    }
  }
  if (options_.threats) {
    for (const int colour : {own, 1 - own}) put_threats(gomoku.patterns(), colour, writer);
  }
  if (options_.proximity || options_.combined)
    proximity_map(board.stone_rows().data(), board.size(), board.size(), 0, map.data());
  if (options_.proximity) writer.put_map(map.data());
  if (options_.combined) {
    std::array<float, max_cells> both;
    combined_map(gomoku.patterns(), own, map.data(), both.data());
    writer.put_map(both.data());
  }
  if (options_.vcf) put_vcf(gomoku.patterns(), 1 - own, writer);
}

}  // namespace tesuji::gomoku
