#include "objective/ridge_choice.hpp"

#include "linalg/normal_equations.hpp"
#include "linalg/ridge_path.hpp"
#include "objective/lambda_grid.hpp"
#include "objective/lambda_path.hpp"

namespace weft::detail {

namespace {

constexpr Index kGridLambdas = 33;  // two a decade

}  // namespace

RidgeChoice choose_ridge(const RidgeTerms& terms, const Penalty& penalty, const Accumulator& fitted,
                         const Accumulator& held_out, const Run& run) {
  const NormalEquations equations = normal_equations(fitted, terms.intercept);
  RidgeChoice choice;
  choice.grid = lambda_grid(equations, penalty, kGridLambdas);
  std::vector<double> scaled;
  for (const double lambda : choice.grid) scaled.push_back(lambda * equations.weight);
  const RidgePath path = ridge_path(equations.gram, penalty.matrix, scaled, terms.epsilon * equations.weight,
                                    equations.cross, run.thread_count());
  for (const Matrix& coefficients : path.coefficients) {
    const std::vector<double> intercepts = equations.intercepts(coefficients);
    double error = 0;
    // In units of the variance among the fitted rows: a class that none of the held-out rows has must not decide alone.
    for (Index o = 0; o < coefficients.cols(); ++o)
      if (const double variance = total_variance(fitted, o); variance > 0)
        error += squared_error(held_out, coefficients, intercepts, o) / variance;
    choice.errors.push_back(error / static_cast<double>(coefficients.cols()));
  }
  const std::optional<std::size_t> chosen = LambdaPath{choice.grid, choice.errors}.largest_good();
  if (!chosen)
    throw Error(ErrorKind::data, "no lambda gives finite predictions on the held-out rows", "‹lambda›",
                "give a lambda, and look for extreme values in the inputs");
  choice.effective = choice.grid[*chosen];
  choice.error = choice.errors[*chosen];
  return choice;
}

}  // namespace weft::detail
