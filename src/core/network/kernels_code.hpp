// The kernels, compiled once for each set of instructions (kernels.cmake). Vectors and what needs instructions by name
// are in byte_products.hpp.
//
// Nothing here may use inline functions of the standard library: the linker keeps one copy of each, and it could be the
// one with instructions that a processor lacks.
#pragma once

#include <cstring>

#include "network/byte_products.hpp"
#include "network/kernels.hpp"

namespace tesuji::network {

namespace {

constexpr int kRowsAtOnce = 4;
constexpr float kSmallestRange = 1e-30F;  // of a row of zeros
// Adding 1.5·2²³ to a small float leaves the nearest integer in its low bits; 128 makes it unsigned.
constexpr float kToInteger = 12582912.0F + 128.0F;

inline Floats magnitude(Floats a) { return larger(a, -a); }
inline Floats relu(Floats a) { return larger(a, Floats{}); }

// Rows that are `step` numbers apart.
template <typename T>
struct Rows {
  T* first;
  int step;
  T* row(int i) const { return first + i * step; }
};

inline void round_vector(const float* from, float inverse, std::uint8_t* to) {
  store_low_bytes(to, load(from) * inverse + kToInteger);
}

// Rounds four rows, each with a scale of its own.
inline void round_rows(Rows<const float> rows, int count, Rows<std::uint8_t> bytes, Rows<float> scales) {
  const float *const row0 = rows.row(0), *const row1 = rows.row(1), *const row2 = rows.row(2),
                     *const row3 = rows.row(3);
  Floats most0{}, most1{}, most2{}, most3{};
  for (int i = 0; i < count; i += kWidth) {
    most0 = larger(most0, magnitude(load(row0 + i)));
    most1 = larger(most1, magnitude(load(row1 + i)));
    most2 = larger(most2, magnitude(load(row2 + i)));
    most3 = larger(most3, magnitude(load(row3 + i)));
  }
  float range[kRowsAtOnce], inverse[kRowsAtOnce];
  largest(most0, most1, most2, most3, range);
  for (int i = 0; i < kRowsAtOnce; ++i) {
    range[i] = range[i] > kSmallestRange ? range[i] : kSmallestRange;
    inverse[i] = kLargest / range[i];
    *scales.row(i) = range[i] / kLargest;
  }
  std::uint8_t *const to0 = bytes.row(0), *const to1 = bytes.row(1), *const to2 = bytes.row(2),
                      *const to3 = bytes.row(3);
  for (int i = 0; i < count; i += kWidth) {
    round_vector(row0 + i, inverse[0], to0 + i);
    round_vector(row1 + i, inverse[1], to1 + i);
    round_vector(row2 + i, inverse[2], to2 + i);
    round_vector(row3 + i, inverse[3], to3 + i);
  }
}

// Sums of products for kRegisters·kWidth outputs. Registers one by one: GCC keeps arrays of them in memory.
template <int kRegisters>
struct Row {
  Sums first;
  Row<kRegisters - 1> others;

