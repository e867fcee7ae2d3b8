// What a weight kernel K does to the distribution N(0, σ²I) of centres: the closed forms of docs/mathematics.md §2.1
// and §3 that features, Gram matrices and constants are made of. src/features implements them.
#pragma once

#include <weft/family.hpp>

namespace weft::detail {

/// Multiplying N(0, σ²I) by K(u, ·) gives A(u) times N(c·u, s²I): the kernel tilts the distribution.
/// log A(u) = dim · log_a_per_dim + ‖u‖² · log_a_per_square.
struct Tilt {
  double c = 1;
  double s = 0;
  double log_a_per_dim = 0;
  double log_a_per_square = 0;
};
Tilt tilt_of(const WeightKernel& kernel, double sigma, double gamma);

/// (u, w) under p(u)p(w)K(u, w): per coordinate variance v and correlation r; the mass is exp(dim · log_z_per_dim).
struct JointLaw {
  double v = 1;
  double r = 1;
  double log_z_per_dim = 0;
};
JointLaw joint_law_of(const WeightKernel& kernel, double sigma, double gamma);

/// E_w[K(w, w) g(w)] = mass · E[g] under N(0, inflation · σ²): mass = exp(dim · log_mass_per_dim). Throws where it
/// diverges.
struct DiagonalTilt {
  double inflation = 1;
  double log_mass_per_dim = 0;
};
DiagonalTilt diagonal_tilt_of(const WeightKernel& kernel, double sigma, double gamma);

/// Inner products of two centres, all that the kernels depend on.
struct Pair {
  double uu = 0;
  double vv = 0;
  double uv = 0;
};
/// log K(u, v).
double log_value(const WeightKernel& kernel, const Pair& pair, double gamma);
/// log E_w[K(u, w)K(v, w)], w ~ N(0, σ²I) in `dim` dimensions: an entry of M.
double log_l2(const WeightKernel& kernel, const Pair& pair, Index dim, double sigma, double gamma);

}  // namespace weft::detail
