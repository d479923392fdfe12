// Matrices of 8-bit weights, and their products with rows of floats.
//
// A row is rounded to 8 bits when it is multiplied, with a scale of its own: x ≈ s·q with s = max|x|/127. So there is
// nothing to calibrate, and the error is a fraction of the row's own largest number. Weights have a scale per output.
// The processor's instructions multiply unsigned by signed bytes: a row is stored as q + 128, and each output begins
// with -128 times the sum of its weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tesuji::network {

// Rows are padded with zeros to a multiple of this, the numbers in the largest vector.
constexpr int kLanes = 16;
constexpr float kLargest = 127;  // of rounded numbers

constexpr int padded(int size) { return (size + kLanes - 1) / kLanes * kLanes; }

// Indices and sizes of arrays; of rows of `width` numbers.
constexpr std::size_t at(int index) { return static_cast<std::size_t>(index); }
constexpr std::size_t at(int row, int width) { return at(row) * at(width); }

// Zeros that begin at a cache line.
template <typename T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) : lines_((size * sizeof(T) + kLine - 1) / kLine), size_(size) {}
  T* data() { return reinterpret_cast<T*>(lines_.data()); }
  const T* data() const { return reinterpret_cast<const T*>(lines_.data()); }
  T& operator[](std::size_t i) { return data()[i]; }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kLine = 64;  // bytes
  struct alignas(kLine) Line {
    unsigned char bytes[kLine] = {};
  };
  std::vector<Line> lines_;
  std::size_t size_ = 0;
};
using Numbers = Buffer<float>;

// Several matrices of one size, as the kernels read them.
struct MatrixView {
  int inputs;                   // a multiple of kLanes
  int outputs;                  // likewise
  const std::int8_t* weights;   // [matrix][inputs / 4][output][4]
  const float* scales;          // [matrix][output]
  const std::int32_t* offsets;  // [matrix][output]: -128·Σ weights
};

class Matrices {
 public:
  Matrices(int count, int inputs, int outputs);

  // Rounds the weights of one output, [inputs] of the size that was given, with the scale that minimises the squared
  // error. Throws std::invalid_argument if they are not finite.
  void set(int matrix, int output, const float* weights);
  MatrixView view() const { return {inputs_, outputs_, weights_.data(), scales_.data(), offsets_.data()}; }

 private:
  int given_inputs_;
  int inputs_;
  int outputs_;
  Buffer<std::int8_t> weights_;
  Numbers scales_;
  Buffer<std::int32_t> offsets_;
};

}  // namespace tesuji::network
