#include "games/hex/solver/resistance.hpp"

#include <cmath>

namespace tesuji::hex {

template <int Words>
void Circuit<Words>::add_currents(const ReducedGraph<Words>& graph, const CellSet<Words>& empty,
                                  std::vector<float>& shares) {
  using Set = CellSet<Words>;
  constexpr float leak = 1e-4F;  // keeps cells apart from everything solvable
  cells_.clear();
  index_.assign(graph.near.size(), -1);
  empty.each([&](int cell) {
    index_[cell] = static_cast<int>(cells_.size());
    cells_.push_back(cell);
  });
  const std::size_t n = cells_.size();
  // The neighbours of a cell, without those it only shares a side with.
  const auto around = [&](int cell) {
    Set near = graph.near[cell];
    for (int side = 0; side < 2; ++side) {
      if (graph.touching[side].has(cell)) near -= graph.touching[side];
    }
    return near;
  };
  matrix_.assign(n * n, 0.0F);
  potentials_.assign(n, 0.0F);
  for (std::size_t i = 0; i < n; ++i) {
    float total = leak;
    around(cells_[i]).each([&](int other) {
      matrix_[i * n + static_cast<std::size_t>(index_[other])] = -1.0F;
      total += 1.0F;
    });
    if (graph.touching[0].has(cells_[i])) {
      potentials_[i] += 1.0F;
      total += 1.0F;
    }
    if (graph.touching[1].has(cells_[i])) total += 1.0F;
    matrix_[i * n + i] = total;
  }
  // Gaussian elimination; the matrix is symmetric and diagonally dominant.
  for (std::size_t k = 0; k < n; ++k) {
    const float* pivot = &matrix_[k * n];
    const float inverse = 1.0F / pivot[k];
    for (std::size_t i = k + 1; i < n; ++i) {
      float* row = &matrix_[i * n];
      if (row[k] == 0.0F) continue;
      const float factor = row[k] * inverse;
      for (std::size_t j = k + 1; j < n; ++j) row[j] -= factor * pivot[j];
      potentials_[i] -= factor * potentials_[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    float sum = potentials_[k];
    for (std::size_t j = k + 1; j < n; ++j) sum -= matrix_[k * n + j] * potentials_[j];
    potentials_[k] = sum / matrix_[k * n + k];
  }
  float whole = leak;
  graph.touching[0].each([&](int cell) { whole += 1.0F - potentials_[static_cast<std::size_t>(index_[cell])]; });
  for (std::size_t i = 0; i < n; ++i) {
    float current = 0;
    around(cells_[i]).each([&](int other) {
      current += std::fabs(potentials_[i] - potentials_[static_cast<std::size_t>(index_[other])]);
    });
    if (graph.touching[0].has(cells_[i])) current += 1.0F - potentials_[i];
    if (graph.touching[1].has(cells_[i])) current += potentials_[i];
    shares[cells_[i]] += current / (2.0F * whole);
  }
}

template class Circuit<1>;
template class Circuit<2>;
template class Circuit<6>;

}  // namespace tesuji::hex
