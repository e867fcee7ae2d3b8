// Blocks of kernel values. rbf and Laplace kernels: distances (kernel_distances.hpp) and a vectorised function of them;
// angular and implicit: FeatureMap::implicit_kernel.
#include "compute/cpu/cpu_device.hpp"
#include "compute/cpu/kernel_distances.hpp"
#include "core/parallel.hpp"

#include <weft/feature_map.hpp>

#include <algorithm>

namespace weft::detail {

namespace {

/// Calls fill(first_row, first_column, out) for strips of out's columns. `lower`: rows above the strip are left.
template <class Fill>
void for_each_strip(View<double> out, bool lower, const Run& run, Fill&& fill) {
  parallel_for((out.cols + kDistanceStrip - 1) / kDistanceStrip, run.thread_count(), [&](Index k) {
    run.check_cancelled();
    const Index first = k * kDistanceStrip;
    const Index cols = std::min(kDistanceStrip, out.cols - first);
    const Index row = lower ? first : 0;
    fill(row, first, out.row_range(row, out.rows - row).col_range(first, cols));
  });
}

template <class Real>
void fill_distances(const Kernel& kernel, const LeftRows<Real>& left, View<const double> b, View<double> out,
                    bool lower, const Run& run) {
  const DistanceDecay form = distance_decay(kernel);
  for_each_strip(out, lower, run, [&](Index row, Index first, View<double> strip) {
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
  for_each_strip(out, lower, run, [&](Index row, Index first, View<double> strip) {
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
