#pragma once

namespace weft::detail {

double normal_cdf(double x);

/// P(Z ≤ h, Z' ≤ k) for standard normals with correlation rho in [-1, 1], by Owen's T function (Boost.Math).
double bivariate_normal_cdf(double h, double k, double rho);

}  // namespace weft::detail
