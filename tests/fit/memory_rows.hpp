// Rows in memory for the tests of fits: points in a few dimensions, given to the fit in blocks of any size.
#pragma once

#include "core/random.hpp"
#include "fit/problem.hpp"

#include <cmath>

namespace weft::testing {

class MemoryRows final : public BlockSource {
 public:
  Matrix x;                     // inputs × rows
  Matrix y;                     // outputs × rows
  std::vector<double> weights;  // or empty
  Index block = 100;

  Index rows() const override { return x.cols(); }
  Index outputs() const override { return y.rows(); }
  const TrainingBlock* in_memory() const override { return nullptr; }
  void for_each(const std::function<bool(const TrainingBlock&)>& consume) const override {
    for (Index i = 0; i < rows(); i += block) {
      const Index count = std::min(block, rows() - i);
      const TrainingBlock part{x.view().col_range(i, count), y.view().col_range(i, count),
                               weights.empty() ? nullptr : weights.data() + i, i};
      if (!consume(part)) return;
    }
  }
};

/// Normal inputs with a constant 1 as the last column; classes are noisy sectors of the first two inputs, coded ±1.
/// classes 2 with `one_output` gives binary coding.
inline MemoryRows sectors(Index rows, Index inputs, Index classes, bool one_output, double noise = 0.4) {
  const Random random(17, Stream::generator);
  MemoryRows data;
  data.x = Matrix(inputs + 1, rows);
  data.y = Matrix(one_output ? 1 : classes, rows);
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

}  // namespace weft::testing
