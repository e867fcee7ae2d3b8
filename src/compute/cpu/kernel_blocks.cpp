// Blocks of kernel values. rbf and Laplace kernels: distances (kernel_distances.hpp) and a vectorised function of them;
// angular and implicit: FeatureMap::implicit_kernel.
#include "compute/cpu/cpu_device.hpp"
#include "compute/cpu/kernel_distances.hpp"
#include "core/parallel.hpp"
#include "core/tiles.hpp"

#include <weft/feature_map.hpp>

#include <algorithm>
#include <array>

namespace weft::detail {

namespace {

/// Calls fill(first_row, first_column, out) for strips of out's columns, `height` rows at a time. `lower`: rows above
/// the strip are left.
template <class Fill>
void for_each_piece(View<double> out, Index height, bool lower, const Run& run, Fill&& fill) {
  if (out.rows == 0) return;
  const Index heights = tile_count(out.rows, height);
  parallel_for(heights * tile_count(out.cols, kDistanceStrip), run.thread_count(), [&](Index k) {
    run.check_cancelled();
    const Tile cols = tile(k / heights, out.cols, kDistanceStrip), rows = tile(k % heights, out.rows, height);
    const Index first = lower ? std::max(rows.first, cols.first) : rows.first, end = rows.first + rows.count;
    if (first < end) fill(first, cols.first, block(out, {first, end - first}, cols));
  });
}

/// A strip of one column, from row `row` of the left side.
template <class Real>
void fill_column(const DistanceDecay& form, const LeftRows<Real>& left, Index row, View<const double> b,
                 View<double> out) {
  RowDistances<Real> distances(form, left, b);
  alignas(64) std::array<double, kDistanceTile> values;
  for (Index t = 0; t < out.rows; t += kDistanceTile) {
    const Index count = std::min(kDistanceTile, out.rows - t);
    distance_kernels<Real>().values(count, form.decay, distances.tile(row + t, count), values.data());
    for (Index i = 0; i < count; ++i) out(t + i, 0) = values[static_cast<std::size_t>(i)];
  }
}

template <class Real>
void fill_distances(const Kernel& kernel, const LeftRows<Real>& left, View<const double> b, View<double> out,
                    bool lower, const Run& run) {
  const DistanceDecay form = distance_decay(kernel);
  for_each_piece(out, kDistanceRows, lower, run, [&](Index row, Index first, View<double> strip) {
    if (strip.cols == 1) return fill_column(form, left, row, b.col_range(first, 1), strip);
    StripDistances<Real> distances(form, left, b.col_range(first, strip.cols));
    for (Index t = 0; t < strip.rows; t += kDistanceTile) {
      const View<double> target = strip.row_range(t, std::min(kDistanceTile, strip.rows - t));
      const View<Real> tile = distances.tile(row + t, target.rows, target);
      for (Index i = 0; i < tile.rows; ++i)
        distance_kernels<Real>().values(tile.cols, form.decay, tile.row(i), target.row(i));
    }
  });
}

void fill_implicit(const FeatureMap& limit, View<const double> a, View<const double> b, View<double> out, bool lower,
                   const Run& run) {
  for_each_piece(out, std::max<Index>(1, out.rows), lower, run, [&](Index row, Index first, View<double> strip) {
    const Matrix block = limit.implicit_kernel(a.col_range(row, strip.rows), b.col_range(first, strip.cols), run);
    for (Index t = 0; t < strip.rows; ++t) std::copy_n(block.row(t), strip.cols, strip.row(t));
  });
}

}  // namespace

void CpuDevice::kernel_values(const Kernel& kernel, View<const double> a, const PreparedRows& prepared,
                              View<const double> b, View<double> out, bool lower, const Run& run) const {
  if (kernel.limit() != nullptr) return fill_implicit(*kernel.limit(), a, b, out, lower, run);
  if (prepared.precision == Precision::float32)
    fill_distances(kernel, left_rows(a, prepared, float{}), b, out, lower, run);
  else
    fill_distances(kernel, left_rows(a, prepared, double{}), b, out, lower, run);
}

}  // namespace weft::detail
