// Blocks of features. Work is cut into strips of rows; a strip's features are computed tile by tile. A tile is
// projected by one GEMM into contiguous scratch that stays in the second-level cache and is smoothed from there into Φ:
// a GEMM that writes straight into Φ, whose rows lie far apart, takes a fifth longer at 100 inputs and three times as
// long at 8 (bench/features).
#include <weft/feature_map.hpp>

#include "core/parallel.hpp"
#include "features/hadamard.hpp"
#include "features/vector_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <cblas.h>
#include <fmt/format.h>

namespace weft {

using namespace detail;

namespace {

constexpr Index kTileFeatures = 128;

void gemm(Index m, Index n, Index k, double alpha, const double* a, Index lda, const double* b, Index ldb, double* c,
          Index ldc) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(m), static_cast<int>(n), static_cast<int>(k),
              alpha, a, static_cast<int>(lda), b, static_cast<int>(ldb), 0, c, static_cast<int>(ldc));
}
void gemm(Index m, Index n, Index k, float alpha, const float* a, Index lda, const float* b, Index ldb, float* c,
          Index ldc) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(m), static_cast<int>(n), static_cast<int>(k),
              alpha, a, static_cast<int>(lda), b, static_cast<int>(ldb), 0, c, static_cast<int>(ldc));
}
Combine<double> combine_for(double) {
  return chosen_kernels().set->combine_double;
}
Combine<float> combine_for(float) {
  return chosen_kernels().set->combine_float;
}

/// The spread terms p, q of every row of a strip, for each group that a centre looks at (a pool may hold many that none
/// does). Empty without a kernel.
template <class Real>
class StripTerms {
 public:
  StripTerms(const FeaturePart& part, const Activation& h, const Tilt& tilt, View<const double> x) {
    if (part.family.kernel.none()) return;
    const bool axis = part.family.projection.kind == Projection::Kind::axis;
    row_of_.assign(part.centres.groups.size(), axis ? 0 : -1);  // a stump's spread is s itself, whatever its column
    std::vector<Index> groups;
    if (axis) groups.push_back(0);
    for (const Index g : part.centres.group_of)
      if (Index& row = row_of_[static_cast<std::size_t>(g)]; row < 0) {
        row = static_cast<Index>(groups.size());
        groups.push_back(g);
      }
    p_.reshape(static_cast<Index>(groups.size()), x.cols);
    q_.reshape(static_cast<Index>(groups.size()), x.cols);
    Matrix scratch(3, x.cols);
    for (std::size_t k = 0; k < groups.size(); ++k) {
      spreads(part.centres.groups[static_cast<std::size_t>(groups[k])], axis, tilt.s, x, scratch.row(0));
      h.terms_block(x.cols, scratch.row(0), scratch.row(1), scratch.row(2));
      std::transform(scratch.row(1), scratch.row(1) + x.cols, p_.row(static_cast<Index>(k)), to_real);
      std::transform(scratch.row(2), scratch.row(2) + x.cols, q_.row(static_cast<Index>(k)), to_real);
    }
  }

  const Real* p(Index group) const { return p_.row(row_of_[static_cast<std::size_t>(group)]); }
  const Real* q(Index group) const { return q_.row(row_of_[static_cast<std::size_t>(group)]); }

 private:
  // Finite: the inverse spread of an all-zero row is huge, and 0·∞ would be NaN.
  static Real to_real(double term) {
    constexpr double kLimit = std::numeric_limits<Real>::max() / 4;
    return static_cast<Real>(std::clamp(term, -kLimit, kLimit));
  }

  // ν = s‖x_J‖ of every row.
  static void spreads(const ColumnGroup& group, bool axis, double s, View<const double> x, double* nu) {
    std::fill_n(nu, x.cols, axis ? 1.0 : 0.0);
    if (!axis)
      for (const Index j : group.columns) {
        const double* column = x.row(j);
        for (Index i = 0; i < x.cols; ++i) nu[i] += column[i] * column[i];
      }
    for (Index i = 0; i < x.cols; ++i) nu[i] = s * std::sqrt(nu[i]);
  }

  std::vector<Index> row_of_;  // group → row of p and q
  BasicMatrix<Real> p_;
  BasicMatrix<Real> q_;
};

/// One part's features on one strip of rows.
template <class Real>
class StripMap {
 public:
  /// x in double gives the spreads, x_real (the same numbers in Real) the projections; weights are the centres in Real.
  StripMap(const FeaturePart& part, const Activation& h, View<const double> x, View<const Real> x_real,
           View<const Real> weights)
      : part_(part),
        h_(h),
        tilt_(part.family.kernel.tilt(part.sigma, part.gamma)),
        x_(x_real),
        weights_(weights),
        terms_(part, h, tilt_, x) {}

