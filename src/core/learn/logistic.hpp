// Losses and gradients of logistic regressions over rows of codes, in threads.
//
// A code stands for a column of a sparse matrix of counts. Neither the ones of the matrix nor a transposed copy are
// stored: a pass over the indices gives both the loss and the gradient. Rows are divided among a fixed number of
// partial sums, so that results do not depend on the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tesuji {

// Rows of codes, as in CodeRows; Index is std::uint16_t or std::uint32_t.
template <typename Index>
struct CodeView {
  const std::int64_t* offsets;
  const Index* indices;
  const double* values;  // parallel to the indices; null: all 1
  std::size_t codes;     // every index is smaller
};

// The sum of loss·weight over the rows, where loss = log(1 + e^z) − y·z and z is `base` plus the weights of the row's
// codes. Adds the derivatives to `gradient` (by code) and writes those of the rows (by z) to `errors`. All arrays but
// those of the view start at the first row.
template <typename Index>
double logistic_loss(const CodeView<Index>& view, std::size_t first, std::size_t last, const double* base,
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
template <typename Index>
double conditional_loss(const CodeView<Index>& view, const Choices& choices, std::size_t first, std::size_t last,
                        const double* weights, double* gradient, int threads);

// For each row the sum of the weights of its codes.
template <typename Index>
void code_sums(const CodeView<Index>& view, std::size_t first, std::size_t last, const double* weights, double* sums,
               int threads);

// Adds weight·value² of each row to its codes: four times the diagonal of the largest Hessian of logistic_loss. Codes
// that occur several times in a row are added up first.
template <typename Index>
void code_squares(const CodeView<Index>& view, std::size_t first, std::size_t last, const double* row_weights,
                  double* squares, int threads);

}  // namespace tesuji
