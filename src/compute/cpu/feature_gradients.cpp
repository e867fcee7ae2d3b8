// Gradients of Σ_t a_t S_h(c⟨w_t, x⟩ + b_t, s‖x‖) with respect to x (docs/mathematics.md §2.7), by strips of rows:
//
//   ∂/∂x_j = Σ_t a_t (c·w_tj·S' + s²·x_j·S''),
//
// S' and S'' the derivatives of the smoothing in its mean, over the columns of the centre's group. Stumps have S'
// alone: their spread does not depend on x. The sums over dense centres are products of matrices.
#include "compute/cpu/blas.hpp"
#include "compute/cpu/cpu_device.hpp"
#include "compute/weight_kernel.hpp"
#include "core/at.hpp"
#include "core/parallel.hpp"
#include "core/tiles.hpp"

#include <weft/feature_map.hpp>

#include <algorithm>
#include <cmath>

namespace weft::detail {

namespace {

constexpr Index kRows = 256;
constexpr Index kCentres = 128;  // whose derivatives are held at once

/// One part's share of the gradients on one strip.
class PartGradients {
 public:
  /// coefficients: centres × outputs; projections: centres × rows (stumps have none); out: (outputs · inputs) × rows.
  PartGradients(const FeaturePart& part, View<const double> x, View<const double> coefficients,
                View<const double> projections, View<double> out)
      : part_(part),
        x_(x),
        coefficients_(coefficients),
        projections_(projections),
        out_(out),
        tilt_(tilt_of(part.family.kernel, part.sigma, part.gamma)),
        nu_(at(x.cols)),
        mu_(at(x.cols)) {}

  void add() {
    if (part_.family.projection.kind == Projection::Kind::dense)
      add_dense();
    else
      for (Index t = 0; t < part_.centres.count(); ++t) add_centre(t);
  }

 private:
  bool axis() const { return part_.family.projection.kind == Projection::Kind::axis; }
  const std::vector<Index>& columns(Index t) const {
    return part_.centres.groups[at(part_.centres.group_of[at(t)])].columns;
  }
  double* gradient(Index output, Index input) const { return out_.row(output * x_.rows + input); }

  /// The spreads of the rows, where the group is another than that of the last call.
  void set_spreads(Index t) {
    const Index group = part_.centres.group_of[at(t)];
    if (group == group_) return;
    group_ = group;
    std::fill(nu_.begin(), nu_.end(), axis() ? tilt_.s : 0);
    if (axis()) return;
    for (const Index j : columns(t))
      for (Index i = 0; i < x_.cols; ++i) nu_[at(i)] += x_(j, i) * x_(j, i);
    for (double& nu : nu_) nu = tilt_.s * std::sqrt(nu);
  }

  /// The derivatives of centre t's feature in its mean, scales included.
  void differentiate(Index t, double* first, double* second) {
    set_spreads(t);
    const double phase = part_.centres.phases.empty() ? 0 : part_.centres.phases[at(t)];
    const double* from = axis() ? x_.row(columns(t)[0]) : projections_.row(t);
    const double factor = axis() ? 1 : tilt_.c;
    const double offset = axis() ? phase - tilt_.c * part_.centres.weights(t, 0) : phase;
    for (Index i = 0; i < x_.cols; ++i) mu_[at(i)] = factor * from[i];
    part_.family.activation->slope_block(x_.cols, mu_.data(), offset, nu_.data(), first, second);
    const double scale = part_.scale(t);
    if (scale != 1)
      for (Index i = 0; i < x_.cols; ++i) {
        first[i] *= scale;
        second[i] *= scale;
      }
  }

  /// Of a sparse centre or a stump.
  void add_centre(Index t) {
    first_.resize(at(x_.cols));
    second_.resize(at(x_.cols));
    differentiate(t, first_.data(), second_.data());
    const std::vector<Index>& used = columns(t);
    for (Index o = 0; o < coefficients_.cols; ++o)
      for (std::size_t k = 0; k < used.size(); ++k) {
        const double along =
            coefficients_(t, o) * (axis() ? 1 : tilt_.c * part_.centres.weights(t, static_cast<Index>(k)));
        const double around = axis() ? 0 : coefficients_(t, o) * tilt_.s * tilt_.s;
        const double* x = x_.row(used[k]);
        double* to = gradient(o, used[k]);
        for (Index i = 0; i < x_.cols; ++i) to[i] += along * first_[at(i)] + around * x[i] * second_[at(i)];
      }
  }

  void add_dense() {
    Matrix first(kCentres, x_.cols), second(kCentres, x_.cols), weighted(kCentres, x_.cols);
    Matrix around(coefficients_.cols, x_.cols);
    for (Index k = 0; k < tile_count(part_.centres.count(), kCentres); ++k) {
      const Tile some = tile(k, part_.centres.count(), kCentres);
      for (Index t = 0; t < some.count; ++t) differentiate(some.first + t, first.row(t), second.row(t));
      for (Index o = 0; o < coefficients_.cols; ++o) {
        for (Index t = 0; t < some.count; ++t)
          for (Index i = 0; i < x_.cols; ++i) {
            weighted(t, i) = coefficients_(some.first + t, o) * first(t, i);
            around(o, i) += coefficients_(some.first + t, o) * second(t, i);
          }
        gemm(true, false, some.count, tilt_.c, part_.centres.weights.view().row_range(some.first, some.count),
             weighted.view().row_range(0, some.count), 1.0, out_.row_range(o * x_.rows, x_.rows));
      }
    }
    if (tilt_.s == 0) return;
    for (Index o = 0; o < coefficients_.cols; ++o)
      for (Index j = 0; j < x_.rows; ++j)
        for (Index i = 0; i < x_.cols; ++i) gradient(o, j)[i] += tilt_.s * tilt_.s * x_(j, i) * around(o, i);
  }

  const FeaturePart& part_;
  View<const double> x_, coefficients_, projections_;
  View<double> out_;
  Tilt tilt_;
  Index group_ = -1;
  std::vector<double> nu_, mu_, first_, second_;
};

}  // namespace

void CpuDevice::feature_gradients(Parts parts, View<const double> x, View<const double> coefficients, View<double> out,
                                  const Run& run) const {
  parallel_for(tile_count(x.cols, kRows), run.thread_count(), [&](Index k) {
    run.check_cancelled();
    const Tile part = tile(k, x.cols, kRows);
    const View<const double> rows = x.col_range(part.first, part.count);
    const View<double> strip = out.col_range(part.first, part.count);
    for (Index r = 0; r < strip.rows; ++r) std::fill_n(strip.row(r), strip.cols, 0.0);
    Matrix projections(coefficients.rows, part.count);
    project(parts, rows, projections, run);
    Index first = 0;
    for (const FeaturePart& one : parts) {
      const Index count = one.centres.count();
      PartGradients(one, rows, coefficients.row_range(first, count), projections.view().row_range(first, count), strip)
          .add();
      first += count;
    }
  });
}

}  // namespace weft::detail
