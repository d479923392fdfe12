#include "learn/logistic.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/threads.hpp"

namespace tesuji {

namespace {

// Partial sums of the gradient: enough for the threads of any machine with few codes, few where each takes megabytes.
std::size_t part_count(std::size_t codes) { return codes <= 1U << 13 ? 32 : codes <= 1U << 18 ? 8 : 2; }

// The rows, with the type of their indices.
template <typename Index>
struct TypedRows {
  const std::int64_t* offsets;
  const Index* indices;
  const double* values;

  // Four independent sums hide the latency of the additions.
  double sum(std::size_t row, const double* weights) const {
    const std::int64_t end = offsets[row + 1];
    std::int64_t i = offsets[row];
    double sum = 0;
    if (values != nullptr) {
      for (; i < end; ++i) sum += weights[indices[i]] * values[i];
      return sum;
    }
    double other[3] = {0, 0, 0};
    for (; i + 4 <= end; i += 4) {
      sum += weights[indices[i]];
      other[0] += weights[indices[i + 1]];
      other[1] += weights[indices[i + 2]];
      other[2] += weights[indices[i + 3]];
    }
    for (; i < end; ++i) sum += weights[indices[i]];
    return (sum + other[1]) + (other[0] + other[2]);
  }

  void add(std::size_t row, double error, double* gradient) const {
    const std::int64_t end = offsets[row + 1];
    if (values != nullptr) {
      for (std::int64_t i = offsets[row]; i < end; ++i) gradient[indices[i]] += error * values[i];
    } else {
      for (std::int64_t i = offsets[row]; i < end; ++i) gradient[indices[i]] += error;
    }
  }
};

// Calls work(rows, part, begin, end) for equal parts of the range, in threads.
template <typename Work>
void for_each_part(const SparseRows& rows, std::size_t first, std::size_t last, int threads, Work&& work) {
  const std::size_t count = last - first, parts = part_count(rows.codes);
  const auto divide = [&](const auto& typed) {
    const auto one = [&](int number) {
      const auto part = static_cast<std::size_t>(number);
      work(typed, part, first + count * part / parts, first + count * (part + 1) / parts);
    };
    parallel_for(static_cast<int>(parts), threads, one, [] {});
  };
  if (rows.narrow != nullptr) {
    divide(TypedRows<std::uint16_t>{rows.offsets, rows.narrow, rows.values});
  } else {
    divide(TypedRows<std::uint32_t>{rows.offsets, rows.wide, rows.values});
  }
}

// Returns the sum of loss(rows, begin, end, gradient) over the parts. Each has a gradient of its own; they are added to
// `gradient` in the order of the parts.
template <typename Loss>
double sum_over_parts(const SparseRows& rows, std::size_t first, std::size_t last, int threads, double* gradient,
                      Loss&& loss) {
  const std::size_t parts = part_count(rows.codes);
  std::vector<double> gradients(parts * rows.codes, 0.0), losses(parts);
  for_each_part(rows, first, last, threads,
                [&](const auto& typed, std::size_t part, std::size_t begin, std::size_t end) {
                  losses[part] = loss(typed, begin, end, gradients.data() + part * rows.codes);
                });
  double total = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    for (std::size_t code = 0; code < rows.codes; ++code) gradient[code] += gradients[part * rows.codes + code];
    total += losses[part];
  }
  return total;
}

}  // namespace

double logistic_loss(const SparseRows& rows, std::size_t first, std::size_t last, const double* base,
                     const double* labels, const double* row_weights, const double* weights, double* gradient,
                     double* errors, int threads) {
  const auto loss = [&](const auto& typed, std::size_t begin, std::size_t end, double* own) {
    double sum = 0;
    for (std::size_t row = begin; row < end; ++row) {
      const std::size_t at = row - first;
      const double z = base[at] + typed.sum(row, weights);
      const double small = std::exp(-std::abs(z));  // never overflows
      sum += row_weights[at] * (std::log1p(small) + std::max(z, 0.0) - labels[at] * z);
      const double probability = (z >= 0 ? 1.0 : small) / (1.0 + small);
      errors[at] = row_weights[at] * (probability - labels[at]);
      typed.add(row, errors[at], own);
    }
    return sum;
  };
  return sum_over_parts(rows, first, last, threads, gradient, loss);
}

double conditional_loss(const SparseRows& rows, const Choices& choices, std::size_t first, std::size_t last,
                        const double* weights, double* gradient, int threads) {
  const auto loss = [&](const auto& typed, std::size_t begin, std::size_t end, double* own) {
    std::vector<double> logits;
    double sum = 0;
    for (std::size_t position = begin; position < end; ++position) {
      const auto row = static_cast<std::size_t>(position == 0 ? 0 : choices.ends[position - 1]);
      logits.resize(static_cast<std::size_t>(choices.ends[position]) - row);
      for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = typed.sum(row + i, weights);
      const double most = *std::max_element(logits.begin(), logits.end());
      const auto chosen = static_cast<std::size_t>(choices.chosen[position]);
      const double weight = choices.weights[position];
      sum += weight * (most - logits[chosen]);
      double total = 0;
      for (double& logit : logits) total += logit = std::exp(logit - most);
      sum += weight * std::log(total);
      for (std::size_t i = 0; i < logits.size(); ++i) {
        typed.add(row + i, weight * (logits[i] / total - (i == chosen ? 1.0 : 0.0)), own);
      }
    }
    return sum;
  };
  return sum_over_parts(rows, first, last, threads, gradient, loss);
}

void code_sums(const SparseRows& rows, std::size_t first, std::size_t last, const double* weights, double* sums,
               int threads) {
  for_each_part(rows, first, last, threads, [&](const auto& typed, std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) sums[row - first] = typed.sum(row, weights);
  });
}

void code_squares(const SparseRows& rows, std::size_t first, std::size_t last, const double* row_weights,
                  double* squares, int threads) {
  const auto add = [&](const auto& typed, std::size_t begin, std::size_t end, double* own) {
    std::vector<double> counts(rows.codes, 0.0);
    for (std::size_t row = begin; row < end; ++row) {
      typed.add(row, 1.0, counts.data());
      for (std::int64_t i = rows.offsets[row]; i < rows.offsets[row + 1]; ++i) {
        double& count = counts[typed.indices[i]];
        own[typed.indices[i]] += row_weights[row - first] * count * count;
        count = 0;
      }
    }
    return 0.0;
  };
  sum_over_parts(rows, first, last, threads, squares, add);
}

}  // namespace tesuji
