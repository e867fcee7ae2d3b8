// Functions of Boost.Math, in one file: their headers take seconds to compile.
#pragma once

namespace weft::detail {

/// The inverses of distribution functions at p.
double normal_quantile(double p);
double gamma_quantile(double shape, double p);  ///< of scale 1
double beta_quantile(double a, double b, double p);

/// Owen's T(h, a): the probability of X > h and 0 < Y < aX for independent standard normal X and Y.
double owens_t(double h, double a);

}  // namespace weft::detail
