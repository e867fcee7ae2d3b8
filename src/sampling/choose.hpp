// Choosing among scored candidates.
#pragma once

#include <weft/leverage.hpp>

#include <cstdint>
#include <vector>

namespace weft::detail {

/// diag of G(G+λI)⁻¹ = 1 − λ·diag((G+λI)⁻¹), from a Cholesky factor; only the lower triangle of `gram` is read.
std::vector<double> leverage_scores(View<const double> gram, double lambda, int threads);

/// The λ at which leverage scores add up to `dimension`, the number of directions that λ leaves; where no λ is that
/// small, the smallest that rounding allows. Candidates are independent draws, so a leading block of the Gram matrix, a
/// few times as large as the dimension, stands for all.
double lambda_of_dimension(View<const double> gram, double dimension);

/// `count` different candidates, each with a probability π in proportion to its score, or for certain where that would
/// be above 1 (systematic sampling). Scaled by √(count/(M₀π)): on average the kernel is that of the pool, and uniform
/// scores leave features as they are. Fewer where fewer have a score. (Draws one after the other, as landmarks are
/// drawn, have no such π, and weights need it.)
ChosenFeatures draw_distinct(const std::vector<double>& scores, Index count, std::uint64_t seed);

/// `count` independent draws with probabilities q in proportion to the scores, each scaled by 1/√(M₀q) (Shahrampour &
/// Kolouri 2019, Algorithm 1; Ma et al. 2025, Algorithm 1, line 5). A candidate drawn k times is one feature scaled by
/// √k more, and by √(distinct/count), because a ridge multiplies λ by the number of features: fits with a ridge and
/// kernels are those of the `count` features.
ChosenFeatures draw_with_replacement(const std::vector<double>& scores, Index count, std::uint64_t seed);

/// The `count` highest scores, unscaled; of equal ones the first (Shahrampour & Kolouri 2019, Algorithm 2; EERF).
ChosenFeatures take_top(const std::vector<double>& scores, Index count);

/// The q on the simplex with M₀Σq² − 1 ≤ rho that maximises Σ q·scores (LKRF).
std::vector<double> aligned_weights(const std::vector<double>& scores, double rho);

/// The `count` highest of these weights, scaled by √(M₀q); candidates of weight 0 are left out.
ChosenFeatures take_aligned(const std::vector<double>& scores, Index count, double rho);

}  // namespace weft::detail
