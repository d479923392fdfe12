// Losses and gradients of logistic regressions over rows of codes, in threads.
//
// A code stands for a column of a sparse matrix of counts. Neither the ones of the matrix nor a transposed copy are
// stored: a pass over the indices gives both the loss and the gradient. Rows are divided among a fixed number of
// partial sums, so that results do not depend on the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tesuji {

// Rows of codes, as in CodeRows: one of `narrow` and `wide` has the indices, the other is null.
struct SparseRows {
  const std::int64_t* offsets;
  const std::uint16_t* narrow;
  const std::uint32_t* wide;
  const double* values;  // parallel to the indices; null: all 1
  std::size_t codes;     // every index is smaller
};

// The sum of loss·weight over the rows, where loss = log(1 + e^z) − y·z and z is `base` plus the weights of the row's
// codes. Adds the derivatives to `gradient` (by code) and writes those of the rows (by z) to `errors`. All arrays but
// those of `rows` start at the first row.
double logistic_loss(const SparseRows& rows, std::size_t first, std::size_t last, const double* base,
                     const double* labels, const double* row_weights, const double* weights, double* gradient,
                     double* errors, int threads);

// A position of a conditional logistic regression: the softmax over its rows, one for each move, of which one was
// chosen. `ends` has the end of each position's rows.
struct Choices {
  const std::int64_t* ends;
  const std::int32_t* chosen;
  const double* weights;  // of each position
};

// The sum of loss·weight over the positions, where loss = log Σ e^z − z[chosen] and z of a row is the sum of the
// weights of its codes. Adds the derivatives to `gradient`.
double conditional_loss(const SparseRows& rows, const Choices& choices, std::size_t first, std::size_t last,
                        const double* weights, double* gradient, int threads);

// For each row the sum of the weights of its codes.
void code_sums(const SparseRows& rows, std::size_t first, std::size_t last, const double* weights, double* sums,
               int threads);

// Adds weight·value² of each row to its codes: four times the diagonal of the largest Hessian of logistic_loss. Codes
// that occur several times in a row are added up first.
void code_squares(const SparseRows& rows, std::size_t first, std::size_t last, const double* row_weights,
                  double* squares, int threads);

}  // namespace tesuji
