// The solvers against quadruple precision, on matrices that are as ill-conditioned as double allows and beyond.
#include "linalg/cholesky.hpp"
#include "linalg/conjugate_gradient.hpp"
#include "linalg/ridge.hpp"
#include "linalg/ridge_path.hpp"
#include "linalg/symmetric_eigen.hpp"
#include "properties/design.hpp"

#include <cstring>

namespace weft {

using namespace detail;
namespace {

using namespace test;

/// The unit of errors for sums of n terms.
double rounding(Index n) {
  return static_cast<double>(n + 5) * DBL_EPSILON;
}

QuadMatrix lower_of(const Matrix& a) {
  QuadMatrix lower(a.view());
  for (Index i = 0; i < lower.rows; ++i)
    for (Index j = i + 1; j < lower.cols; ++j) lower(i, j) = 0;
  return lower;
}

/// Positive definite: sums of a design and a little more on the diagonal, in a unit of its own.
Matrix draw_definite(Draw& draw, Index most, Index units = 560) {
  const Design design = draw_design(draw, most, 2 * most);
  Matrix a = scaled(sums_of(design).gram(), draw.power_of_two(-units, units));
  const double share = draw.power_of_ten(-12, 0);
  for (Index i = 0; i < a.rows(); ++i) a(i, i) = a(i, i) > 0 ? a(i, i) * (1 + share) : 1;
  return a;
}

TEST(SolverProperties, CholeskyFactorsToRoundingOfEveryEntry) {
  for_all(150, [](Draw& draw) {
    // |A − LLᵀ| ≤ (n + 1)ε |L||Lᵀ| (Higham 2002, Theorem 10.3), also where tiles of the factorisation meet.
    const bool tiles = draw.below(20) == 0;
    const Matrix a = draw_definite(draw, tiles ? 260 : 40);
    Matrix lower = a;
    ASSERT_TRUE(cholesky_factor(lower, 2));
    const QuadMatrix l = lower_of(lower);
    for (Index i = 0; i < a.rows(); ++i)
      for (Index j = 0; j <= i; ++j) {
        Quad product = 0;
        for (Index k = 0; k <= j; ++k) product += l(i, k) * l(j, k);
        const Quad bound = rounding(a.rows()) * square_root(Quad(a(i, i)) * a(j, j));
        ASSERT_LE(ratio(absolute(product - a(i, j)), bound), 1) << i << ' ' << j << " of " << a.rows();
      }
  });
}

TEST(SolverProperties, CholeskyOfARescaledMatrixIsTheRescaledFactor) {
  for_all(300, [](Draw& draw) {
    const Matrix a = draw_definite(draw, 60);
    const Index n = a.rows();
    std::vector<double> d(static_cast<std::size_t>(n));
    for (double& value : d) value = draw.power_of_two(-40, 40);
    Matrix other(n, n);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) other(i, j) = d[i] * a(i, j) * d[j];
    Matrix lower = a;
    ASSERT_TRUE(cholesky_factor(lower, 1));
    ASSERT_TRUE(cholesky_factor(other, 2));
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j <= i; ++j) ASSERT_EQ(other(i, j), d[i] * lower(i, j)) << i << ' ' << j;
  });
}

TEST(SolverProperties, TriangularSolvesHaveSmallResiduals) {
  for_all(400, [](Draw& draw) {
    const Matrix a = draw_definite(draw, 40);
    const Index n = a.rows();
    Matrix lower = a;
    ASSERT_TRUE(cholesky_factor(lower, 1));
    Matrix rhs(n, draw.count(1, 5));
    for (Index i = 0; i < rhs.rows() * rhs.cols(); ++i)
      rhs.data()[i] = draw.normal() * std::sqrt(a(i / rhs.cols(), i / rhs.cols()));
    Matrix x = rhs;
    solve_cholesky(lower, x, 2);
    // |B − LLᵀX| ≤ 3nε |L||Lᵀ||X|, entry by entry (Higham 2002, Theorem 10.4).
    const QuadMatrix l = lower_of(lower);
    QuadMatrix sizes = l;
    for (Quad& entry : sizes.entries) entry = absolute(entry);
    QuadMatrix x_sizes(x.view());
    for (Quad& entry : x_sizes.entries) entry = absolute(entry);
    const QuadMatrix bound = sizes * (sizes.transposed() * x_sizes);
    const QuadMatrix residual = QuadMatrix(rhs.view()) - l * (l.transposed() * QuadMatrix(x.view()));
    for (Index i = 0; i < n; ++i)
      for (Index c = 0; c < rhs.cols(); ++c)
        ASSERT_LE(ratio(absolute(residual(i, c)), bound(i, c)), 3 * rounding(n)) << i << ' ' << c;
  });
}