  /// ⟨w_t, x⟩, untilted; stumps have none.
  void project(View<Real> out) const {
    switch (part_.family.projection.kind) {
      case Projection::Kind::dense:
        if (part_.centres.hadamard.rows() > 0)
          return structured(Real{1}, [&](const Real* mu, Index t) { std::copy_n(mu, out.cols, out.row(t)); });
        gemm(out.rows, out.cols, x_.rows, Real{1}, weights_.row(0), weights_.stride, x_.data, x_.stride, out.data,
             out.stride);
        break;
      case Projection::Kind::sparse:
        for (Index t = 0; t < out.rows; ++t) combine(t, Real{1}, out.row(t));
        break;
      case Projection::Kind::axis:
        break;
    }
  }

  /// What write() gives, from the projections of centres `scale` times smaller.
  void smooth(View<const Real> projections, double scale, View<Real> phi) const {
    if (part_.family.projection.kind == Projection::Kind::axis) return write(phi);
    thread_local AlignedVector<Real> mu(static_cast<std::size_t>(kStripRows));
    const auto factor = static_cast<Real>(tilt_.c * scale);
    for (Index t = 0; t < phi.rows; ++t) {
      const Real* projection = projections.row(t);
      for (Index i = 0; i < phi.cols; ++i) mu[static_cast<std::size_t>(i)] = factor * projection[i];
      activate(mu.data(), phase(t), t, phi.row(t));
    }
  }

  void write(View<Real> phi) const {
    switch (part_.family.projection.kind) {
      case Projection::Kind::dense:
        if (part_.centres.hadamard.rows() > 0)
          return structured(static_cast<Real>(tilt_.c),
                            [&](const Real* mu, Index t) { activate(mu, phase(t), t, phi.row(t)); });
        for (Index t = 0; t < phi.rows; t += kTileFeatures)
          write_dense(phi.row_range(t, std::min(kTileFeatures, phi.rows - t)), t);
        break;
      case Projection::Kind::sparse:
        for (Index t = 0; t < phi.rows; ++t) write_sparse(phi.row(t), t);
        break;
      case Projection::Kind::axis:
        for (Index t = 0; t < phi.rows; ++t) {
          // μ = x_j − c·θ: the column itself, and the tilted threshold as offset.
          const Index j = part_.centres.groups[static_cast<std::size_t>(group(t))].columns[0];
          activate(x_.row(j), phase(t) - static_cast<Real>(tilt_.c) * weights_(t, 0), t, phi.row(t));
        }
        break;
    }
  }

 private:
  void write_dense(View<Real> phi, Index first) const {
    thread_local AlignedVector<Real> scratch(static_cast<std::size_t>(kTileFeatures * kStripRows));
    const View<Real> mu(scratch.data(), phi.rows, phi.cols, kStripRows);
    gemm(mu.rows, mu.cols, x_.rows, static_cast<Real>(tilt_.c), weights_.row(first), weights_.stride, x_.data,
         x_.stride, mu.data, mu.stride);
    for (Index t = 0; t < mu.rows; ++t) activate(mu.row(t), phase(first + t), first + t, phi.row(t));
  }

  /// visit(factor · ⟨w_t, x⟩ over the strip, t) for the centres of Hadamard blocks.
  template <class Visit>
  void structured(Real factor, const Visit& visit) const {
    const Matrix& stack = part_.centres.hadamard;
    const Index size = stack.cols();
    thread_local BasicMatrix<Real> scratch;
    scratch.reshape(size, kStripRows);
    const View<Real> mu = scratch.view().col_range(0, x_.cols);
    for (Index first = 0; first < part_.centres.count(); first += size) {
      project_hadamard(stack.view().row_range(4 * (first / size), 4), factor, x_, mu);
      for (Index t = first; t < std::min(first + size, part_.centres.count()); ++t) visit(mu.row(t - first), t);
    }
  }

  void write_sparse(Real* out, Index t) const {
    combine(t, static_cast<Real>(tilt_.c), out);
    activate(out, phase(t), t, out);
  }

  /// factor · ⟨w_t, x⟩ over the few columns of a sparse centre.
  void combine(Index t, Real factor, Real* out) const {
    const std::vector<Index>& columns = part_.centres.groups[static_cast<std::size_t>(group(t))].columns;
    const std::size_t count = columns.size();
    thread_local std::vector<Real> scaled;
    thread_local std::vector<const Real*> rows;
    scaled.resize(count);
    rows.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
      scaled[k] = factor * weights_(t, static_cast<Index>(k));
      rows[k] = x_.row(columns[k]);
    }
    combine_for(Real{})(x_.cols, static_cast<Index>(count), scaled.data(), rows.data(), out);
  }

  void activate(const Real* mu, Real offset, Index t, Real* out) const {
    if (part_.family.kernel.none())
      h_.value_block(x_.cols, mu, offset, out);
    else
      h_.smooth_block(x_.cols, mu, offset, terms_.p(group(t)), terms_.q(group(t)), out);
    const Real scale = static_cast<Real>(part_.scale(t));
    if (scale != 1)
      for (Index i = 0; i < x_.cols; ++i) out[i] *= scale;
  }

  Index group(Index t) const { return part_.centres.group_of[static_cast<std::size_t>(t)]; }
  Real phase(Index t) const {
    return part_.centres.phases.empty() ? Real{0}
                                        : static_cast<Real>(part_.centres.phases[static_cast<std::size_t>(t)]);
  }

  const FeaturePart& part_;
  const Activation& h_;
  Tilt tilt_;
  View<const Real> x_;
  View<const Real> weights_;
  StripTerms<Real> terms_;
};

