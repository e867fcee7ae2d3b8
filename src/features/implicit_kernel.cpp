// K_X(x, x') = E_uE_w[K(u,w)φ(u,x)φ(w,x')] (docs/mathematics.md §3.3): the T → ∞ limit of a family. (⟨u,x⟩, ⟨w,x'⟩) is
// bivariate normal under the tilted joint law, so K_X is its mass Z times the activation's dual.
#include "features/implicit_kernel.hpp"

#include "compute/device.hpp"
#include "core/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <functional>
#include <numbers>
#include <span>

namespace weft::detail {

PairLaw implicit_law(const FeaturePart& part) {
  return {joint_law_of(part.family.kernel, part.sigma, part.gamma), !part.family.kernel.none()};
}

PairLaw second_moment_law(const FeaturePart& part) {
  return {{.v = part.sigma * part.sigma}, false};
}

PairLaw kappa_law(const FeaturePart& part) {
  const DiagonalTilt tilt = diagonal_tilt_of(part.family.kernel, part.sigma, part.gamma);
  return {{.v = tilt.inflation * part.sigma * part.sigma, .r = 1, .log_z_per_dim = tilt.log_mass_per_dim}, false};
}

double phase_averaged_dual(const FeaturePart& part, double m, double m2, double v, double v2, double rho) {
  const Activation& h = *part.family.activation;
  const double square = part.family.amplitude * part.family.amplitude;
  if (part.phase) {
    const double b = *part.phase;
    if (m == 0 && m2 == 0 && b == 0) return square * h.dual(v, v2, rho);
    return square * h.shifted_dual(m + b, m2 + b, v, v2, rho);
  }
  // Phases are drawn for cos alone, whose shifted dual is α + β cos 2b: two points average it exactly.
  constexpr double kQuarterTurn = std::numbers::pi / 2;
  return 0.5 * square *
         (h.shifted_dual(m, m2, v, v2, rho) + h.shifted_dual(m + kQuarterTurn, m2 + kQuarterTurn, v, v2, rho));
}

namespace {

// E[h(z+b)h(z'+b)] = ½E[cos(z−z')] + ½E[cos(z+z'+2b)] for cos; the second term vanishes where b is drawn.
double cosine_dual(const FeaturePart& part, double difference, double sum) {
  return 0.5 * part.family.amplitude * part.family.amplitude * (difference + (part.phase ? sum : 0));
}

// For Cauchy weights E[cos⟨w,d⟩] = exp(−σ‖d‖₁), given here by the 1-norms of x−x' and x+x'.
double cauchy_dual(const FeaturePart& part, double difference, double sum) {
  return cosine_dual(part, std::exp(-part.sigma * difference),
                     std::exp(-part.sigma * sum) * std::cos(2 * part.phase.value_or(0)));
}

}  // namespace

LawKernel::LawKernel(const FeaturePart& part, const PairLaw& law) : part_(part), law_(law.law) {
  const auto groups = static_cast<double>(part.centres.groups.size());
  share_ = law.independent_groups ? 1 / (groups * groups) : 1 / groups;
}

double LawKernel::group_value(Index group, double xx, double yy, double xy) const {
  const double norms = std::sqrt(xx) * std::sqrt(yy);  // xx·yy itself may leave the doubles
  // (xx = yy = xy exactly on a diagonal, where rounding of the root must not spoil rho = r.)
  const double cosine = norms > 0 ? std::clamp(xx == yy && xx == xy ? 1.0 : xy / norms, -1.0, 1.0) : 0;
  const double mass = std::exp(static_cast<double>(part_.dimension(group)) * law_.log_z_per_dim);
  return mass * phase_averaged_dual(part_, 0, 0, law_.v * xx, law_.v * yy, law_.r * cosine);
}

double LawKernel::diagonal(Index group, double radius) const {
  if (part_.family.law == Law::gaussian) return group_value(group, radius * radius, radius * radius, radius * radius);
  // Only ‖x‖₁ counts, and along equal coordinates it takes every value it has in the ball.
  return cauchy_dual(part_, 0, 2 * radius * std::sqrt(static_cast<double>(part_.dimension(group))));
}

double LawKernel::axis_value(double x, double x2) const {
  if (part_.family.law == Law::cauchy)
    return cosine_dual(part_, std::cos(x - x2),
                       std::exp(-2 * part_.sigma) * std::cos(x + x2 + 2 * part_.phase.value_or(0)));
  return std::exp(law_.log_z_per_dim) * phase_averaged_dual(part_, x, x2, law_.v, law_.v, law_.r);
}

double LawKernel::operator()(View<const double> a, Index i, View<const double> b, Index j) const {
  const bool axis = part_.family.projection.kind == Projection::Kind::axis;
  double sum = 0;
  for (std::size_t g = 0; g < part_.centres.groups.size(); ++g) {
    const std::vector<Index>& columns = part_.centres.groups[g].columns;
    if (axis) {
      sum += axis_value(a(columns[0], i), b(columns[0], j));
      continue;
    }
    if (part_.family.law == Law::cauchy) {
      double difference = 0;
      double total = 0;
      for (const Index c : columns) {
        difference += std::abs(a(c, i) - b(c, j));
        total += std::abs(a(c, i) + b(c, j));
      }
      sum += cauchy_dual(part_, difference, total);
      continue;
    }
    double xx = 0;
    double yy = 0;
    double xy = 0;
    for (const Index c : columns) {
      xx += a(c, i) * a(c, i);
      yy += b(c, j) * b(c, j);
      xy += a(c, i) * b(c, j);
    }
    sum += group_value(static_cast<Index>(g), xx, yy, xy);
  }
  return share_ * sum;
}

namespace {

// Dense families: inner products by GEMM. The others are sums over groups of a few columns each.
void add_dense(const FeaturePart& part, View<const double> a, View<const double> b, Index first, View<double> out) {
  const LawKernel kernel(part, implicit_law(part));
  Matrix products(out.rows, out.cols);
  cpu().multiply(1, transpose(a.col_range(first, out.rows)), b, 0, products);
  std::vector<double> b_squares(static_cast<std::size_t>(b.cols));
  for (Index c = 0; c < b.rows; ++c)
    for (Index j = 0; j < b.cols; ++j) b_squares[static_cast<std::size_t>(j)] += b(c, j) * b(c, j);
  for (Index i = 0; i < out.rows; ++i) {
    double xx = 0;
    for (Index c = 0; c < a.rows; ++c) xx += a(c, first + i) * a(c, first + i);
    for (Index j = 0; j < out.cols; ++j) {
      const double yy = b_squares[static_cast<std::size_t>(j)];
      const double xy = products(i, j);
      // Equal rows: the inner product is the square, whatever the GEMM's rounding (arcsin is steep at 1).
      const bool same = std::abs(xy - xx) <= 1e-14 * xx && std::abs(xy - yy) <= 1e-14 * yy;
      out(i, j) += same ? kernel.group_value(0, xx, xx, xx) : kernel.group_value(0, xx, yy, xy);
    }
  }
}

/// The different values of a column, and which of them each row has.
struct Levels {
  explicit Levels(std::span<const double> column) : values(column.begin(), column.end()) {
    const auto less = [](double a, double b) { return std::strong_order(a, b) < 0; };  // for NaN, too
    std::sort(values.begin(), values.end(), less);
    values.erase(std::unique(values.begin(), values.end(), std::not_fn(less)), values.end());
    for (const double x : column)
      of.push_back(std::lower_bound(values.begin(), values.end(), x, less) - values.begin());
  }