TEST(SolverProperties, InverseDiagonalAndConditionAreThoseOfTheInverse) {
  for_all(40, [](Draw& draw) {
    const Matrix a = draw_definite(draw, 30);
    const Index n = a.rows();
    Matrix lower = a;
    ASSERT_TRUE(cholesky_factor(lower, 1));
    const QuadMatrix l = lower_of(lower);
    const QuadMatrix inverse = quad_solve(l * l.transposed(), QuadMatrix::identity(n));
    // Columns in other units are other numbers, not other errors: conditions are those of the scaled matrix.
    const std::vector<Quad> scale = unit_scale(QuadMatrix(a.view()));
    const double condition =
        ratio(rows_scaled(rows_scaled(inverse, inverses(scale)).transposed(), inverses(scale)).norm(), 1);
    const std::vector<double> diagonal = inverse_diagonal(lower, 2);
    for (Index i = 0; i < n; ++i)
      ASSERT_NEAR(ratio(Quad(diagonal[i]), inverse(i, i)), 1, 20 * rounding(n) * condition) << i << " of " << n;
  });
}

struct RidgeDraw {
  Design design;
  Matrix gram, rhs, regulariser;
  double lambda = 0, epsilon = 0;

  explicit RidgeDraw(Draw& draw) : design(draw_design(draw, 30, 60, 2)) {
    const double unit = draw.power_of_two(-290, 290);  // of the features, whose products then reach 1e±300
    const double target_unit = draw.power_of_two(-490, 490);
    design.phi = draw.flip() ? scaled(design.phi, unit) : design.phi;
    design.y = draw.flip() ? scaled(design.y, target_unit) : design.y;
  }
};

/// A = gram + λR + εI exactly, of the numbers the solver gets.
QuadMatrix equations(View<const double> gram, View<const double> regulariser, double lambda, double epsilon) {
  QuadMatrix a = QuadMatrix::symmetric(gram);
  for (Index i = 0; i < a.rows; ++i)
    for (Index j = 0; j < a.cols; ++j) {
      const double penalty = regulariser.data != nullptr ? regulariser(std::max(i, j), std::min(i, j)) : i == j ? 1 : 0;
      a(i, j) += Quad(lambda) * penalty + (i == j ? epsilon : 0);
    }
  return a;
}

/// What the report says must be so, and without jitter the residual is that of rounding and the solution as near the
/// exact one as the condition allows.
void expect_solved(const QuadMatrix& a, View<const double> rhs, const Matrix& x, const RidgeReport& report) {
  const Index n = a.rows;
  const std::vector<Quad> scale = unit_scale(a);
  const QuadMatrix b = rows_scaled(QuadMatrix(rhs), scale);
  const QuadMatrix residual = b - rows_scaled(a * QuadMatrix(x.view()), scale);
  const QuadMatrix z = rows_scaled(QuadMatrix(x.view()), inverses(scale));
  const QuadMatrix truth = report.jitter == 0 && report.reciprocal_condition > 1e-15
                               ? rows_scaled(quad_solve(a, QuadMatrix(rhs)), inverses(scale))
                               : QuadMatrix();
  for (Index c = 0; c < rhs.cols; ++c) {
    Quad above = 0, below = 0, length = 0, error = 0, true_length = 0;
    for (Index i = 0; i < n; ++i) {
      above += residual(i, c) * residual(i, c);
      below += b(i, c) * b(i, c);
      length += z(i, c) * z(i, c);
      if (truth.rows == 0) continue;
      error += (z(i, c) - truth(i, c)) * (z(i, c) - truth(i, c));
      true_length += truth(i, c) * truth(i, c);
    }
    if (below == 0) continue;
    const double relative = ratio(square_root(above), square_root(below));
    const double slack = rounding(n) * (1 + static_cast<double>(n) * ratio(square_root(length), square_root(below)));
    EXPECT_LE(relative, report.relative_residual + 4 * slack);
    if (report.jitter > 0) continue;
    EXPECT_LE(relative, 8 * slack);
    if (truth.rows > 0) {
      EXPECT_LE(ratio(square_root(error), square_root(true_length)), 20 * rounding(n) / report.reciprocal_condition);
    }
  }
}

