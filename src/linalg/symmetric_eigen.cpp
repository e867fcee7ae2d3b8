#include "linalg/symmetric_eigen.hpp"

#include "compute/device.hpp"

#include <weft/error.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace weft::detail {

SymmetricEigen symmetric_eigen(Matrix a) {
  assert(a.rows() == a.cols() && a.rows() <= kLargestEigen);
  const bool finite = std::all_of(a.data(), a.data() + a.rows() * a.cols(), [](double x) { return std::isfinite(x); });
  SymmetricEigen result{{}, std::move(a)};
  if (!finite || !cpu().eigen(result.vectors, result.values))
    throw Error(ErrorKind::data, "the eigenvalues of the kernel matrix cannot be found", {},
                "look for overflowing values in the inputs");
  return result;
}

}  // namespace weft::detail
