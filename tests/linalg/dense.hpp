// Random matrices and the passage between weft's matrices and Eigen's, which the tests take as the truth.
#pragma once

#include "core/random.hpp"

#include <weft/matrix.hpp>

#include <Eigen/Core>

#include <cstdint>
#include <cstring>
#include <vector>

namespace weft::test {

using namespace detail;

using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline Matrix random_matrix(Index rows, Index cols, std::uint64_t seed) {
  const Random random(seed, RandomStream::generator);
  Matrix a(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j)
      a(i, j) = random.normal(static_cast<std::uint64_t>(j), static_cast<std::uint32_t>(i));
  return a;
}

inline Dense dense(View<const double> a) {
  return Eigen::Map<const Dense, 0, Eigen::OuterStride<>>(a.data, a.rows, a.cols, Eigen::OuterStride<>(a.stride));
}

inline Dense symmetric(View<const double> lower) {
  return dense(lower).selfadjointView<Eigen::Lower>();
}

inline Matrix matrix(const Dense& a) {
  Matrix out(a.rows(), a.cols());
  std::copy_n(a.data(), a.size(), out.data());
  return out;
}

inline bool same_bits(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.rows() * a.cols())) == 0;
}

inline double largest_difference(const Dense& a, const Dense& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

}  // namespace weft::test
