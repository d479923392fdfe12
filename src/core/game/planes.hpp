// Planes: how a position looks to a network, and where each move stands in the network's policy.
//
// One encoder serves training and play. A position becomes names().size() planes of rows × columns numbers, seen by the
// player to move. The policy has policy_planes() numbers for every cell, plane by plane and row by row, and after them
// the extras: moves that are on no cell, such as a swap.
//
// A symmetry is a pair of permutations, of the cells and of the policy, under which the game stays the same. The first
// one changes nothing.
//
// Planes of any_size() also take positions of smaller boards, which lie in the top left corner; a plane named "board"
// is 1 on their cells and 0 beyond them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "game/state.hpp"

namespace tesuji {

struct PlanesShape {
  int rows = 0;
  int columns = 0;
  int policy_planes = 1;
  int extras = 0;
  int cells() const { return rows * columns; }
  int policy_size() const { return policy_planes * cells() + extras; }
};

// Whether the players may exchange sides here, where the network was trained without that rule. The position is then
// worth 1 - v to whoever exchanges, where v is what the network says.
enum class Exchange : std::uint8_t {
  none,
  offered,  // to the player to move: the move that exchanges has the index Planes::exchange_index
  ahead,    // to the next player, who will leave no more than half to this one
};

class Planes {
 public:
  virtual ~Planes() = default;
  Planes(const Planes&) = delete;
  Planes& operator=(const Planes&) = delete;

  static constexpr int exchange_index = -1;

  // Grows whenever a plane or an index changes its meaning: a network knows which version it was trained with.
  virtual int version() const = 0;
  virtual bool any_size() const { return false; }
  virtual Exchange exchange(const State&) const { return Exchange::none; }
  // Whether positions of this game can be encoded; std::invalid_argument says why not.
  virtual void check(const State& state) const = 0;
  // Writes size() numbers. The position must have passed check(), and belong to this thread alone.
  virtual void encode(const State& state, float* out) const = 0;
  // The same, seen through a symmetry.
  virtual void encode_turned(const State& state, int symmetry, float* out) const {
    if (symmetry == 0) return encode(state, out);
    thread_local std::vector<float> image;  // a buffer that is kept
    image.resize(size());
    encode(state, image.data());
    transform_planes(symmetry, image.data(), out);
  }
  // Where a legal move stands in the policy.
  virtual int index(const State& state, Move move) const = 0;
  // The same for a list of them.
  virtual void indices(const State& state, const MoveList& moves, std::vector<int>& out) const {
    out.clear();
    for (const Move move : moves) out.push_back(index(state, move));
  }
  // Where a policy index of the next player to move stands for the one who moves now: other than itself where both see
  // the board from different sides.
  virtual int reply_index(int index) const { return index; }

  const std::vector<std::string>& names() const { return names_; }
  int rows() const { return shape_.rows; }
  int columns() const { return shape_.columns; }
  int cells() const { return shape_.cells(); }
  std::size_t size() const { return names_.size() * static_cast<std::size_t>(cells()); }
  int policy_planes() const { return shape_.policy_planes; }
  int extras() const { return shape_.extras; }
  int policy_size() const { return shape_.policy_size(); }

  int symmetries() const { return static_cast<int>(symmetries_.size()); }
  int transform_cell(int symmetry, int cell) const { return symmetries_[symmetry].cells[cell]; }
  const std::vector<std::uint16_t>& cell_symmetry(int symmetry) const { return symmetries_[symmetry].cells; }
  const std::vector<std::uint16_t>& policy_symmetry(int symmetry) const { return symmetries_[symmetry].policy; }
  int transform_index(int symmetry, int index) const { return symmetries_[symmetry].policy[index]; }
  void transform_planes(int symmetry, const float* in, float* out) const {
    const std::vector<std::uint16_t>& to = symmetries_[symmetry].cells;
    for (std::size_t plane = 0; plane < names_.size(); ++plane, in += to.size(), out += to.size()) {
      for (std::size_t cell = 0; cell < to.size(); ++cell) out[to[cell]] = in[cell];
    }
  }

 protected:
  struct Symmetry {
    std::vector<std::uint16_t> cells;   // where each cell goes
    std::vector<std::uint16_t> policy;  // where each index goes
  };

  Planes(std::vector<std::string> names, PlanesShape shape) : names_(std::move(names)), shape_(shape) {
    add_symmetry([](int cell) { return cell; });
  }
  // One that moves the cells; policy planes go with them, extras stay.
  template <typename Cell>
  void add_symmetry(Cell&& to) {
    Symmetry symmetry;
    for (int cell = 0; cell < cells(); ++cell) symmetry.cells.push_back(static_cast<std::uint16_t>(to(cell)));
    for (int index = 0; index < policy_size(); ++index) {
      const int within = index % cells();
      const bool extra = index >= policy_planes() * cells();
      symmetry.policy.push_back(static_cast<std::uint16_t>(extra ? index : index - within + to(within)));
    }
    symmetries_.push_back(std::move(symmetry));
  }
  void add_symmetry(Symmetry symmetry) { symmetries_.push_back(std::move(symmetry)); }

 private:
  std::vector<std::string> names_;
  PlanesShape shape_;
  std::vector<Symmetry> symmetries_;
};

}  // namespace tesuji
