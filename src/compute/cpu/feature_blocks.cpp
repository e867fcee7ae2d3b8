// Blocks of features. Work is cut into strips of rows; a strip's features are computed tile by tile. A tile is
// projected by one GEMM into contiguous scratch that stays in the second-level cache and is smoothed from there into Φ:
// a GEMM that writes straight into Φ, whose rows lie far apart, takes a fifth longer at 100 inputs and three times as
// long at 8 (bench/features).
#include "compute/cpu/blas.hpp"
#include "compute/cpu/cpu_device.hpp"
#include "compute/cpu/hadamard.hpp"
#include "compute/cpu/vector_kernels.hpp"
#include "compute/weight_kernel.hpp"
#include "core/parallel.hpp"
#include "core/tiles.hpp"

#include <weft/feature_map.hpp>
#include <weft/learned_activation.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

namespace weft::detail {

namespace {

constexpr Index kTileFeatures = 128;
// What one thread takes at a time: a block of one row has work for all of them where there are many features.
constexpr Index kThreadFeatures = 32 * kTileFeatures;

void combine(Index n, Index count, const double* weights, const double* const* columns, double* out) {
  chosen_kernels().set->combine_double(n, count, weights, columns, out);
}
void combine(Index n, Index count, const float* weights, const float* const* columns, float* out) {
  chosen_kernels().set->combine_float(n, count, weights, columns, out);
}

// nu[i] = s · √(Σ_k columns[k][i]²). In double without fused multiply-adds, whatever the instruction set: predictions
// keep their bits.
void spread(Index n, Index count, double s, const double* const* columns, double* nu) {
  std::fill_n(nu, n, 0.0);
  for (Index k = 0; k < count; ++k)
    for (Index i = 0; i < n; ++i) nu[i] += columns[k][i] * columns[k][i];
  for (Index i = 0; i < n; ++i) nu[i] = s * std::sqrt(nu[i]);
}
void spread(Index n, Index count, double s, const float* const* columns, float* nu) {
  chosen_kernels().set->spread(n, count, static_cast<float>(s), columns, nu);
}

BasicMatrix<float> to_float(View<const double> from) {
  BasicMatrix<float> to(from.rows, from.cols);
  for (Index i = 0; i < from.rows; ++i)
    for (Index j = 0; j < from.cols; ++j) to(i, j) = static_cast<float>(from(i, j));
  return to;
}

/// What the strips of one call share of a part.
template <class Real>
struct PartPlan {
  /// `h_` stands for the part's own activation where it is given.
  PartPlan(const FeaturePart& part_, const Activation* h_)
      : part(part_),
        h(h_ != nullptr ? *h_ : *part_.family.activation),
        tilt(tilt_of(part_.family.kernel, part_.sigma, part_.gamma)) {
    if constexpr (std::is_same_v<Real, double>)
      weights = part.centres.weights;
    else
      weights = (copy = to_float(part.centres.weights));
    if (sparse()) order_by_group();
  }

  /// Whether an offset may be added beforehand: learned activations subtract their centres from it first.
  bool along_features() const {
    const bool offsets = !part.centres.phases.empty() || part.family.projection.kind == Projection::Kind::axis;
    return part.centres.hadamard.rows() == 0 && (!offsets || dynamic_cast<const LearnedActivation*>(&h) == nullptr);
  }

  bool sparse() const { return part.family.projection.kind == Projection::Kind::sparse; }

  const FeaturePart& part;
  const Activation& h;
  Tilt tilt;
  BasicMatrix<Real> copy;
  View<const Real> weights;  ///< the centres in Real
  /// Sparse centres, those of a group after each other: with pools of hundreds of groups the spread terms of all of
  /// them would not stay in cache.
  std::vector<Index> order;

 private:
  void order_by_group() {
    std::vector<Index> next(part.centres.groups.size() + 1, 0);
    for (const Index group : part.centres.group_of) ++next[static_cast<std::size_t>(group) + 1];
    for (std::size_t g = 1; g < next.size(); ++g) next[g] += next[g - 1];
    order.resize(part.centres.group_of.size());
    for (std::size_t t = 0; t < order.size(); ++t) {
      Index& place = next[static_cast<std::size_t>(part.centres.group_of[t])];
      order[static_cast<std::size_t>(place++)] = static_cast<Index>(t);
    }
  }
};

/// One part's features on one strip of rows.
template <class Real>
class StripMap {
 public:
  StripMap(const PartPlan<Real>& plan, View<const Real> x)
      : plan_(plan), part_(plan.part), x_(x), smoothed_(!part_.family.kernel.none()) {
    if (smoothed_ && !plan.sparse() && part_.centres.count() > 0) set_terms(group(0));
  }

