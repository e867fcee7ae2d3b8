// λ when the user gives none.
#pragma once

#include "methods/problem.hpp"
#include "objective/loss.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace weft::detail {

/// A fit of a small problem whose options.lambda is set; nullopt when it diverged.
using TrialFit = std::function<std::optional<FitResult>(const Problem&)>;

struct LambdaChoice {
  double lambda = 0;
  std::string how;  ///< for the report
};

/// Short runs (up to 500 features, on up to 2500 rows drawn by the seed) on a grid of half decades, from 10 to 1e-6
/// times the mean of φ(w,x)Φ_w(x), which estimates the implicit kernel K_X(x,x), the scale on which λ acts. The winner
/// has the least loss on the part of those rows (options.lambda_holdout) that was held out. λ ≥ `limit` are left out.
/// A search that has used half of the time limit ends with the best λ so far.
LambdaChoice choose_lambda(const Problem& problem, const Loss& loss, const TrialFit& fit, double limit);

}  // namespace weft::detail