  Index count() const { return static_cast<Index>(values.size()); }

  std::vector<double> values;
  std::vector<Index> of;
};

/// Axis families: values of one variable repeat (categories, counts, few digits), and each pair of them is computed
/// once.
void add_axis(const FeaturePart& part, View<const double> a, View<const double> b, Index first, View<double> out) {
  const LawKernel kernel(part, implicit_law(part));
  Matrix sums(out.rows, out.cols), table;
  for (const ColumnGroup& group : part.centres.groups) {
    const Index variable = group.columns[0];
    const Levels left({a.row(variable) + first, static_cast<std::size_t>(out.rows)});
    const Levels right({b.row(variable), static_cast<std::size_t>(out.cols)});
    table.reshape(left.count(), right.count());
    for (Index i = 0; i < left.count(); ++i)
      for (Index j = 0; j < right.count(); ++j)
        table(i, j) =
            kernel.axis_value(left.values[static_cast<std::size_t>(i)], right.values[static_cast<std::size_t>(j)]);
    for (Index i = 0; i < out.rows; ++i) {
      const double* const values = table.row(left.of[static_cast<std::size_t>(i)]);
      for (Index j = 0; j < out.cols; ++j) sums(i, j) += values[right.of[static_cast<std::size_t>(j)]];
    }
  }
  for (Index i = 0; i < out.rows; ++i)
    for (Index j = 0; j < out.cols; ++j) out(i, j) += kernel.share() * sums(i, j);
}

}  // namespace

}  // namespace weft::detail

namespace weft {

using namespace detail;

Matrix FeatureMap::implicit_kernel(View<const double> a, View<const double> b, const Run& run) const {
  if (a.rows != inputs_.columns() || b.rows != inputs_.columns())
    throw Error(ErrorKind::data, "both tables must have the columns of the feature map", {},
                "give two files with the same columns");
  Matrix result(a.cols, b.cols);
  if (sections_) {
    kernel()->values(a, b, result, run);
    return result;
  }
  constexpr Index kRows = 64;
  parallel_for((a.cols + kRows - 1) / kRows, run.thread_count(), [&](Index k) {
    run.check_cancelled();
    const Index first = k * kRows;
    const View<double> out = result.view().row_range(first, std::min(kRows, a.cols - first));
    for (const FeaturePart& part : parts_) {
      if (part.family.projection.kind == Projection::Kind::dense && part.family.law == Law::gaussian) {
        add_dense(part, a, b, first, out);
        continue;
      }
      if (part.family.projection.kind == Projection::Kind::axis) {
        add_axis(part, a, b, first, out);
        continue;
      }
      const LawKernel kernel(part, implicit_law(part));
      for (Index i = 0; i < out.rows; ++i)
        for (Index j = 0; j < out.cols; ++j) out(i, j) += kernel(a, first + i, b, j);
    }
  });
  return result;
}

}  // namespace weft