  TESUJI_ALWAYS_INLINE void start(const std::int32_t* offsets) {
    first = first_sums(offsets);
    others.start(offsets + kWidth);
  }
  TESUJI_ALWAYS_INLINE void load_weights(const std::int8_t* from) {
    first = four_weights(from);
    others.load_weights(from + 4 * kWidth);
  }
  TESUJI_ALWAYS_INLINE void add(Sums inputs, const Row& weights) {
    add_products(first, inputs, weights.first);
    others.add(inputs, weights.others);
  }
  TESUJI_ALWAYS_INLINE void store_scaled(const float* scales, float scale, float* to) const {
    store(to, to_floats(first) * load(scales) * scale);
    others.store_scaled(scales + kWidth, scale, to + kWidth);
  }
};
template <>
struct Row<0> {
  void start(const std::int32_t*) {}
  void load_weights(const std::int8_t*) {}
  void add(Sums, const Row&) {}
  void store_scaled(const float*, float, float*) const {}
};

template <int kRegisters>
inline void multiply_block(const MatrixView& matrix, int output, const std::uint8_t* rows, const float* row_scales,
                           float* products) {
  Row<kRegisters> sums0, sums1, sums2, sums3;
  sums0.start(matrix.offsets + output);
  sums1 = sums2 = sums3 = sums0;
  const std::uint8_t* const row1 = rows + matrix.inputs;
  const std::uint8_t* const row2 = row1 + matrix.inputs;
  const std::uint8_t* const row3 = row2 + matrix.inputs;
  const std::int8_t* weights = matrix.weights + output * 4;
  for (int i = 0; i < matrix.inputs; i += 4, weights += matrix.outputs * 4) {
    Row<kRegisters> columns;
    columns.load_weights(weights);
    sums0.add(four_inputs(rows + i), columns);
    sums1.add(four_inputs(row1 + i), columns);
    sums2.add(four_inputs(row2 + i), columns);
    sums3.add(four_inputs(row3 + i), columns);
  }
  const float* const scales = matrix.scales + output;
  float* const to = products + output;
  sums0.store_scaled(scales, row_scales[0], to);
  sums1.store_scaled(scales, row_scales[1], to + matrix.outputs);
  sums2.store_scaled(scales, row_scales[2], to + 2 * matrix.outputs);
  sums3.store_scaled(scales, row_scales[3], to + 3 * matrix.outputs);
}

// The products of one matrix with rounded rows, of which there is room for a multiple of kRowsAtOnce.
void multiply_rows(const MatrixView& matrix, int count, const std::uint8_t* rows, const float* row_scales,
                   float* products) {
  for (int row = 0; row < count; row += kRowsAtOnce) {
    const std::uint8_t* const from = rows + row * matrix.inputs;
    const float* const scales = row_scales + row;
    float* const to = products + row * matrix.outputs;
    int output = 0;
    for (; output + kRegistersAtOnce * kWidth <= matrix.outputs; output += kRegistersAtOnce * kWidth) {
      multiply_block<kRegistersAtOnce>(matrix, output, from, scales, to);
    }
    for (; output < matrix.outputs; output += kWidth) multiply_block<1>(matrix, output, from, scales, to);
  }
}

MatrixView at_place(const MatrixView& matrices, int place) {
  const std::ptrdiff_t rows = static_cast<std::ptrdiff_t>(place) * matrices.outputs;
  return {matrices.inputs, matrices.outputs, matrices.weights + rows * matrices.inputs, matrices.scales + rows,
          matrices.offsets + rows};
}

// Bᵀ d, for vectors that are `step` floats apart. A row of Bᵀ has the coefficients of the product of x − q over all
// other points q.
inline void input_side(const float* from, int step, float* to, int to_step) {
  constexpr float product = kInner2 * kOuter2, sum = kInner2 + kOuter2;
  const Floats d0 = load(from), d1 = load(from + step), d2 = load(from + 2 * step);
  const Floats d3 = load(from + 3 * step), d4 = load(from + 4 * step), d5 = load(from + 5 * step);
  const Floats inner_even = d4 - kOuter2 * d2, inner_odd = kInner * (d3 - kOuter2 * d1);
  const Floats outer_even = d4 - kInner2 * d2, outer_odd = kOuter * (d3 - kInner2 * d1);
  store(to, product * d0 - sum * d2 + d4);
  store(to + to_step, inner_even + inner_odd);
  store(to + 2 * to_step, inner_even - inner_odd);
  store(to + 3 * to_step, outer_even + outer_odd);
  store(to + 4 * to_step, outer_even - outer_odd);
  store(to + 5 * to_step, product * d1 - sum * d3 + d5);
}

// Bᵀ d B of the tile whose first cell is `cell`, rounded, for all channels.
void transform_input(int channels, const float* cell, int pitch, int tile, const Scratch& scratch) {
  alignas(64) float half[kPlaces * kWidth];
  for (int channel = 0; channel < channels; channel += kWidth) {
    TESUJI_NOT_UNROLLED
    for (int column = 0; column < kTileInputs; ++column) {
      input_side(cell + column * channels + channel, pitch, half + column * kWidth, kTileInputs * kWidth);
    }
    TESUJI_NOT_UNROLLED
    for (int row = 0; row < kTileInputs; ++row) {
      input_side(half + row * kTileInputs * kWidth, kWidth, scratch.tile + row * kTileInputs * channels + channel,
                 channels);
    }
  }
  for (int place = 0; place < kPlaces; place += kRowsAtOnce) {
    const int row = place * kTiles + tile;
    round_rows({scratch.tile + place * channels, channels}, channels,
               {scratch.rows + row * channels, kTiles * channels}, {scratch.scales + row, kTiles});
  }
}

// Aᵀ m.
struct Four {
  Floats a, b, c, d;
};
inline Four output_side(const float* from, int step) {
  const Floats m0 = load(from), m1 = load(from + step), m2 = load(from + 2 * step);
  const Floats m3 = load(from + 3 * step), m4 = load(from + 4 * step), m5 = load(from + 5 * step);
  const Floats inner_sum = m1 + m2, inner_difference = m1 - m2;
  const Floats outer_sum = m3 + m4, outer_difference = m3 - m4;
  return {m0 + inner_sum + outer_sum, kInner * inner_difference + kOuter * outer_difference,
          kInner2 * inner_sum + kOuter2 * outer_sum,
          kInner2 * kInner * inner_difference + kOuter2 * kOuter * outer_difference + m5};
}

// Where the outputs of a convolution for some channels go: Target.sums are written or not, added to or not; so is
// Target.framed.
template <bool kSums, bool kAdd, bool kFramed>
class Writer {
 public:
  Writer(const Target& target, BoardSize size, int outputs, int row, int column, int output) : outputs_(outputs) {
    if constexpr (kSums) sum_ = target.sums + (row * size.columns + column) * outputs + output;
    if constexpr (!kFramed) return;
    framed_ = target.framed + framed_index(size, row, column) * outputs + output;
    factor_ = load(target.next.factor + output);
    term_ = load(target.next.term + output);
  }
  // For the cell that is so many columns to the right.
  void write(int columns, Floats value) const {
    if constexpr (kAdd) value += load(sum_ + columns * outputs_);
    if constexpr (kSums) store(sum_ + columns * outputs_, value);
    if constexpr (kFramed) store(framed_ + columns * outputs_, relu(value * factor_ + term_));
  }
  void next_row(BoardSize size) {
    if constexpr (kSums) sum_ += size.columns * outputs_;
    if constexpr (kFramed) framed_ += framed_columns(size) * outputs_;
  }

