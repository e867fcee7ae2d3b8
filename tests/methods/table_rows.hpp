// Rows in memory for tests of fits, cut into blocks of any size.
#pragma once

#include "core/random.hpp"
#include "methods/problem.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Core>

namespace weft::testing_rows {

using namespace detail;

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline RowMatrix to_eigen(View<const double> m) {
  return Eigen::Map<const RowMatrix, 0, Eigen::OuterStride<>>(m.data, m.rows, m.cols, Eigen::OuterStride<>(m.stride));
}

class TableRows final : public BlockSource {
 public:
  Matrix x, y;
  std::vector<double> weights;
  Index block_rows = 2048;
  bool streamed = false;  // as rows that do not fit into memory

  TableRows() = default;
  TableRows(Matrix x_, Matrix y_, std::vector<double> weights_ = {})
      : x(std::move(x_)), y(std::move(y_)), weights(std::move(weights_)) {}

  Index rows() const override { return x.cols(); }
  Index outputs() const override { return y.rows(); }
  const TrainingBlock* in_memory() const override {
    all_ = {x, y, weights.empty() ? nullptr : weights.data(), 0};
    return streamed ? nullptr : &all_;
  }
  void for_each(const std::function<bool(const TrainingBlock&)>& consume) const override {
    for (Index first = 0; first < rows(); first += block_rows) {
      const Index count = std::min(block_rows, rows() - first);
      if (!consume({x.view().col_range(first, count), y.view().col_range(first, count),
                    weights.empty() ? nullptr : weights.data() + first, first}))
        return;
    }
  }

 private:
  mutable TrainingBlock all_;
};

/// A smooth target of `inputs` normal variables plus noise; `outputs` differ in their phase. The last input is a bias.
inline TableRows smooth_problem(Index inputs, Index rows, Index outputs, std::uint64_t seed) {
  const Random random(seed, RandomStream::generator);
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

/// Normal inputs with a constant 1 as the last column; classes are noisy sectors of the first two inputs, coded ±1.
/// classes 2 with `one_output` gives binary coding. Streamed, in several blocks.
inline TableRows sectors(Index rows, Index inputs, Index classes, bool one_output, double noise = 0.4) {
  const Random random(17, RandomStream::generator);
  TableRows data(Matrix(inputs + 1, rows), Matrix(one_output ? 1 : classes, rows));
  data.block_rows = 100;
  data.streamed = true;
  for (Index i = 0; i < rows; ++i) {
    const auto at = static_cast<std::uint64_t>(i);
    for (Index j = 0; j < inputs; ++j) data.x(j, i) = random.normal(at, static_cast<std::uint32_t>(j));
    data.x(inputs, i) = 1;
    const double angle = std::atan2(data.x(1, i) + noise * random.normal(at, 100), data.x(0, i)) / 6.2831853072 + 0.5;
    const Index label = std::min(classes - 1, static_cast<Index>(angle * static_cast<double>(classes)));
    if (one_output)
      data.y(0, i) = label == 1 ? 1 : -1;
    else
      for (Index k = 0; k < classes; ++k) data.y(k, i) = k == label ? 1 : -1;
  }
  return data;
}

}  // namespace weft::testing_rows
