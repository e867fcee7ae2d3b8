#include "core/special_functions.hpp"

#include <numbers>

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/owens_t.hpp>

namespace weft::detail {

double normal_quantile(double p) {
  return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * p);
}

double gamma_quantile(double shape, double p) {
  return boost::math::gamma_p_inv(shape, p);
}

double beta_quantile(double a, double b, double p) {
  return boost::math::ibeta_inv(a, b, p);
}

double owens_t(double h, double a) {
  return boost::math::owens_t(h, a);
}

}  // namespace weft::detail
