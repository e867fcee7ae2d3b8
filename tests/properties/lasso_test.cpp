// The lasso's optimality conditions in quadruple precision, from features and targets that the solver never sees.
#include "linalg/lasso.hpp"
#include "properties/design.hpp"

namespace weft {

using namespace detail;
namespace {

using namespace test;

struct LassoDraw {
  Design design;
  Matrix gram;
  std::vector<double> cross;
  double yy = 0;
  int divisor = 1;

  explicit LassoDraw(Design design_, int divisor_) : design(std::move(design_)), divisor(divisor_) {
    const Accumulator sums = sums_of(design);
    gram = sums.gram();
    for (Index t = 0; t < gram.rows(); ++t) cross.push_back(sums.cross()(t, 0));
    yy = sums.yy()[0];
  }
  double rows() const { return static_cast<double>(design.phi.cols()); }
  LassoProblem problem() const { return {gram, cross, yy, rows(), divisor}; }
};

Design with_units(Design design, double features, double targets) {
  return {scaled(design.phi, features), scaled(design.y, targets)};
}

/// What the result says of itself, against r = y − Φa and g = Φᵀr.
void expect_certified(const LassoDraw& lasso_case, double lambda, const LassoResult& result) {
  const Matrix& phi = lasso_case.design.phi;
  const Quad unit = Quad(lasso_case.divisor) * lasso_case.rows();
  const Quad mu = Quad(lambda) * unit / 2;
  QuadMatrix a(phi.rows(), 1);
  Quad norm = 0, sizes = 0, longest = 0;  // sizes: Σ |a_t| ‖φ_t‖, what Φa was added up from
  for (Index t = 0; t < phi.rows(); ++t) {
    a(t, 0) = result.coefficients[t];
    norm += absolute(a(t, 0));
    const Quad column = square_root(Quad(lasso_case.gram(t, t)));
    sizes += absolute(a(t, 0)) * column;
    longest = column > longest ? column : longest;
  }
  const QuadMatrix r = QuadMatrix(lasso_case.design.y.view()).transposed() - QuadMatrix(phi.view()).transposed() * a;
  const QuadMatrix g = QuadMatrix(phi.view()) * r;
  const double eps = 8 * static_cast<double>(phi.rows() + phi.cols()) * DBL_EPSILON;
  const Quad length = square_root(Quad(lasso_case.yy)) + sizes;
  Quad violation = 0;
  for (Index t = 0; t < phi.rows(); ++t) {
    const Quad slope = g(t, 0);
    const Quad excess = a(t, 0) > 0 ? absolute(slope - mu) : a(t, 0) < 0 ? absolute(slope + mu) : absolute(slope) - mu;
    const Quad noise = eps * square_root(Quad(lasso_case.gram(t, t))) * length;
    EXPECT_LE(ratio(excess - noise, mu), result.kkt_violation) << "coefficient " << t;
    violation = excess > violation ? excess : violation;
  }
  const Quad squares = (r.transposed() * r)(0, 0);
  const Quad objective = squares / unit + lambda * norm;
  const Quad scale = lasso_case.yy / unit;
  EXPECT_LE(ratio(absolute(objective - result.objective), scale), eps * ratio(length * length, lasso_case.yy));
  // The best of the dual points s·r that are feasible, below which no objective is.
  const Quad bound = g.largest() > 0 ? mu / g.largest() : Quad(0);
  const Quad best =
      squares > 0 ? (r.transposed() * QuadMatrix(lasso_case.design.y.view()).transposed())(0, 0) / squares : bound;
  const Quad s = best > bound ? bound : best < -bound ? -bound : best;
  Quad dual = 0;
  for (Index i = 0; i < r.rows; ++i) {
    const Quad y = lasso_case.design.y(0, i);
    dual += (y * y - (y - s * r(i, 0)) * (y - s * r(i, 0))) / unit;
  }
  // Rounding of the gradient moves the dual point by its share of μ.
  const double moved = 1 + ratio(longest * length, mu);
  EXPECT_LE(ratio(objective - dual, scale),
            ratio(Quad(result.gap), scale) + eps * moved * ratio(length * length, lasso_case.yy));
}

TEST(LassoProperties, ResultsAreOptimalAsFarAsTheySay) {
  for_all(800, [](Draw& draw) {
    Design design = draw_design(draw, 40, 60);
    if (draw.flip()) design = with_units(design, draw.power_of_two(-240, 240), draw.power_of_two(-240, 240));
    const LassoDraw drawn(std::move(design), draw.one_of({1, 2}));
    const double largest = lasso_lambda_max(drawn.problem());
    if (!(largest > 0)) return;
    const double lambda = largest * draw.power_of_ten(-5, 0.1);
    const LassoResult result = lasso(drawn.problem(), lambda, {}, {.tolerance = draw.power_of_ten(-12, -3)}, {});
    EXPECT_TRUE(result.stop == LassoStop::converged || result.stop == LassoStop::stalled) << to_string(result.stop);
    expect_certified(drawn, lambda, result);
  });
}

TEST(LassoProperties, ConvergesOnEveryKindOfDesign) {
  for_all(400, [](Draw& draw) {
    const LassoDraw drawn(draw_design(draw, 40, 60), 1);
    const double largest = lasso_lambda_max(drawn.problem());
    if (!(largest > 0)) return;
    std::vector<double> lambdas;
    for (int k = 0; k < 8; ++k) lambdas.push_back(largest * std::pow(10, -0.5 * k));
    const auto path = lasso_path(drawn.problem(), lambdas, {.tolerance = 1e-6}, {});
    for (std::size_t k = 0; k < lambdas.size(); ++k) {
      EXPECT_EQ(path[k].stop, LassoStop::converged) << k;
      EXPECT_LE(path[k].gap, 1e-6 * drawn.yy / drawn.rows());
      expect_certified(drawn, lambdas[k], path[k]);
    }
  });
}

TEST(LassoProperties, CoefficientsFollowTheUnits) {
  for_all(400, [](Draw& draw) {
    const Design design = draw_design(draw, 40, 60);
    const double features = draw.power_of_two(-200, 200);
    const double targets = draw.power_of_two(-200, 200);
    const LassoDraw one(design, 1);
    const LassoDraw other(with_units(design, features, targets), 1);
    const double largest = lasso_lambda_max(one.problem());
    if (!(largest > 0)) return;
    const double lambda = largest * draw.power_of_ten(-3, 0);
    const LassoSolverOptions options{.tolerance = draw.power_of_ten(-10, -3)};
    const LassoResult a = lasso(one.problem(), lambda, {}, options, {});
    const LassoResult b = lasso(other.problem(), lambda * features * targets, {}, options, {});
    EXPECT_EQ(a.stop, b.stop);
    for (Index t = 0; t < one.gram.rows(); ++t)
      ASSERT_EQ(b.coefficients[t], a.coefficients[t] / features * targets) << t;
  });
}

}  // namespace
}  // namespace weft
