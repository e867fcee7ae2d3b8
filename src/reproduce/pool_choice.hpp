// Every sampler's choice among a pool of features, from the pool's sums alone: leading blocks of one accumulator are
// the pools of smaller sizes, and a choice of its rows and columns are the sums of the chosen features.
#pragma once

#include "linalg/accumulator.hpp"
#include "sampling/choose.hpp"

#include <string>

namespace weft {

using namespace detail;

struct PoolChoice {
  std::string sampling;  ///< plain, leverage, leverage-top, eerf, lkrf
  Index features = 0;    ///< M
  Index pool = 0;        ///< M₀: the first of the accumulator's features
  double lambda = 0;     ///< of leverage scores
  double rho = 1;        ///< of lkrf
  std::uint64_t seed = 1;
  bool with_replacement = false;  ///< leverage as [001] Algorithm 1 draws; a fit takes no feature twice
};

/// `sums` of one target, of at least M₀ features.
Choice choose_from_sums(const Accumulator& sums, const PoolChoice& wanted, int threads);

/// Ridge regression with an intercept on sums of one target: min (1/W)Σw(y − a − bᵀφ)² + λ‖b‖².
struct LinearFit {
  std::vector<double> coefficients;
  double intercept = 0;
};
std::vector<LinearFit> ridge_path(const Accumulator& sums, const std::vector<double>& lambdas, int threads);

/// The mean squared error of a fit on the rows of these sums.
double mean_square(const Accumulator& sums, const LinearFit& fit);

}  // namespace weft
