// Rows in memory for tests of fits, cut into blocks of any size.
#pragma once

#include "core/random.hpp"
#include "fit/problem.hpp"

#include <algorithm>
#include <vector>

#include <Eigen/Dense>

namespace weft::testing_rows {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline RowMatrix to_eigen(View<const double> m) {
  return Eigen::Map<const RowMatrix, 0, Eigen::OuterStride<>>(m.data, m.rows, m.cols, Eigen::OuterStride<>(m.stride));
}

class TableRows final : public BlockSource {
 public:
  Matrix x, y;
  std::vector<double> weights;
  Index block_rows = 2048;

  Index rows() const override { return x.cols(); }
  Index outputs() const override { return y.rows(); }
  const TrainingBlock* in_memory() const override {
    all_ = {x, y, weights.empty() ? nullptr : weights.data(), 0};
    return &all_;
  }
  void for_each(const std::function<bool(const TrainingBlock&)>& consume) const override {
    const TrainingBlock* all = in_memory();
    for (Index first = 0; first < rows(); first += block_rows) {
      const Index count = std::min(block_rows, rows() - first);
      if (!consume({all->x.col_range(first, count), all->y.col_range(first, count),
                    all->weights == nullptr ? nullptr : all->weights + first, first}))
        return;
    }
  }

 private:
  mutable TrainingBlock all_;
};

/// A smooth target of `inputs` normal variables plus noise; `outputs` differ in their phase. The last input is a bias.
inline TableRows smooth_problem(Index inputs, Index rows, Index outputs, std::uint64_t seed) {
  const Random random(seed, Stream::generator);
  TableRows table;
  table.x = Matrix(inputs + 1, rows);
  table.y = Matrix(outputs, rows);
  for (Index i = 0; i < rows; ++i) {
    double sum = 0;
    for (Index j = 0; j < inputs; ++j) {
      table.x(j, i) = random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(j));
      sum += table.x(j, i) / static_cast<double>(j + 1);
    }
    table.x(inputs, i) = 1;
    for (Index o = 0; o < outputs; ++o)
      table.y(o, i) = 3 + std::sin(1.5 * sum + static_cast<double>(o)) +
                      0.1 * random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(100 + o));
  }
  return table;
}

}  // namespace weft::testing_rows
