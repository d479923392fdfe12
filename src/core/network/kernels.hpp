// The inner loops of a network, compiled for the instructions of several processors. All give the same results, bit
// for bit: sums are of integers, and the few operations on floats have a fixed order without fused multiply-add.
//
// A 3×3 convolution is computed by Winograd's minimal filtering F(4×4, 3×3) (Lavin and Gray, Fast algorithms for
// convolutional neural networks, 2016): of each tile of 6×6 inputs d, which overlaps its neighbours by two,
//
//     y = Aᵀ [(G g Gᵀ) ⊙ (Bᵀ d B)] A
//
// are the 4×4 outputs, with 36 products for each pair of channels instead of 144. For each of the 36 places the
// products of all channels are a matrix of weights times the rows of the tiles.
//
// The polynomials behind it are evaluated at 0, ±3/4, ±3/2 and infinity: rounding to 8 bits does less harm than with
// the usual 0, ±1, ±2 and infinity.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "network/matrices.hpp"

namespace tesuji::network {

constexpr int kTileOutputs = 4;                // in a row or column
constexpr int kTileInputs = kTileOutputs + 2;  // likewise
constexpr int kPlaces = kTileInputs * kTileInputs;
constexpr int kTiles = 16;  // that are computed together

// The points, and their squares.
constexpr float kInner = 0.75F, kInner2 = kInner * kInner;
constexpr float kOuter = 1.5F, kOuter2 = kOuter * kOuter;

struct BoardSize {
  int rows;
  int columns;
};

// In an anonymous namespace, so that the linker cannot choose a copy with instructions that a processor lacks.
namespace {

constexpr int tile_rows(BoardSize size) { return (size.rows + kTileOutputs - 1) / kTileOutputs; }
constexpr int tile_columns(BoardSize size) { return (size.columns + kTileOutputs - 1) / kTileOutputs; }
constexpr int cell_count(BoardSize size) { return size.rows * size.columns; }

// A framed board has zeros around it, one cell on the left and at the top, and as many on the other sides as the tiles
// reach.
constexpr int framed_columns(BoardSize size) { return kTileOutputs * tile_columns(size) + 2; }
constexpr int framed_count(BoardSize size) { return framed_columns(size) * (kTileOutputs * tile_rows(size) + 2); }
constexpr int framed_index(BoardSize size, int row, int column) {
  return (row + 1) * framed_columns(size) + column + 1;
}

}  // namespace

// relu(factor·x + term) for each channel.
struct Activation {
  const float* factor;
  const float* term;
};

// What becomes of the outputs of a convolution. One of `sums` and `framed` may be null.
struct Target {
  float* sums;    // [cell][output]: receives the outputs; `convolve` adds them if there is `framed` as well
  float* framed;  // a framed board: receives what was just written to `sums`, or the outputs, activated
  Activation next;
};

// Memory for intermediate results, for matrices of at most so many inputs and outputs.
struct Scratch {
  float* tile;         // [kPlaces][inputs]
  std::uint8_t* rows;  // [kPlaces][kTiles][inputs]
  float* scales;       // [kPlaces][kTiles]
  float* products;     // [kPlaces][kTiles][outputs]
};

// A product of a weight and an input.
struct Term {
  std::int32_t index;  // of the weights
  float value;
};

// The first convolution, of planes. They are mostly zeros and ones, so the others are listed, and nothing is rounded.
struct PlanesConvolution {
  int planes;
  int outputs;
  const float* weights;  // [plane][row][column][output]
};
struct PlanesScratch {
  Term* of_cell;        // [cell][plane]: those that are not zero
  std::int32_t* count;  // [cell]
  Term* of_output;      // [9·planes]
};

struct Kernels {
  // The 3×3 convolution of planes [plane][cell].
  void (*convolve_planes)(const PlanesConvolution& convolution, BoardSize size, const float* planes,
                          const Target& target, const PlanesScratch& scratch);
  // A 3×3 convolution of a framed board; `weights` are kPlaces matrices.
  void (*convolve)(const MatrixView& weights, BoardSize size, const float* framed, const Target& target,
                   const Scratch& scratch);
  // The product of one matrix with each cell of a framed board: [cell][output].
  void (*multiply)(const MatrixView& weights, BoardSize size, const float* framed, float* products,
                   const Scratch& scratch);
  // Activates `channels` (a multiple of kLanes) of each cell, `stride` floats apart, into a framed board.
  void (*activate)(BoardSize size, const float* cells, int stride, int channels, const Activation& activation,
                   float* framed);
};

// The kernels for one set of instructions. Only the portable ones are made by every compiler (kernels.cmake).
const Kernels* portable_kernels();
const Kernels* avx2_kernels();
const Kernels* avx_vnni_kernels();
const Kernels* avx512_kernels();
const Kernels* neon_kernels();
const Kernels* neon_dot_kernels();

struct NamedKernels {
  const char* name;
  const Kernels* kernels;
};
// What this processor can run, the fastest first. The last is `portable`, which any compiler makes for any processor;
// it is slow.
const std::vector<NamedKernels>& available_kernels();

}  // namespace tesuji::network
