// The implicit kernel of one part for one pair of rows, and the second moments behind κ and τ.
#pragma once

#include <weft/feature_map.hpp>

#include "compute/weight_kernel.hpp"

namespace weft::detail {

/// What a projected law looks like: per-coordinate variance v, correlation r between the two draws, and the log of its
/// mass per dimension.
struct PairLaw {
  JointLaw law;
  bool independent_groups = false;  ///< both draws must meet in one of P groups: 1/P² per group instead of 1/P
};

PairLaw implicit_law(const FeaturePart& part);       ///< K_X
PairLaw second_moment_law(const FeaturePart& part);  ///< E[φ²]: one draw, twice (τ²)
PairLaw kappa_law(const FeaturePart& part);          ///< E[K(w,w)φ²] (κ²)

/// log of an entry of M in a group of `dim` columns: two centres of sparse and axis families meet a third in one of P
/// groups, and E_w has the 1/P of their meeting. Without the scales of the centres.
double log_l2_entry(const FeaturePart& part, const Pair& pair, Index dim);

/// E[h(z+b)h(z'+b)] for z ~ N(m, v), z' ~ N(m2, v2), averaged over b where phases are drawn, times the family's
/// amplitude squared.
double phase_averaged_dual(const FeaturePart& part, double m, double m2, double v, double v2, double rho);

/// The expectation under `law` of φ(u, x)φ(w, x'): norms and inner products per group.
class LawKernel {
 public:
  LawKernel(const FeaturePart& part, const PairLaw& law);
  /// x and x2 are columns of an inputs × rows view.
  double operator()(View<const double> a, Index i, View<const double> b, Index j) const;
  /// Dense and sparse under the Gaussian law: from squared norms and inner product on one group.
  double group_value(Index group, double xx, double yy, double xy) const;
  /// A group's value at x = x' for some x of this norm; over all radii below r it has the supremum over the ball.
  double diagonal(Index group, double radius) const;
  /// Axis: from the two coordinates.
  double axis_value(double x, double x2) const;
  double share() const { return share_; }  ///< weight of one group

 private:
  const FeaturePart& part_;
  JointLaw law_;
  double share_;
};

}  // namespace weft::detail
