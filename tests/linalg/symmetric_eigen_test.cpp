#include "linalg/symmetric_eigen.hpp"

#include <weft/error.hpp>

#include "core/random.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace weft {

using namespace detail;
namespace {

TEST(SymmetricEigen, RebuildsTheMatrix) {
  const Random random(3, RandomStream::generator);
  for (const Index n : {1, 2, 37}) {
    Matrix a(n, n);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j <= i; ++j)
        a(i, j) = a(j, i) = random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(j));
    const SymmetricEigen eigen = symmetric_eigen(a);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) {
        double entry = 0, inner = 0;
        for (Index k = 0; k < n; ++k) {
          entry += eigen.values[static_cast<std::size_t>(k)] * eigen.vectors(k, i) * eigen.vectors(k, j);
          inner += eigen.vectors(i, k) * eigen.vectors(j, k);
        }
        EXPECT_NEAR(entry, a(i, j), 1e-13);
        EXPECT_NEAR(inner, i == j ? 1 : 0, 1e-13);
      }
    for (std::size_t k = 1; k < eigen.values.size(); ++k) EXPECT_LE(eigen.values[k - 1], eigen.values[k]);
  }
}

TEST(SymmetricEigen, RefusesWhatIsNotFinite) {
  Matrix a(3, 3);
  a(2, 1) = a(1, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(symmetric_eigen(a), Error);
}

}  // namespace
}  // namespace weft
