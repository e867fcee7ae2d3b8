// Blocks of kernel values. rbf: squared distances from inner products, one GEMM per tile; laplace: a vectorised loop
// over the inputs; angular and implicit: FeatureMap::implicit_kernel.
#include "compute/cpu/blas.hpp"
#include "compute/cpu/cpu_device.hpp"
#include "compute/cpu/vector_kernels.hpp"
#include "core/parallel.hpp"

#include <weft/feature_map.hpp>

#include <algorithm>

namespace weft::detail {

namespace {

constexpr Index kStrip = 256;  // columns of b that one thread takes at a time
constexpr Index kTile = 128;   // rows of a whose products stay in cache

/// Calls fill(first_row, strip of columns, out) for strips of out's columns. `lower`: rows above the strip are left.
template <class Fill>
void for_each_strip(View<double> out, bool lower, const Run& run, Fill&& fill) {
  parallel_for((out.cols + kStrip - 1) / kStrip, run.thread_count(), [&](Index k) {
    run.check_cancelled();
    const Index first = k * kStrip;
    const Index cols = std::min(kStrip, out.cols - first);
    const Index row = lower ? first : 0;
    fill(row, first, out.row_range(row, out.rows - row).col_range(first, cols));
  });
}

/// From ‖a‖² + ‖b‖² − 2⟨a, b⟩.
void fill_rbf(double bandwidth, const PreparedRows& left, View<const double> b, View<double> out, bool lower,
              const Run& run) {
  const double rate = 0.5 / (bandwidth * bandwidth);
  for_each_strip(out, lower, run, [&](Index row, Index first, View<double> strip) {
    const Matrix right = left.about_centre(b.col_range(first, strip.cols));
    const std::vector<double> right_squares = PreparedRows::column_squares(right);
    Matrix products(kTile, strip.cols);
    for (Index t = 0; t < strip.rows; t += kTile) {
      const Index rows = std::min(kTile, strip.rows - t);
      gemm(true, false, b.rows, 1.0, left.rows.view().col_range(row + t, rows), right, 0.0,
           products.view().row_range(0, rows));
      for (Index i = 0; i < rows; ++i)
        chosen_kernels().set->rbf(strip.cols, rate, left.squares[static_cast<std::size_t>(row + t + i)],
                                  right_squares.data(), products.row(i), strip.row(t + i));
    }
  });
}

void fill_laplace(double bandwidth, View<const double> a, View<const double> b, View<double> out, bool lower,
                  const Run& run) {
  for_each_strip(out, lower, run, [&](Index row, Index first, View<double> strip) {
    std::vector<double> point(static_cast<std::size_t>(a.rows));
    std::vector<const double*> columns;
    for (Index j = 0; j < b.rows; ++j) columns.push_back(b.row(j) + first);
    for (Index t = 0; t < strip.rows; ++t) {
      for (Index j = 0; j < a.rows; ++j) point[static_cast<std::size_t>(j)] = a(j, row + t);
      chosen_kernels().set->laplace(strip.cols, a.rows, 1 / bandwidth, point.data(), columns.data(), strip.row(t));
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
  switch (kernel.kind()) {
    case Kernel::Kind::rbf:
      return fill_rbf(kernel.bandwidth(), prepared, b, out, lower, run);
    case Kernel::Kind::laplace:
      return fill_laplace(kernel.bandwidth(), a, b, out, lower, run);
    case Kernel::Kind::angular:
    case Kernel::Kind::implicit:
      return fill_implicit(*kernel.limit(), a, b, out, lower, run);
  }
}

}  // namespace weft::detail
