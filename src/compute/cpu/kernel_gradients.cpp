// Gradients of Σ_t α_t k(a_t, b) with respect to b (docs/mathematics.md §6.4), by strips of b and tiles of a.
//
// With k a function of x = ‖a − b‖₁ or ‖a − b‖², k'(x) is computed where the tile's distances are, and 0 for rows that
// equal each other. The sum over t is then Σ α k'(x) sign(b_j − a_j), a fused loop, or 2Σ α k'(x)(b_j − a_j) = b_j·2Σ
// αk' − 2Σ a_j αk', a product of matrices. Pairs so near that this difference would cancel are added one by one.
#include "compute/cpu/blas.hpp"
#include "compute/cpu/cpu_device.hpp"
#include "compute/cpu/kernel_distances.hpp"
#include "core/at.hpp"
#include "core/parallel.hpp"
#include "core/tiles.hpp"

#include <algorithm>

namespace weft::detail {

namespace {

constexpr Index kOutputs = 4;  // whose sums over signs share the signs

Matrix about(View<const double> x, const double* centre) {
  Matrix moved(x.rows, x.cols);
  for (Index j = 0; j < x.rows; ++j)
    for (Index i = 0; i < x.cols; ++i) moved(j, i) = x(j, i) - centre[j];
  return moved;
}

/// out ((outputs · inputs) × strip) of one strip.
template <class Real>
class StripGradients {
 public:
  StripGradients(const DistanceDecay& form, const LeftRows<Real>& left, View<const double> a,
                 View<const double> coefficients, View<const double> b, View<double> out)
      : form_(form), left_(left), a_(a), coefficients_(coefficients), b_(b), out_(out), distances_(form, left, b) {}

  void run() {
    for (Index r = 0; r < out_.rows; ++r) std::fill_n(out_.row(r), out_.cols, 0.0);
    if (form_.squared) begin_products();
    for (Index k = 0; k < tile_count(a_.cols, kDistanceTile); ++k) {
      const Tile part = tile(k, a_.cols, kDistanceTile);
      const View<Real> slopes = distances_.tile(part.first, part.count);
      for (Index t = 0; t < slopes.rows; ++t) distance_kernels<Real>().slopes(slopes.cols, form_.decay, slopes.row(t));
      if (form_.squared)
        add_products(part, slopes);
      else
        add_signs(part, slopes);
    }
    if (form_.squared) end_products();
  }

 private:
  Index inputs() const { return a_.rows; }

  void add_signs(Tile part, View<const Real> slopes) {
    constexpr Index kWidth = kPanelColumns<Real>;
    const Index panels = (part.count + kPanelRows - 1) / kPanelRows, step = panels * kPanelRows * kWidth;
    weights_.resize(at(kOutputs * step));
    sums_.resize(at(kOutputs * inputs() * kWidth));
    for (Index o = 0; o < coefficients_.cols; o += kOutputs)
      for (Index first = 0; first < out_.cols; first += kWidth) {
        const Index outputs = std::min(kOutputs, coefficients_.cols - o), cols = std::min(kWidth, out_.cols - first);
        std::fill(weights_.begin(), weights_.end(), Real{0});
        for (Index q = 0; q < outputs; ++q)
          for (Index t = 0; t < part.count; ++t) {
            const auto alpha = static_cast<Real>(coefficients_(part.first + t, o + q));
            const Real* slope = slopes.row(t) + first;
            Real* to = weights_.data() + q * step + t * kWidth;
            for (Index i = 0; i < cols; ++i) to[i] = alpha * slope[i];
          }
        distance_kernels<Real>().signs(panels, inputs(), distances_.left_panels(), distances_.panel(first / kWidth),
                                       {weights_.data(), outputs, step, kWidth}, sums_.data());
        for (Index r = 0; r < outputs * inputs(); ++r)
          for (Index i = 0; i < cols; ++i)
            out_(o * inputs() + r, first + i) += static_cast<double>(sums_[at(r * kWidth + i)]);
      }
  }

  void begin_products() {
    columns_ = about(b_, left_.centre);
    totals_ = Matrix(coefficients_.cols, out_.cols);
    products_ = Matrix(kDistanceTile, out_.cols);
  }

  void add_products(Tile part, View<Real> slopes) {
    for (const auto& [t, i] : distances_.near()) add_pair(part.first + t, i, slopes(t, i));
    const Matrix rows = about(a_.col_range(part.first, part.count), left_.centre);
    for (Index o = 0; o < coefficients_.cols; ++o) {
      double* total = totals_.row(o);
      for (Index t = 0; t < part.count; ++t) {
        const double alpha = 2 * coefficients_(part.first + t, o);
        for (Index i = 0; i < out_.cols; ++i) {
          products_(t, i) = alpha * static_cast<double>(slopes(t, i));
          total[i] += products_(t, i);
        }
      }
      gemm(false, false, part.count, -1.0, rows, products_.view().row_range(0, part.count), 1.0,
           out_.row_range(o * inputs(), inputs()));
    }
  }

  /// The pair's own term, which takes it out of the products.
  void add_pair(Index t, Index i, Real& slope) {
    for (Index o = 0; o < coefficients_.cols; ++o) {
      const double weight = 2 * coefficients_(t, o) * static_cast<double>(slope);
      for (Index j = 0; j < inputs(); ++j) out_(o * inputs() + j, i) += weight * (b_(j, i) - a_(j, t));
    }
    slope = 0;
  }

  void end_products() {
    for (Index o = 0; o < coefficients_.cols; ++o)
      for (Index j = 0; j < inputs(); ++j)
        for (Index i = 0; i < out_.cols; ++i) out_(o * inputs() + j, i) += columns_(j, i) * totals_(o, i);
  }

  DistanceDecay form_;
  const LeftRows<Real>& left_;
  View<const double> a_, coefficients_, b_;
  View<double> out_;
  StripDistances<Real> distances_;
  AlignedVector<Real> weights_, sums_;
  Matrix columns_, totals_, products_;
};

template <class Real>
void fill_gradients(const Kernel& kernel, const LeftRows<Real>& left, View<const double> a,
                    View<const double> coefficients, View<const double> b, View<double> out, const Run& run) {
  const DistanceDecay form = distance_decay(kernel);
  parallel_for(tile_count(b.cols, kDistanceStrip), run.thread_count(), [&](Index k) {
    run.check_cancelled();
    const Tile part = tile(k, b.cols, kDistanceStrip);
    StripGradients<Real>(form, left, a, coefficients, b.col_range(part.first, part.count),
                         out.col_range(part.first, part.count))
        .run();
  });
}

}  // namespace

void CpuDevice::kernel_gradients(const Kernel& kernel, View<const double> a, const PreparedRows& prepared,
                                 View<const double> coefficients, View<const double> b, View<double> out,
                                 const Run& run) const {
  if (prepared.precision == Precision::float32)
    fill_gradients(kernel, left_rows(a, prepared, float{}), a, coefficients, b, out, run);
  else
    fill_gradients(kernel, left_rows(a, prepared, double{}), a, coefficients, b, out, run);
}

}  // namespace weft::detail
