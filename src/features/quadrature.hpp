// One-dimensional expectations under a normal law, for activations without a closed form.
#pragma once

#include <functional>
#include <vector>

namespace weft::detail {

/// E[g(z)], z ~ N(mu, nu²). Without kinks: 64-point Gauss–Hermite, exact to rounding for smooth g that varies on the
/// scale of nu or slower. With kinks: Gauss–Legendre panels of width at most nu between mu ± 9 nu, cut at the kinks
/// (what is left outside has probability 2e-19).
double normal_expectation(const std::function<double(double)>& g, double mu, double nu,
                          const std::vector<double>& kinks);

}  // namespace weft::detail
