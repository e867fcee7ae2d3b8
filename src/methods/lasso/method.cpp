#include "methods/method.hpp"
#include "methods/lasso/lasso.hpp"
#include "methods/least_squares/least_squares.hpp"

namespace weft::detail {

namespace {

void check(const FitOptions& options, const FamilyOptions&) {
  if (options.lambda && options.own<LassoOptions>().nonzeros > 0)
    throw Error(ErrorKind::option, "‹nonzeros› determines lambda, but ‹lambda› is given too", "‹nonzeros›",
                "give one of them");
}

double check_memory(const FitOptions&, const ProblemSize& size, const Run& run) {
  return check_sums_memory(sums_matrices(size.rows), size, run);
}

/// λ of the lasso has another meaning than that of least squares: it is chosen again.
FitOptions refit(const FitOptions& options) {
  FitOptions result = options;
  result.lambda.reset();
  result.method = LeastSquaresOptions{.precision = options.own<LassoOptions>().precision};
  return result;
}

}  // namespace

const Method& lasso_method() {
  static const Method row{
      .name = "lasso",
      .help = "squared error with an l1 penalty: most coefficients are zero",
      .options = LassoOptions{},
      .run = fit_lasso,
      .loss = squared_loss,
      .check_memory = check_memory,
      .check = check,
      .shares_rows = true,
      .solve = solve_lasso,
      .holds_out = lasso_holds_out,
      .refit = refit,
  };
  return row;
}

}  // namespace weft::detail
