#include "linalg/linear_scores.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace weft {

using namespace detail;
namespace {

TEST(LinearScores, AreSumsOverFeaturesOnAnyNumberOfThreads) {
  const Index features = 7, alternatives = 3, rows = 600;  // three pieces, the last one shorter
  Matrix coefficients(features, alternatives), wide(features, rows + 5);
  for (Index t = 0; t < features; ++t) {
    for (Index a = 0; a < alternatives; ++a) coefficients(t, a) = std::sin(static_cast<double>(3 * t + a));
    for (Index i = 0; i < wide.cols(); ++i) wide(t, i) = std::cos(static_cast<double>(t * i));
  }
  const std::vector<double> intercepts = {1, -2, 0.5};
  const View<const double> phi = View<const double>(wide).col_range(5, rows);
  Matrix scores(alternatives, rows), threaded(alternatives, rows);
  linear_scores(coefficients, intercepts, phi, scores, 1);
  linear_scores(coefficients, intercepts, phi, threaded, 3);
  for (Index a = 0; a < alternatives; ++a)
    for (Index i = 0; i < rows; ++i) {
      double expected = intercepts[static_cast<std::size_t>(a)];
      for (Index t = 0; t < features; ++t) expected += coefficients(t, a) * wide(t, i + 5);
      ASSERT_NEAR(scores(a, i), expected, 1e-13);
      ASSERT_EQ(scores(a, i), threaded(a, i));
    }
}

}  // namespace
}  // namespace weft
