// Planes: the network's input encoding of a position, and the index of each move in its policy output.
//
// Training and play share one encoder. A position becomes names().size() planes of rows × columns numbers, from the
// point of view of the side to move. The policy has policy_planes() numbers per cell, plane by plane and row by row,
// followed by the extras: moves without a cell, such as a swap.
//
// A symmetry is a pair of permutations, of the cells and of the policy, that leaves the game unchanged; it may also
// exchange planes. Symmetry 0 is the identity.
//
// Planes with any_size() also encode smaller boards, in the top left corner; the plane "board" is 1 on their cells.
#pragma once

#include <cstdint>
#include <stdexcept>
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

// Whether the swap rule applies here although the network was trained without it. A player who swaps gets 1 - v, where
// v is the network's value.
enum class Exchange : std::uint8_t {
  none,
  offered,  // the side to move may swap; the swap has the index Planes::exchange_index
  ahead,    // the opponent chooses after this player's stones, so the position is worth at most 1/2
};

class Planes {
 public:
  virtual ~Planes() = default;
  Planes(const Planes&) = delete;
  Planes& operator=(const Planes&) = delete;

  static constexpr int exchange_index = -1;
  // A choice that the network does not know and that is worth at most 1/2, such as Gomoku's `two`.
  static constexpr int even_choice_index = -2;

  // Increased whenever a plane or index is redefined; a network records the version it was trained with.
  virtual int version() const = 0;
  virtual bool any_size() const { return false; }
  virtual Exchange exchange(const State&) const { return Exchange::none; }
  // The weights of the moves where the opponent chooses next: the policy prefers stones that are too strong.
  virtual void weights_ahead(const State&, const MoveList& moves, std::vector<float>& weights) const {
    weights.assign(moves.size(), 1.0F);
  }
  // Throws std::invalid_argument if positions of this game cannot be encoded.
  virtual void check(const State& state) const = 0;
  // Writes size() numbers. The state must have passed check() and belong to this thread alone.
  virtual void encode(const State& state, float* out) const = 0;
  // Encodes under a symmetry.
  virtual void encode_turned(const State& state, int symmetry, float* out) const {
    if (symmetry == 0) return encode(state, out);
    thread_local std::vector<float> image;  // reused buffer
    image.resize(size());
    encode(state, image.data());
    transform_planes(symmetry, image.data(), out);
  }
  // The policy index of a legal move.
  virtual int index(const State& state, Move move) const = 0;
  virtual void indices(const State& state, const MoveList& moves, std::vector<int>& out) const {
    out.clear();
    for (const Move move : moves) out.push_back(index(state, move));
  }
  // Converts a policy index from the opponent's point of view to that of the side to move.
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
  const std::vector<std::uint16_t>& cell_symmetry(int symmetry) const { return symmetries_[symmetry].cells; }
  const std::vector<std::uint16_t>& policy_symmetry(int symmetry) const { return symmetries_[symmetry].policy; }
  int transform_index(int symmetry, int index) const { return symmetries_[symmetry].policy[index]; }
  void transform_planes(int symmetry, const float* in, float* out) const {
    const std::vector<std::uint16_t>& to = symmetries_[symmetry].cells;
    const std::vector<std::uint16_t>& planes = symmetries_[symmetry].planes;
    for (std::size_t plane = 0; plane < names_.size(); ++plane, in += to.size()) {
      float* const image = out + to.size() * (planes.empty() ? plane : planes[plane]);
      for (std::size_t cell = 0; cell < to.size(); ++cell) image[to[cell]] = in[cell];
    }
  }

 protected:
  struct Symmetry {
    std::vector<std::uint16_t> cells;     // image of each cell
    std::vector<std::uint16_t> policy;    // image of each index
    std::vector<std::uint16_t> planes{};  // image of each plane; empty: all stay where they are
  };

  Planes(std::vector<std::string> names, PlanesShape shape) : names_(std::move(names)), shape_(shape) {
    add_symmetry([](int cell) { return cell; });
  }
  // A symmetry of the cells that permutes each policy plane alike and leaves the extras unchanged.
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
  // For check(), where boards are square.
  void check_size(int size) const {
    if (any_size() ? size <= rows() : size == rows()) return;
    throw std::invalid_argument(
        std::string(any_size() ? "these planes are for boards up to size " : "these planes are of size ") +
        std::to_string(rows()) + ", but the board is of size " + std::to_string(size));
  }

 private:
  std::vector<std::string> names_;
  PlanesShape shape_;
  std::vector<Symmetry> symmetries_;
};

}  // namespace tesuji
