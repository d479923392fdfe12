#include "learn/logistic.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/threads.hpp"

namespace tesuji {

namespace {

// Partial sums of the gradient: enough for the threads of any machine with few codes, few where each takes megabytes.
std::size_t part_count(std::size_t codes) { return codes <= 1U << 13 ? 32 : codes <= 1U << 18 ? 8 : 2; }

// Calls work(part, begin, end) for equal parts of the range, in threads.
template <typename Work>
void for_each_part(std::size_t parts, std::size_t first, std::size_t last, int threads, Work&& work) {
  const std::size_t count = last - first;
  const auto one = [&](int number) {
    const auto part = static_cast<std::size_t>(number);
    work(part, first + count * part / parts, first + count * (part + 1) / parts);
  };
  parallel_for(static_cast<int>(parts), threads, one, [] {});
}

// A gradient and a loss for each part; their sums are taken in the order of the parts.
class PartialSums {
 public:
  PartialSums(std::size_t parts, std::size_t codes) : codes_(codes), gradients_(parts * codes, 0.0), losses_(parts) {}

  double* gradient(std::size_t part) { return gradients_.data() + part * codes_; }
  double& loss(std::size_t part) { return losses_[part]; }
  double add_to(double* gradient) const {
    double total = 0;
    for (std::size_t part = 0; part < losses_.size(); ++part) {
      for (std::size_t code = 0; code < codes_; ++code) gradient[code] += gradients_[part * codes_ + code];
      total += losses_[part];
    }
    return total;
  }

 private:
  std::size_t codes_;
  std::vector<double> gradients_;
  std::vector<double> losses_;
};

// Four independent sums hide the latency of the additions.
template <typename Index>
double row_sum(const CodeView<Index>& view, std::size_t row, const double* weights) {
  const std::int64_t end = view.offsets[row + 1];
  std::int64_t i = view.offsets[row];
  double sum = 0;
  if (view.values != nullptr) {
    for (; i < end; ++i) sum += weights[view.indices[i]] * view.values[i];
    return sum;
  }
  double other[3] = {0, 0, 0};
  for (; i + 4 <= end; i += 4) {
    sum += weights[view.indices[i]];
    other[0] += weights[view.indices[i + 1]];
    other[1] += weights[view.indices[i + 2]];
    other[2] += weights[view.indices[i + 3]];
  }
  for (; i < end; ++i) sum += weights[view.indices[i]];
  return (sum + other[1]) + (other[0] + other[2]);
}

template <typename Index>
void add_row(const CodeView<Index>& view, std::size_t row, double error, double* gradient) {
  const std::int64_t end = view.offsets[row + 1];
  if (view.values != nullptr) {
    for (std::int64_t i = view.offsets[row]; i < end; ++i) gradient[view.indices[i]] += error * view.values[i];
  } else {
    for (std::int64_t i = view.offsets[row]; i < end; ++i) gradient[view.indices[i]] += error;
  }
}

}  // namespace

template <typename Index>
double logistic_loss(const CodeView<Index>& view, std::size_t first, std::size_t last, const double* base,
                     const double* labels, const double* row_weights, const double* weights, double* gradient,
                     double* errors, int threads) {
  const std::size_t parts = part_count(view.codes);
  PartialSums sums(parts, view.codes);
  for_each_part(parts, first, last, threads, [&](std::size_t part, std::size_t begin, std::size_t end) {
    double* const own = sums.gradient(part);
    double loss = 0;
    for (std::size_t row = begin; row < end; ++row) {
      const std::size_t at = row - first;
      const double z = base[at] + row_sum(view, row, weights);
      const double small = std::exp(-std::abs(z));  // never overflows
      loss += row_weights[at] * (std::log1p(small) + std::max(z, 0.0) - labels[at] * z);
      const double probability = (z >= 0 ? 1.0 : small) / (1.0 + small);
      const double error = row_weights[at] * (probability - labels[at]);
      errors[at] = error;
      add_row(view, row, error, own);
    }
    sums.loss(part) = loss;
  });
  return sums.add_to(gradient);
}

template <typename Index>
double conditional_loss(const CodeView<Index>& view, const Choices& choices, std::size_t first, std::size_t last,
                        const double* weights, double* gradient, int threads) {
  const std::size_t parts = part_count(view.codes);
  PartialSums sums(parts, view.codes);
  for_each_part(parts, first, last, threads, [&](std::size_t part, std::size_t begin, std::size_t end) {
    double* const own = sums.gradient(part);
    std::vector<double> logits;
    double loss = 0;
    for (std::size_t position = begin; position < end; ++position) {
      const auto row = static_cast<std::size_t>(position == 0 ? 0 : choices.ends[position - 1]);
      logits.resize(static_cast<std::size_t>(choices.ends[position]) - row);
      for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = row_sum(view, row + i, weights);
      const double most = *std::max_element(logits.begin(), logits.end());
      const auto chosen = static_cast<std::size_t>(choices.chosen[position]);
      const double weight = choices.weights[position];
      loss += weight * (most - logits[chosen]);
      double total = 0;
      for (double& logit : logits) total += logit = std::exp(logit - most);
      loss += weight * std::log(total);
      for (std::size_t i = 0; i < logits.size(); ++i) {
        add_row(view, row + i, weight * (logits[i] / total - (i == chosen ? 1.0 : 0.0)), own);
      }
    }
    sums.loss(part) = loss;
  });
  return sums.add_to(gradient);
}

template <typename Index>
void code_sums(const CodeView<Index>& view, std::size_t first, std::size_t last, const double* weights, double* sums,
               int threads) {
  for_each_part(part_count(view.codes), first, last, threads, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) sums[row - first] = row_sum(view, row, weights);
  });
}

template <typename Index>
void code_squares(const CodeView<Index>& view, std::size_t first, std::size_t last, const double* row_weights,
                  double* squares, int threads) {
  const std::size_t parts = part_count(view.codes);
  PartialSums sums(parts, view.codes);
  for_each_part(parts, first, last, threads, [&](std::size_t part, std::size_t begin, std::size_t end) {
    double* const own = sums.gradient(part);
    std::vector<double> counts(view.codes, 0.0);
    for (std::size_t row = begin; row < end; ++row) {
      add_row(view, row, 1.0, counts.data());
      for (std::int64_t i = view.offsets[row]; i < view.offsets[row + 1]; ++i) {
        double& count = counts[view.indices[i]];
        own[view.indices[i]] += row_weights[row - first] * count * count;
        count = 0;
      }
    }
  });
  sums.add_to(squares);
}

#define TESUJI_INSTANTIATE(Index)                                                                                   \
  template double logistic_loss(const CodeView<Index>&, std::size_t, std::size_t, const double*, const double*,     \
                                const double*, const double*, double*, double*, int);                               \
  template double conditional_loss(const CodeView<Index>&, const Choices&, std::size_t, std::size_t, const double*, \
                                   double*, int);                                                                   \
  template void code_sums(const CodeView<Index>&, std::size_t, std::size_t, const double*, double*, int);           \
  template void code_squares(const CodeView<Index>&, std::size_t, std::size_t, const double*, double*, int);
TESUJI_INSTANTIATE(std::uint16_t)
TESUJI_INSTANTIATE(std::uint32_t)
#undef TESUJI_INSTANTIATE

}  // namespace tesuji
