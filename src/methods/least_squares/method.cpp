#include "methods/method.hpp"
#include "methods/least_squares/least_squares.hpp"

namespace weft::detail {

namespace {

// Standard deviations keep a factor.
double check_memory(const FitOptions& options, const ProblemSize& size, const Run& run) {
  const auto& own = options.own<LeastSquaresOptions>();
  return check_sums_memory(sums_matrices(size.rows) + (own.std ? 1 : 0) + (own.calibrate ? kCalibrationMatrices : 0),
                           size, run);
}

}  // namespace

const Method& least_squares_method() {
  static const Method row{
      .name = "least-squares",
      .help = "regularised least squares, solved from sums over the rows",
      .options = LeastSquaresOptions{},
      .run = fit_least_squares,
      .loss = squared_loss,
      .check_memory = check_memory,
      .batches = true,
      .shares_rows = true,
      .shares_matrices = [](const FitOptions&) { return true; },
      .solve = solve_least_squares,
      .solve_scores = true,
      .validated_by = [](const FitOptions&, Index) { return ValidatedBy::shared_sums; },
      .calibrates = [](const FitOptions&) { return true; },
      .refit = [](const FitOptions& options) { return options; },
      .minimises = true,
  };
  return row;
}

}  // namespace weft::detail
