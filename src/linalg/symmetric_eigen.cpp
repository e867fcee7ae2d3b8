#include "linalg/symmetric_eigen.hpp"

#include "core/parallel.hpp"
#include "linalg/blas.hpp"

#include <weft/error.hpp>

#include <lapacke.h>
#include <algorithm>
#include <cassert>
#include <cmath>

namespace weft::detail {

SymmetricEigen symmetric_eigen(Matrix a) {
  assert(a.rows() == a.cols() && a.rows() <= kLargestEigen);
  const bool finite = std::all_of(a.data(), a.data() + a.rows() * a.cols(), [](double x) { return std::isfinite(x); });
  const SerialBlas serial_blas;
  const int n = blas::narrow(a.rows());
  SymmetricEigen result{std::vector<double>(static_cast<std::size_t>(n)), std::move(a)};
  double work_size = 0;
  lapack_int integer_size = 0;
  const auto decompose = [&](double* work, lapack_int length, lapack_int* integers, lapack_int integer_length) {
    return LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', n, result.vectors.data(), n, result.values.data(), work,
                               length, integers, integer_length);
  };
  decompose(&work_size, -1, &integer_size, -1);
  AlignedVector<double> work(static_cast<std::size_t>(work_size));
  std::vector<lapack_int> integers(static_cast<std::size_t>(integer_size));
  if (!finite || decompose(work.data(), static_cast<lapack_int>(work.size()), integers.data(), integer_size) != 0)
    throw Error(ErrorKind::data, "the eigenvalues of the kernel matrix cannot be found", {},
                "look for overflowing values in the inputs");
  return result;
}

}  // namespace weft::detail