BasicMatrix<float> to_float(View<const double> from) {
  BasicMatrix<float> to(from.rows, from.cols);
  for (Index i = 0; i < from.rows; ++i)
    for (Index j = 0; j < from.cols; ++j) to(i, j) = static_cast<float>(from(i, j));
  return to;
}

void check_shapes(const FeatureMap& map, Index x_rows, Index x_cols, Index phi_rows, Index phi_cols) {
  if (x_rows != map.inputs().columns() || phi_rows != map.features() || phi_cols != x_cols)
    throw Error(ErrorKind::data,
                fmt::format("a {}x{} block does not fit a map of {} inputs to {} features", x_rows, x_cols,
                            map.inputs().columns(), map.features()),
                {}, "blocks are inputs x rows and features x rows");
}

}  // namespace

Index FeatureMap::features() const {
  Index count = sections_ ? sections_->count() : 0;
  for (const FeaturePart& part : parts_) count += part.centres.count();
  return count;
}

namespace {

/// visit(part, its StripMap on a strip, cut) where cut(view) is the part of a features × rows view that they fill;
/// strips run in parallel. `h` stands for the parts' own activations where it is given.
template <class Visit>
void each_strip(const std::vector<FeaturePart>& parts, const Activation* h, View<const double> x, const Run& run,
                const Visit& visit) {
  const Index strips = (x.cols + kStripRows - 1) / kStripRows;
  parallel_for(strips, run.thread_count(), [&](Index k) {
    const Index first = k * kStripRows;
    const Index rows = std::min(kStripRows, x.cols - first);
    const View<const double> strip = x.col_range(first, rows);
    Index t = 0;
    for (const FeaturePart& part : parts) {
      const auto cut = [&](auto view) { return view.row_range(t, part.centres.count()).col_range(first, rows); };
      const Activation& activation = h != nullptr ? *h : *part.family.activation;
      visit(part, StripMap<double>(part, activation, strip, strip, part.centres.weights), cut);
      t += part.centres.count();
    }
  });
}

}  // namespace

void FeatureMap::smoothings(View<const double> x, View<double> phi, const Run& run) const {
  check_shapes(*this, x.rows, x.cols, phi.rows, phi.cols);
  if (sections_) return sections_->values(x, phi, run);
  each_strip(parts_, nullptr, x, run,
             [&](const FeaturePart&, const auto& strip, const auto& cut) { strip.write(cut(phi)); });
}

void FeatureMap::project(View<const double> x, View<double> out, const Run& run) const {
  check_shapes(*this, x.rows, x.cols, out.rows, out.cols);
  each_strip(parts_, nullptr, x, run,
             [&](const FeaturePart&, const auto& strip, const auto& cut) { strip.project(cut(out)); });
}

void FeatureMap::smooth_projected(View<const double> x, View<const double> projections, double sigma, View<double> phi,
                                  const Run& run) const {
  check_shapes(*this, x.rows, x.cols, phi.rows, phi.cols);
  each_strip(parts_, nullptr, x, run, [&](const FeaturePart& part, const auto& strip, const auto& cut) {
    strip.smooth(cut(projections), part.sigma / sigma, cut(phi));
  });
}

void FeatureMap::activate_projected(View<const double> x, View<const double> projections, const Activation& h,
                                    View<double> phi, const Run& run) const {
  check_shapes(*this, x.rows, x.cols, phi.rows, phi.cols);
  each_strip(parts_, &h, x, run, [&](const FeaturePart&, const auto& strip, const auto& cut) {
    strip.smooth(cut(projections), 1, cut(phi));
  });
}

void FeatureMap::smoothings(View<const double> x, View<float> phi, const Run& run) const {
  check_shapes(*this, x.rows, x.cols, phi.rows, phi.cols);
  if (sections_) {
    Matrix values(phi.rows, phi.cols);
    sections_->values(x, values, run);
    for (Index t = 0; t < phi.rows; ++t)
      std::transform(values.row(t), values.row(t) + phi.cols, phi.row(t),
                     [](double k) { return static_cast<float>(k); });
    return;
  }
  std::vector<BasicMatrix<float>> weights;
  for (const FeaturePart& part : parts_) weights.push_back(to_float(part.centres.weights));
  const Index strips = (x.cols + kStripRows - 1) / kStripRows;
  parallel_for(strips, run.thread_count(), [&](Index k) {
    const Index first = k * kStripRows;
    const Index rows = std::min(kStripRows, x.cols - first);
    const View<const double> strip = x.col_range(first, rows);
    const BasicMatrix<float> strip_float = to_float(strip);
    Index t = 0;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const Index count = parts_[p].centres.count();
      StripMap<float>(parts_[p], *parts_[p].family.activation, strip, strip_float, weights[p])
          .write(phi.row_range(t, count).col_range(first, rows));
      t += count;
    }
  });
}

}  // namespace weft
