// The rows of a fit in memory, for methods that solve kernel equations on some of them at a time.
#pragma once

#include "data/rows/block_source.hpp"

#include <span>
#include <vector>

namespace weft::detail {

/// Where the targets were moved from: y = (target − mean) / deviation.
struct TargetScale {
  std::vector<double> mean;       ///< one per output
  std::vector<double> deviation;  ///< likewise; 1 where the target does not vary
};

struct LabelledRows {
  Matrix x;                     ///< inputs × n
  Matrix y;                     ///< n × outputs
  std::vector<double> weights;  ///< n; empty: all 1

  Index rows() const { return x.cols(); }
  Index outputs() const { return y.cols(); }
  double weight(Index row) const { return weights.empty() ? 1 : weights[static_cast<std::size_t>(row)]; }
  LabelledRows subset(std::span<const Index> positions) const;
};

/// The columns of x at these positions.
Matrix gather_columns(View<const double> x, std::span<const Index> positions);

/// Rows that agree in all inputs become one with the sum of their weights and the mean of their targets.
LabelledRows merge_equal(const LabelledRows& rows);

/// The largest value of an input less the smallest.
double column_range(const Matrix& x, Index input);

/// The standard deviation of every input.
std::vector<double> column_deviations(const Matrix& x);

/// Rows without weight are left out; weights have mean 1. Throws Error(data) where no row has a weight.
LabelledRows gather_labelled(const BlockSource& rows, TargetScale& scale);

}  // namespace weft::detail
