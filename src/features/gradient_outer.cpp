#include "features/gradient_outer.hpp"

#include "compute/device.hpp"
#include "core/at.hpp"
#include "core/parallel.hpp"
#include "core/tiles.hpp"

#include <cmath>

namespace weft::detail {

namespace {

constexpr Index kRows = 1024;   // whose gradients are held at once
constexpr Index kInputs = 128;  // tiles of the sums

/// visit(gradients) with the gradients of blocks of rows, those of row i times √w_i: (outputs · inputs) × rows.
template <class Visit>
void each_block(const FeatureMap& map, View<const double> coefficients, View<const double> x, const double* weights,
                const Run& run, const Visit& visit) {
  Matrix gradients;
  for (Index k = 0; k < tile_count(x.cols, kRows); ++k) {
    run.check_cancelled();
    const Tile part = tile(k, x.cols, kRows);
    gradients.reshape(coefficients.cols * x.rows, part.count);
    map.gradients(x.col_range(part.first, part.count), coefficients, gradients, run);
    for (Index r = 0; weights != nullptr && r < gradients.rows(); ++r)
      for (Index i = 0; i < part.count; ++i) gradients(r, i) *= std::sqrt(weights[part.first + i]);
    visit(gradients);
  }
}

}  // namespace

std::vector<double> gradient_squares(const FeatureMap& map, View<const double> coefficients, View<const double> x,
                                     const double* weights, const Run& run) {
  std::vector<double> sums(at(x.rows));
  each_block(map, coefficients, x, weights, run, [&](const Matrix& gradients) {
    for (Index r = 0; r < gradients.rows(); ++r)
      sums[at(r % x.rows)] += cpu().dot(gradients.cols(), gradients.row(r), gradients.row(r));
  });
  return sums;
}

Matrix gradient_outer(const FeatureMap& map, View<const double> coefficients, View<const double> x,
                      const double* weights, const Run& run) {
  const Index inputs = x.rows;
  Matrix sums(inputs, inputs);
  const auto pairs = triangle_tiles(0, tile_count(inputs, kInputs));
  each_block(map, coefficients, x, weights, run, [&](const Matrix& gradients) {
    parallel_for(static_cast<Index>(pairs.size()), run.thread_count(), [&](Index p) {
      const Tile rows = tile(pairs[at(p)].row, inputs, kInputs), cols = tile(pairs[at(p)].col, inputs, kInputs);
      for (Index o = 0; o < coefficients.cols; ++o) {
        const View<const double> of_output = gradients.view().row_range(o * inputs, inputs);
        cpu().multiply(1, of_output.row_range(rows.first, rows.count),
                       transpose(of_output.row_range(cols.first, cols.count)), 1, block(sums.view(), rows, cols));
      }
    });
  });
  for (Index j = 0; j < inputs; ++j)
    for (Index k = j + 1; k < inputs; ++k) sums(j, k) = sums(k, j);
  return sums;
}

}  // namespace weft::detail