 private:
  int outputs_;
  float* sum_ = nullptr;
  float* framed_ = nullptr;
  Floats factor_{};
  Floats term_{};
};

// Aᵀ m A of one tile's products.
template <bool kSums, bool kAdd, bool kFramed>
void transform_output(int outputs, int tile, BoardSize size, int row, int column, const Target& target,
                      const Scratch& scratch) {
  const int rows = size.rows - row < kTileOutputs ? size.rows - row : kTileOutputs;
  const int columns = size.columns - column;
  const int step = kTiles * outputs;
  alignas(64) float half[kTileOutputs * kTileInputs * kWidth];
  for (int output = 0; output < outputs; output += kWidth) {
    const float* const from = scratch.products + tile * outputs + output;
    TESUJI_NOT_UNROLLED
    for (int c = 0; c < kTileInputs; ++c) {
      const Four sides = output_side(from + c * step, kTileInputs * step);
      float* const to = half + c * kWidth;
      store(to, sides.a);
      store(to + kTileInputs * kWidth, sides.b);
      store(to + 2 * kTileInputs * kWidth, sides.c);
      store(to + 3 * kTileInputs * kWidth, sides.d);
    }
    Writer<kSums, kAdd, kFramed> writer(target, size, outputs, row, column, output);
    TESUJI_NOT_UNROLLED
    for (int r = 0; r < rows; ++r) {
      const Four sums = output_side(half + r * kTileInputs * kWidth, kWidth);
      writer.write(0, sums.a);
      if (columns > 1) writer.write(1, sums.b);
      if (columns > 2) writer.write(2, sums.c);
      if (columns > 3) writer.write(3, sums.d);
      writer.next_row(size);
    }
  }
}

auto output_transform(const Target& target) {
  if (target.sums == nullptr) return transform_output<false, false, true>;
  return target.framed == nullptr ? transform_output<true, false, false> : transform_output<true, true, true>;
}

void convolve(const MatrixView& weights, BoardSize size, const float* framed, const Target& target,
              const Scratch& scratch) {
  const auto transform = output_transform(target);
  const int pitch = framed_columns(size) * weights.inputs;
  const int tiles = tile_rows(size) * tile_columns(size);
  for (int begin = 0; begin < tiles; begin += kTiles) {
    const int count = tiles - begin < kTiles ? tiles - begin : kTiles;
    for (int tile = 0; tile < count; ++tile) {
      const int row = (begin + tile) / tile_columns(size) * kTileOutputs;
      const int column = (begin + tile) % tile_columns(size) * kTileOutputs;
      transform_input(weights.inputs, framed + row * pitch + column * weights.inputs, pitch, tile, scratch);
    }
    for (int place = 0; place < kPlaces; ++place) {
      const int row = place * kTiles;
      multiply_rows(at_place(weights, place), count, scratch.rows + row * weights.inputs, scratch.scales + row,
                    scratch.products + row * weights.outputs);
    }
    for (int tile = 0; tile < count; ++tile) {
      const int row = (begin + tile) / tile_columns(size) * kTileOutputs;
      const int column = (begin + tile) % tile_columns(size) * kTileOutputs;
      transform(weights.outputs, tile, size, row, column, target, scratch);
    }
  }
}

void convolve_planes(const PlanesConvolution& convolution, BoardSize size, const float* planes, const Target& target,
                     const PlanesScratch& scratch) {
  const int outputs = convolution.outputs;
  for (int cell = 0; cell < cell_count(size); ++cell) {
    Term* const terms = scratch.of_cell + cell * convolution.planes;
    int count = 0;
    for (int plane = 0; plane < convolution.planes; ++plane) {
      const float value = planes[plane * cell_count(size) + cell];
      terms[count] = {plane * 9 * outputs, value};
      count += value != 0 ? 1 : 0;
    }
    scratch.count[cell] = count;
  }
  for (int row = 0; row < size.rows; ++row) {
    for (int column = 0; column < size.columns; ++column) {
      int count = 0;
      for (int place = 0; place < 9; ++place) {
        const int from_row = row + place / 3 - 1, from_column = column + place % 3 - 1;
        if (from_row < 0 || from_row >= size.rows || from_column < 0 || from_column >= size.columns) continue;
        const int cell = from_row * size.columns + from_column;
        const Term* const terms = scratch.of_cell + cell * convolution.planes;
        for (int i = 0; i < scratch.count[cell]; ++i) {
          scratch.of_output[count++] = {terms[i].index + place * outputs, terms[i].value};
        }
      }
      for (int output = 0; output < outputs; output += kWidth) {
        Floats sum{};
        for (int i = 0; i < count; ++i) {
          sum += load(convolution.weights + scratch.of_output[i].index + output) * scratch.of_output[i].value;
        }
        Writer<true, false, true>(target, size, outputs, row, column, output).write(0, sum);
      }
    }
  }
}

void multiply(const MatrixView& weights, BoardSize size, const float* framed, float* products, const Scratch& scratch) {
  for (int begin = 0; begin < cell_count(size); begin += kTiles) {
    const int count = cell_count(size) - begin < kTiles ? cell_count(size) - begin : kTiles;
    // The tile has room for all cells that are multiplied at once.
    for (int i = 0; i < count; ++i) {
      const int row = (begin + i) / size.columns, column = (begin + i) % size.columns;
      const float* const cell = framed + framed_index(size, row, column) * weights.inputs;
      std::memcpy(scratch.tile + i * weights.inputs, cell, sizeof(float) * static_cast<std::size_t>(weights.inputs));
    }
    for (int i = 0; i < count; i += kRowsAtOnce) {
      round_rows({scratch.tile + i * weights.inputs, weights.inputs}, weights.inputs,
                 {scratch.rows + i * weights.inputs, weights.inputs}, {scratch.scales + i, 1});
    }
    multiply_rows(weights, count, scratch.rows, scratch.scales, scratch.products);
    std::memcpy(products + begin * weights.outputs, scratch.products,
                sizeof(float) * static_cast<std::size_t>(count * weights.outputs));
  }
}

void activate(BoardSize size, const float* cells, int stride, int channels, const Activation& activation,
              float* framed) {
  for (int row = 0; row < size.rows; ++row) {
    for (int column = 0; column < size.columns; ++column) {
      const float* const from = cells + (row * size.columns + column) * stride;
      float* const to = framed + framed_index(size, row, column) * channels;
      for (int channel = 0; channel < channels; channel += kWidth) {
        store(to + channel,
              relu(load(from + channel) * load(activation.factor + channel) + load(activation.term + channel)));
      }
    }
  }
}

constexpr Kernels compiled_kernels{convolve_planes, convolve, multiply, activate};

}  // namespace
}  // namespace tesuji::network