TEST(SolverProperties, RidgeSolvesItsEquations) {
  for_all(1000, [](Draw& draw) {
    const RidgeDraw problem(draw);
    const Accumulator sums = sums_of(problem.design);
    double diagonal = 0;
    for (Index i = 0; i < sums.features(); ++i) diagonal = std::max(diagonal, sums.gram_lower()(i, i));
    const double lambda = draw.below(5) == 0 ? 0 : diagonal * draw.power_of_ten(-18, 1);
    const double epsilon = draw.flip() ? 0 : diagonal * draw.power_of_ten(-18, -6);
    const RidgeSolution solution = solve_regularised(sums.gram_lower(), {}, lambda, epsilon, sums.cross(), 2);
    expect_solved(equations(sums.gram_lower(), {}, lambda, epsilon), sums.cross(), solution.coefficients,
                  solution.report);
  });
}

TEST(SolverProperties, RidgeCoefficientsFollowTheUnitsOfColumnsAndTargets) {
  for_all(400, [](Draw& draw) {
    const Design design = draw_design(draw, 40, 80, 2);
    const Accumulator sums = sums_of(design);
    const Index n = sums.features();
    std::vector<double> d(static_cast<std::size_t>(n));
    for (double& value : d) value = draw.power_of_two(-60, 60);
    const double unit = draw.power_of_two(-200, 200);
    // R = diag(gram): a penalty that follows the columns' units.
    Matrix penalty(n, n), other_gram(n, n), other_penalty(n, n), other_rhs(n, 2);
    for (Index i = 0; i < n; ++i) {
      penalty(i, i) = sums.gram_lower()(i, i);
      other_penalty(i, i) = d[i] * penalty(i, i) * d[i];
      for (Index j = 0; j <= i; ++j) other_gram(i, j) = d[i] * sums.gram_lower()(i, j) * d[j];
      for (Index c = 0; c < 2; ++c) other_rhs(i, c) = unit * d[i] * sums.cross()(i, c);
    }
    const double lambda = draw.power_of_ten(-10, 0);
    const Matrix one = solve_regularised(sums.gram_lower(), penalty, lambda, 0, sums.cross(), 1).coefficients;
    const Matrix other = solve_regularised(other_gram, other_penalty, lambda, 0, other_rhs, 2).coefficients;
    for (Index i = 0; i < n; ++i)
      for (Index c = 0; c < 2; ++c) ASSERT_EQ(other(i, c), unit * one(i, c) / d[i]) << i;
  });
}

