#include "reproduce/pool_choice.hpp"

#include "linalg/ridge.hpp"

#include <numeric>

namespace weft {

using namespace detail;

namespace {

std::vector<Index> first(Index count) {
  std::vector<Index> positions(static_cast<std::size_t>(count));
  std::iota(positions.begin(), positions.end(), Index{0});
  return positions;
}

std::vector<double> leverage_of(const Accumulator& sums, Index pool, double lambda, int threads) {
  Matrix gram(pool, pool);
  for (Index s = 0; s < pool; ++s)
    for (Index t = 0; t <= s; ++t) gram(s, t) = sums.gram_lower()(s, t) / (static_cast<double>(pool) * sums.weight());
  return leverage_scores(gram, lambda, threads);
}

// ((1/W)Σ w (y − ȳ)φ)²: alignments with the target less its mean, as src/sampling/candidates.hpp has them.
std::vector<double> alignments_of(const Accumulator& sums, Index pool) {
  const double mean = sums.target_sums()[0] / sums.weight();
  const std::vector<double> feature_sums = sums.feature_sums();
  std::vector<double> squares;
  for (Index t = 0; t < pool; ++t) {
    const double moment = (sums.cross()(t, 0) - mean * feature_sums[static_cast<std::size_t>(t)]) / sums.weight();
    squares.push_back(moment * moment);
  }
  return squares;
}

}  // namespace

Choice choose_from_sums(const Accumulator& sums, const PoolChoice& wanted, int threads) {
  if (wanted.sampling == "plain") return {first(wanted.features), {}};
  if (wanted.sampling == "eerf") return take_top(alignments_of(sums, wanted.pool), wanted.features);
  if (wanted.sampling == "lkrf") return take_aligned(alignments_of(sums, wanted.pool), wanted.features, wanted.rho);
  const std::vector<double> scores = leverage_of(sums, wanted.pool, wanted.lambda, threads);
  if (wanted.sampling == "leverage-top") return take_top(scores, wanted.features);
  return (wanted.with_replacement ? resample : draw_distinct)(scores, wanted.features, wanted.seed);
}

std::vector<LinearFit> ridge_path(const Accumulator& sums, const std::vector<double>& lambdas, int threads) {
  const CentredSums centred = sums.centred();
  std::vector<LinearFit> fits;
  for (const double lambda : lambdas) {
    const Matrix solution =
        solve_regularised(centred.gram, {}, lambda * sums.weight(), 0, centred.cross, threads).coefficients;
    LinearFit fit{{solution.data(), solution.data() + solution.rows()}, centred.target_means[0]};
    for (std::size_t t = 0; t < fit.coefficients.size(); ++t)
      fit.intercept -= fit.coefficients[t] * centred.feature_means[t];
    fits.push_back(std::move(fit));
  }
  return fits;
}

double mean_square(const Accumulator& sums, const LinearFit& fit) {
  const std::vector<double>& b = fit.coefficients;
  const std::vector<double> feature_sums = sums.feature_sums();
  // Σw(y − a − bᵀφ)² = Σwy² + a²W − 2aΣwy + Σ_t b_t(Σ_s b_s G_st + 2a·Σwφ_t − 2Σwyφ_t)
  double total = sums.yy()[0] + fit.intercept * (fit.intercept * sums.weight() - 2 * sums.target_sums()[0]);
  for (Index t = 0; t < sums.features(); ++t) {
    const double bt = b[static_cast<std::size_t>(t)];
    double row = bt * sums.gram_lower()(t, t) +
                 2 * (fit.intercept * feature_sums[static_cast<std::size_t>(t)] - sums.cross()(t, 0));
    for (Index s = 0; s < t; ++s) row += 2 * b[static_cast<std::size_t>(s)] * sums.gram_lower()(t, s);
    total += bt * row;
  }
  return total / sums.weight();
}

}  // namespace weft