  /// ⟨w_t, x⟩, untilted; stumps have none.
  void project(View<Real> out) {
    switch (part_.family.projection.kind) {
      case Projection::Kind::dense:
        if (part_.centres.hadamard.rows() > 0)
          return structured(Real{1}, [&](const Real* mu, Index t) { std::copy_n(mu, out.cols, out.row(t)); });
        gemm(false, false, x_.rows, Real{1}, plan_.weights, x_, Real{0}, out);
        break;
      case Projection::Kind::sparse:
        for (Index t = 0; t < out.rows; ++t) combine_columns(t, Real{1}, out.row(t));
        break;
      case Projection::Kind::axis:
        break;
    }
  }

  /// What write() gives, from the projections of centres `scale` times smaller.
  void smooth(View<const Real> projections, double scale, View<Real> phi) {
    const Tile all{0, part_.centres.count()};
    if (part_.family.projection.kind == Projection::Kind::axis) return write(phi, all);
    alignas(64) std::array<Real, kStripRows> mu;
    const auto factor = static_cast<Real>(plan_.tilt.c * scale);
    for_each_centre(all, [&](Index t) {
      const Real* projection = projections.row(t);
      for (Index i = 0; i < phi.cols; ++i) mu[static_cast<std::size_t>(i)] = factor * projection[i];
      activate(mu.data(), phase(t), t, phi.row(t));
    });
  }

  /// These features into their rows of phi. Sparse ones are counted in the plan's order.
  void write(View<Real> phi, Tile features) {
    if (x_.cols == 1 && plan_.along_features()) return write_row(phi, features);
    const auto c = static_cast<Real>(plan_.tilt.c);
    const Index end = features.first + features.count;
    switch (part_.family.projection.kind) {
      case Projection::Kind::dense:
        if (part_.centres.hadamard.rows() > 0)
          return structured(c, [&](const Real* mu, Index t) { activate(mu, phase(t), t, phi.row(t)); });
        for (Index t = features.first; t < end; t += kTileFeatures)
          write_dense(phi.row_range(t, std::min(kTileFeatures, end - t)), t);
        break;
      case Projection::Kind::sparse:
        for_each_centre(features, [&](Index t) {
          combine_columns(t, c, phi.row(t));
          activate(phi.row(t), phase(t), t, phi.row(t));
        });
        break;
      case Projection::Kind::axis:
        for (Index t = features.first; t < end; ++t) activate(x_.row(axis_of(t)), offset(t), t, phi.row(t));
        break;
    }
  }

 private:
  /// visit(t) with the spread terms of its group in place.
  template <class Visit>
  void for_each_centre(Tile centres, const Visit& visit) {
    Index last = -1;
    for (Index k = centres.first; k < centres.first + centres.count; ++k) {
      const Index t = plan_.sparse() ? plan_.order[static_cast<std::size_t>(k)] : k;
      if (smoothed_ && plan_.sparse() && group(t) != last) set_terms(last = group(t));
      visit(t);
    }
  }

  void write_dense(View<Real> phi, Index first) {
    thread_local AlignedVector<Real> scratch(static_cast<std::size_t>(kTileFeatures * kStripRows));
    const View<Real> mu(scratch.data(), phi.rows, phi.cols, kStripRows);
    gemm(false, false, x_.rows, static_cast<Real>(plan_.tilt.c), plan_.weights.row_range(first, mu.rows), x_, Real{0},
         mu);
    for (Index t = 0; t < mu.rows; ++t) activate(mu.row(t), phase(first + t), first + t, phi.row(t));
  }