TEST(SolverProperties, EveryLambdaOfAPathIsSolvedBothWays) {
  for_all(40, [](Draw& draw) {
    const Index n = draw.count(1, 25);
    const Design design =
        draw_design(draw, n, draw.count(1, 60), 2,
                    draw.one_of({DesignKind::normal, DesignKind::powers, DesignKind::duplicates, DesignKind::steps}));
    const Accumulator sums = sums_of(design);
    const bool given = draw.flip();
    Matrix regulariser(n, n);
    const double width = draw.between(0.1, 1.5);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) regulariser(i, j) = std::exp(-width * std::abs(static_cast<double>(i - j)));
    const View<const double> r = given ? regulariser.view() : View<const double>();
    std::vector<double> lambdas;
    for (int k = 0; k < 16; ++k) lambdas.push_back(static_cast<double>(design.phi.cols()) * std::pow(10.0, 1 - k));
    const auto gram = sums.gram_lower();
    const RidgePath direct = ridge_path_cholesky(gram, r, lambdas, 0, sums.cross(), 2);
    const RidgePath path = ridge_path(gram, r, lambdas, 0, sums.cross(), 2);
    EXPECT_TRUE(path.tridiagonal);
    for (std::size_t k = 0; k < lambdas.size(); ++k) {
      const QuadMatrix a = equations(gram, r, lambdas[k], 0);
      expect_solved(a, sums.cross(), direct.coefficients[k], direct.reports[k]);
      if (path.reports[k].jitter > 0) continue;  // solved as above, and reported about the scaled equations
      const QuadMatrix residual = QuadMatrix(sums.cross()) - a * QuadMatrix(path.coefficients[k].view());
      const Quad unit = a.norm() * QuadMatrix(path.coefficients[k].view()).norm() + QuadMatrix(sums.cross()).norm();
      EXPECT_LE(ratio(residual.norm(), unit), 200 * rounding(n)) << lambdas[k];
    }
  });
}

TEST(SolverProperties, ConvergedConjugateGradientsHaveTheResidualTheySay) {
  for_all(400, [](Draw& draw) {
    const Matrix a = draw_definite(draw, 30, 100);
    const Index n = a.rows();
    Matrix rhs(n, 2);
    for (Index i = 0; i < n; ++i)
      for (Index c = 0; c < 2; ++c) rhs(i, c) = draw.normal() * std::sqrt(a(i, i));
    const auto product = [&](const Matrix& in, Matrix& out) {
      for (Index i = 0; i < n; ++i)
        for (Index c = 0; c < in.cols(); ++c) {
          out(i, c) = 0;
          for (Index j = 0; j < n; ++j) out(i, c) += a(i, j) * in(j, c);
        }
      return true;
    };
    const double tolerance = draw.power_of_ten(-10, -2);
    const ConjugateGradientResult result =
        conjugate_gradient(product, rhs, {}, {.tolerance = tolerance, .max_iterations = draw.count(5, 400)});
    const QuadMatrix x(result.x.view());
    const QuadMatrix residual = QuadMatrix(rhs.view()) - QuadMatrix::symmetric(a) * x;
    for (Index c = 0; c < 2; ++c) {
      Quad above = 0, below = 0, length = 0;
      for (Index i = 0; i < n; ++i) {
        above += residual(i, c) * residual(i, c);
        below += Quad(rhs(i, c)) * rhs(i, c);
        length += x(i, c) * x(i, c);
      }
      const double slack = rounding(n) * ratio(QuadMatrix(a.view()).norm() * square_root(length), square_root(below));
      EXPECT_LE(ratio(square_root(above), square_root(below)), result.relative_residual * (1 + 1e-6) + 10 * slack);
      EXPECT_EQ(result.converged, result.relative_residual <= tolerance);
    }
  });
}

TEST(SolverProperties, EigenvaluesAndVectorsAreThoseOfTheMatrix) {
  for_all(300, [](Draw& draw) {
    const Matrix a = scaled(draw_definite(draw, 20), draw.one_of({1.0, -1.0}));
    const Index n = a.rows();
    const SymmetricEigen eigen = symmetric_eigen(a);
    const QuadMatrix v(eigen.vectors.view());
    const QuadMatrix truth = QuadMatrix::symmetric(a);
    const Quad unit = truth.norm();
    const std::vector<Quad> values = quad_eigenvalues(truth);
    QuadMatrix image = v * truth;
    for (Index k = 0; k < n; ++k) {
      EXPECT_LE(ratio(absolute(eigen.values[k] - values[k]), unit), 10 * rounding(n)) << k;
      for (Index i = 0; i < n; ++i) image(k, i) -= eigen.values[k] * v(k, i);
    }
    EXPECT_LE(ratio(image.norm(), unit), 10 * rounding(n));
    EXPECT_LE(ratio((v * v.transposed() - QuadMatrix::identity(n)).norm(), 1), 10 * rounding(n));
  });
}

}  // namespace
}  // namespace weft
