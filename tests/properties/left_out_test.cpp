// The closed forms for leaving a row out against quadruple-precision fits without it, for kernels down to Hilbert's
// matrix.
#include "methods/kernel/kernel_left_out.hpp"
#include "methods/kernel_case.hpp"
#include "properties/design.hpp"

namespace weft {

using namespace detail;
namespace {

using namespace test;

/// SKS and the targets of n rows: kernels of low rank, of nearly equal rows, and k(x, z) = 1/(1 + x + z), whose matrix
/// at 0, 1, 2, … is Hilbert's.
struct LeftOutDraw {
  Matrix kernel;
  KernelTargets targets;

  LeftOutDraw(Draw& draw, Index n, bool intercept) : kernel(n, n), targets{Matrix(n, 2), {}, {0, 0}, 0} {
    const Index kind = draw.below(3);
    std::vector<double> x;
    for (Index i = 0; i < n; ++i)
      x.push_back(kind == 2 ? static_cast<double>(i) : i > 0 && draw.below(4) == 0 ? x.back() : draw.normal());
    const bool weighted = draw.flip();
    for (Index i = 0; i < n; ++i) {
      const double weight = !weighted ? 1 : draw.below(6) == 0 && i > 1 ? 0 : draw.between(0.1, 3);
      targets.roots.push_back(std::sqrt(weight));
      targets.weight += weight;
    }
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) {
        const double value = kind == 0   ? x[i] * x[j]
                             : kind == 1 ? std::exp(-0.5 * (x[i] - x[j]) * (x[i] - x[j]))
                                         : 1 / (1 + x[i] + x[j]);
        kernel(i, j) = targets.roots[i] * targets.roots[j] * value;
      }
    for (Index c = 0; c < 2; ++c) {
      double sum = 0;
      std::vector<double> y;
      for (Index i = 0; i < n; ++i) {
        y.push_back(draw.normal());
        sum += targets.roots[i] * targets.roots[i] * y.back();
      }
      targets.shift[c] = intercept ? sum / targets.weight : 0;
      for (Index i = 0; i < n; ++i) targets.y(i, c) = targets.roots[i] * (y[i] - targets.shift[c]);
    }
  }

  /// y − f(x_i) of the fit to the other rows of positive weight, f = Σ k(x, x_j) s_j α_j + c: (SKS + μI)α + cs = Sy,
  /// sᵀα = 0.
  Quad error(Index i, Index target, double mu, bool intercept) const {
    std::vector<Index> kept;
    for (Index j = 0; j < kernel.rows(); ++j)
      if (j != i && targets.roots[j] > 0) kept.push_back(j);
    const auto n = static_cast<Index>(kept.size());
    QuadMatrix a(n + intercept, n + intercept), b(n + intercept, 1);
    for (Index k = 0; k < n; ++k) {
      for (Index l = 0; l < n; ++l) a(k, l) = kernel(kept[k], kept[l]);
      a(k, k) += mu;
      if (intercept) a(n, k) = a(k, n) = targets.roots[kept[k]];
      b(k, 0) = targets.y(kept[k], target);
    }
    const QuadMatrix alpha = quad_solve(a, b);
    Quad f = intercept ? alpha(n, 0) : Quad(0);
    for (Index k = 0; k < n; ++k) f += Quad(kernel(i, kept[k])) / targets.roots[i] * alpha(k, 0);
    return Quad(targets.y(i, target)) / targets.roots[i] - f;
  }
};

void expect_refits(const LeftOutDraw& drawn, const KernelSolution& solution, bool intercept) {
  const Index n = drawn.kernel.rows();
  const Matrix errors = left_out_errors(solution, drawn.targets);
  double trace = 0;
  for (Index i = 0; i < n; ++i) trace += drawn.kernel(i, i);
  const double condition = 1 + trace / solution.mu;
  for (Index c = 0; c < 2; ++c) {
    double length = 0;
    for (Index i = 0; i < n; ++i) length = std::hypot(length, drawn.targets.y(i, c));
    for (Index i = 0; i < n; ++i) {
      if (!(drawn.targets.roots[i] > 0)) {
        EXPECT_EQ(errors(i, c), 0);
        continue;
      }
      const double truth = static_cast<double>(drawn.error(i, c, solution.mu, intercept));
      // α and G have relative errors of ε·condition, of their largest entries.
      const double root = drawn.targets.roots[i];
      const double noise = 20 * static_cast<double>(n) * DBL_EPSILON * condition /
                           (solution.mu * solution.diagonal[i]) * (length / root + std::abs(truth));
      EXPECT_NEAR(errors(i, c), truth, noise) << "row " << i << " of " << n;
    }
  }
}

TEST(LeftOutProperties, ClosedFormsAreRefits) {
  // The problem gives solve_kernel its options alone.
  testing_rows::KernelCase settings = testing_rows::KernelCase::smooth(4);
  const FittedMap any = settings.landmarks();
  for_all(300, [&](Draw& draw) {
    const bool intercept = draw.flip();
    const LeftOutDraw drawn(draw, 2 + draw.count(0, 14), intercept);
    double trace = 0;
    for (Index i = 0; i < drawn.kernel.rows(); ++i) trace += drawn.kernel(i, i);
    if (!(trace > 0)) return;
    const double mu = trace * draw.power_of_ten(-7, 1);
    expect_refits(drawn, KernelPath(drawn.kernel, drawn.targets, intercept).solve(mu, 2), intercept);
    settings.options.intercept = intercept;
    const Problem problem{any.map, settings.rows, Task::regression, settings.options, settings.family, settings.run};
    expect_refits(drawn, solve_kernel(problem, HeldKernel(drawn.kernel, 2), drawn.targets, mu), intercept);
  });
}

}  // namespace
}  // namespace weft