  /// visit(factor · ⟨w_t, x⟩ over the strip, t) for the centres of Hadamard blocks.
  template <class Visit>
  void structured(Real factor, const Visit& visit) {
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

  /// The same for a single row: vectors run along the features.
  void write_row(View<Real> phi, Tile features) {
    RowTile row;
    const Index end = features.first + features.count;
    for (Index first = features.first; first < end; first += kTileFeatures) {
      const Index count = std::min(kTileFeatures, end - first);
      gather(row, {first, count});
      if (smoothed_)
        plan_.h.smooth_block(count, row.mu.data(), Real{0}, row.p.data(), row.q.data(), row.mu.data());
      else
        plan_.h.value_block(count, row.mu.data(), Real{0}, row.mu.data());
      for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
        phi(row.centre[k], 0) = row.mu[k] * static_cast<Real>(part_.scale(row.centre[k]));
    }
  }

  /// What an activation needs of some features of a single row.
  struct RowTile {
    alignas(64) std::array<Real, kTileFeatures> mu, p, q;
    std::array<Index, kTileFeatures> centre;
  };

  void gather(RowTile& row, Tile features) {
    const auto c = static_cast<Real>(plan_.tilt.c);
    const Projection::Kind kind = part_.family.projection.kind;
    if (kind == Projection::Kind::dense)
      gemm(false, false, x_.rows, c, plan_.weights.row_range(features.first, features.count), x_, Real{0},
           View<Real>(row.mu.data(), features.count, 1));
    std::size_t k = 0;
    for_each_centre(features, [&](Index t) {
      if (kind == Projection::Kind::sparse) combine_columns(t, c, &row.mu[k]);
      row.mu[k] = kind == Projection::Kind::axis ? x_.row(axis_of(t))[0] + offset(t) : row.mu[k] + offset(t);
      if (smoothed_) row.p[k] = p_[0], row.q[k] = q_[0];
      row.centre[k++] = t;
    });
  }

  const Real* const* group_columns(const std::vector<Index>& columns) {
    thread_local std::vector<const Real*> rows;
    rows.clear();
    for (const Index j : columns) rows.push_back(x_.row(j));
    return rows.data();
  }

  /// factor · ⟨w_t, x⟩ over the few columns of a sparse centre.
  void combine_columns(Index t, Real factor, Real* out) {
    const std::vector<Index>& columns = part_.centres.groups[static_cast<std::size_t>(group(t))].columns;
    const auto count = static_cast<Index>(columns.size());
    thread_local std::vector<Real> scaled;
    scaled.resize(columns.size());
    for (Index k = 0; k < count; ++k) scaled[static_cast<std::size_t>(k)] = factor * plan_.weights(t, k);
    combine(x_.cols, count, scaled.data(), group_columns(columns), out);
  }

  /// The spread terms of every row of the strip, ν = s‖x_J‖ for the columns J of a group; ν = s for stumps.
  void set_terms(Index g) {
    alignas(64) std::array<Real, kStripRows> nu;
    const std::vector<Index>& columns = part_.centres.groups[static_cast<std::size_t>(g)].columns;
    if (part_.family.projection.kind == Projection::Kind::axis)
      nu.fill(static_cast<Real>(plan_.tilt.s));
    else
      spread(x_.cols, static_cast<Index>(columns.size()), plan_.tilt.s, group_columns(columns), nu.data());
    plan_.h.terms_block(x_.cols, nu.data(), p_.data(), q_.data());
  }

  void activate(const Real* mu, Real offset, Index t, Real* out) {
    if (smoothed_)
      plan_.h.smooth_block(x_.cols, mu, offset, p_.data(), q_.data(), out);
    else
      plan_.h.value_block(x_.cols, mu, offset, out);
    const Real scale = static_cast<Real>(part_.scale(t));
    if (scale != 1)
      for (Index i = 0; i < x_.cols; ++i) out[i] *= scale;
  }

  /// Added to what a centre projects. Of stumps, μ = x_j − c·θ: the column itself, and the tilted threshold.
  Real offset(Index t) const {
    if (part_.family.projection.kind != Projection::Kind::axis) return phase(t);
    return phase(t) - static_cast<Real>(plan_.tilt.c) * plan_.weights(t, 0);
  }
  Index axis_of(Index t) const { return part_.centres.groups[static_cast<std::size_t>(group(t))].columns[0]; }
  Index group(Index t) const { return part_.centres.group_of[static_cast<std::size_t>(t)]; }
  Real phase(Index t) const {
    return part_.centres.phases.empty() ? Real{0}
                                        : static_cast<Real>(part_.centres.phases[static_cast<std::size_t>(t)]);
  }

  const PartPlan<Real>& plan_;
  const FeaturePart& part_;
  View<const Real> x_;
  bool smoothed_;  // by a weight kernel
  alignas(64) std::array<Real, kStripRows> p_;
  alignas(64) std::array<Real, kStripRows> q_;
};

View<const double> in_precision(View<const double> x, double) {
  return x;
}
BasicMatrix<float> in_precision(View<const double> x, float) {
  return to_float(x);
}

/// visit(part, its StripMap on a strip, cut) where cut(view) is the part of a features × rows view that they fill;
/// strips run in parallel.
template <class Visit>
void each_strip(Device::Parts parts, const Activation* h, View<const double> x, const Run& run, const Visit& visit) {
  std::vector<PartPlan<double>> plans;
  plans.reserve(parts.size());
  for (const FeaturePart& part : parts) plans.emplace_back(part, h);
  parallel_for(tile_count(x.cols, kStripRows), run.thread_count(), [&](Index k) {
    const Tile rows = tile(k, x.cols, kStripRows);
    Index t = 0;
    for (const PartPlan<double>& plan : plans) {
      const Index count = plan.part.centres.count();
      const auto cut = [&](auto view) { return block(view, {t, count}, rows); };
      StripMap<double> map(plan, x.col_range(rows.first, rows.count));
      visit(plan.part, map, cut);
      t += count;
    }
  });
}

/// Some features of a part, whose own begin at row `row`.
struct PartFeatures {
  std::size_t part;
  Index row;
  Tile features;
};

std::vector<PartFeatures> shares_of_threads(Device::Parts parts) {
  std::vector<PartFeatures> shares;
  Index row = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Index count = parts[p].centres.count();
    // Blocks of structured centres are projected whole.
    const Index width = parts[p].centres.hadamard.rows() > 0 ? std::max<Index>(1, count) : kThreadFeatures;
    for (Index k = 0; k < tile_count(count, width); ++k) shares.push_back({p, row, tile(k, count, width)});
    row += count;
  }
  return shares;
}

template <class Real>
void write_smoothings(Device::Parts parts, View<const double> x, View<Real> phi, const Run& run) {
  std::vector<PartPlan<Real>> plans;
  plans.reserve(parts.size());
  for (const FeaturePart& part : parts) plans.emplace_back(part, nullptr);
  const std::vector<PartFeatures> shares = shares_of_threads(parts);
  const auto each = static_cast<Index>(shares.size());
  // Below, a second thread takes as long to wake up as it would save.
  const int threads = phi.rows * x.cols <= kThreadFeatures ? 1 : run.thread_count();
  parallel_for(each * tile_count(x.cols, kStripRows), threads, [&](Index k) {
    const PartFeatures& share = shares[static_cast<std::size_t>(k % each)];
    const Tile rows = tile(k / each, x.cols, kStripRows);
    const auto strip = in_precision(x.col_range(rows.first, rows.count), Real{});
    StripMap<Real> map(plans[share.part], strip);
    map.write(block(phi, {share.row, parts[share.part].centres.count()}, rows), share.features);
  });
}

}  // namespace

void CpuDevice::smoothings(Parts parts, View<const double> x, View<double> phi, const Run& run) const {
  write_smoothings(parts, x, phi, run);
}

void CpuDevice::smoothings(Parts parts, View<const double> x, View<float> phi, const Run& run) const {
  write_smoothings(parts, x, phi, run);
}

void CpuDevice::project(Parts parts, View<const double> x, View<double> projections, const Run& run) const {
  each_strip(parts, nullptr, x, run,
             [&](const FeaturePart&, auto& strip, const auto& cut) { strip.project(cut(projections)); });
}

void CpuDevice::smooth_projected(Parts parts, View<const double> x, View<const double> projections, double sigma,
                                 View<double> phi, const Run& run) const {
  each_strip(parts, nullptr, x, run, [&](const FeaturePart& part, auto& strip, const auto& cut) {
    strip.smooth(cut(projections), part.sigma / sigma, cut(phi));
  });
}

void CpuDevice::activate_projected(Parts parts, View<const double> x, View<const double> projections,
                                   const Activation& h, View<double> phi, const Run& run) const {
  each_strip(parts, &h, x, run,
             [&](const FeaturePart&, auto& strip, const auto& cut) { strip.smooth(cut(projections), 1, cut(phi)); });
}

void CpuDevice::transpose_features(View<const double> phi, const double* amplitudes, double factor,
                                   View<double> out) const {
  chosen_kernels().set->transpose(phi.cols, phi.rows, phi.data, phi.stride, amplitudes, factor, out.data, out.stride);
}

}  // namespace weft::detail
