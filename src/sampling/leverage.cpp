// From a table to the leverage scores of candidates: the steps of fit() up to the choice of features.
#include <weft/leverage.hpp>

#include "data/rows/training_rows.hpp"
#include "linalg/cholesky.hpp"
#include "sampling/candidates.hpp"
#include "sampling/choose.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace weft {

using namespace detail;

namespace {

constexpr double kDelta = 0.05;

/// Ma et al. 2025, Theorem 3.2: 5·d_l·log(16d/δ) features, where d_l is the integral of a bound on the leverage
/// function.
double asked_features(double bound, double dimension) {
  return std::ceil(5 * bound * std::max(0.0, std::log(16 * dimension / kDelta)));
}

/// What Theorem 1 of Shahrampour & Kolouri 2019 needs to know of the Gram matrix of the candidates, whatever λ is.
struct PoolFacts {
  double candidates = 0;      ///< M₀
  double rows = 0;            ///< N₀
  double largest_square = 0;  ///< of a candidate, mean over the rows
  double kernel_error = 0;
  double least_eigenvalue = 0;
};

/// By inverse iteration; 0 where it is lost in rounding. Only the lower triangle is read.
double least_eigenvalue(Matrix gram, int threads) {
  constexpr double kRounding = 1e-14, kTolerance = 1e-9;
  constexpr int kMostSteps = 1000;
  const double norm = symmetric_one_norm(gram);
  if (!cholesky_factor(gram, threads) || reciprocal_condition(gram, norm) < kRounding) return 0;
  Matrix v(gram.rows(), 1);
  for (Index t = 0; t < v.rows(); ++t) v(t, 0) = std::cos(static_cast<double>(t * t));  // no eigenvector
  double value = 0;
  for (int step = 0; step < kMostSteps; ++step) {
    const double length = std::sqrt(std::inner_product(v.data(), v.data() + v.rows(), v.data(), 0.0));
    for (Index t = 0; t < v.rows(); ++t) v(t, 0) /= length;
    const Matrix before = v;
    solve_cholesky(gram, v, threads);
    const double next = 1 / std::inner_product(v.data(), v.data() + v.rows(), before.data(), 0.0);
    const bool settled = std::abs(next - value) <= kTolerance * next;
    value = next;
    if (settled) break;
  }
  return value;
}

PoolFacts facts_of(const Matrix& gram, double rows, int threads) {
  PoolFacts facts{.candidates = static_cast<double>(gram.rows()), .rows = rows};
  double fourth = 0, squares = 0;  // of G with 1/M₀: mean squares of candidates, and ‖G‖² = the mean of k̂(x, x')²
  for (Index s = 0; s < gram.rows(); ++s) {
    const double mean_square = gram(s, s) * facts.candidates;
    facts.largest_square = std::max(facts.largest_square, mean_square);
    fourth += mean_square * mean_square / facts.candidates;
    for (Index t = 0; t <= s; ++t) squares += (s == t ? 1 : 2) * gram(s, t) * gram(s, t);
  }
  // The variance of a mean of M₀ independent terms, estimated from them.
  if (facts.candidates > 1) facts.kernel_error = std::sqrt(std::max(0.0, fourth - squares) / (facts.candidates - 1));
  facts.least_eigenvalue = least_eigenvalue(gram, threads);
  return facts;
}

/// Theorem 1: 5d·log(16Nd) features; N₀ ≥ (8/3)Δ⁻²M₀·log(1/δ) rows with Δ ≤ 1/2, and Er(g) with the Δ that N₀ allows.
void ask(LeverageScores& result, const PoolFacts& facts, double all_rows) {
  const double d = result.effective_dimension;
  result.elss_features = std::ceil(5 * d * std::max(0.0, std::log(16 * all_rows * d)));
  const double once = 8.0 / 3 * facts.candidates * std::log(1 / kDelta);
  result.elss_rows = std::ceil(4 * once);
  result.kernel_error = facts.kernel_error;
  if (facts.rows >= result.elss_rows && facts.least_eigenvalue > 0)
    result.score_error = 4 * std::sqrt(std::sqrt(once / facts.rows) * result.lambda / facts.least_eigenvalue);
}

LeverageScores summarise(double lambda, std::vector<double> scores, double largest_square) {
  LeverageScores result{.lambda = lambda, .scores = std::move(scores)};
  const auto count = static_cast<double>(result.scores.size());
  result.effective_dimension = std::accumulate(result.scores.begin(), result.scores.end(), 0.0);
  if (!(result.effective_dimension > 0)) return result;
  result.weighted_features = asked_features(result.effective_dimension, result.effective_dimension);
  result.plain_features = asked_features(largest_square / lambda, result.effective_dimension);
  result.max_over_mean =
      count * *std::max_element(result.scores.begin(), result.scores.end()) / result.effective_dimension;
  double entropy = 0;
  for (const double score : result.scores)
    if (const double q = score / result.effective_dimension; q > 0) entropy -= q * std::log(q);
  result.uniformity = std::exp(entropy) / count;
  return result;
}

}  // namespace

Leverage leverage(const Data& data, const FamilyOptions& options, const std::vector<double>& lambdas,
                  const EncodeOptions& encode, const Run& run, const ActivationPtr& custom) {
  for (const double lambda : lambdas) check_value("lambdas", lambda, Allowed::positive());
  const Encoder encoder = Encoder::fit_inputs(data, encode, run);
  const auto rows = input_rows(encoder, data, run);
  Leverage result{
      .candidates = draw_candidates(options, encoder.inputs(), kLeverageMatrices, run, custom),
      .rows = options.sampling_rows > 0 ? std::min<Index>(options.sampling_rows, rows->rows()) : rows->rows()};
  const Matrix gram = candidate_gram(result.candidates, *rows, options, run);
  const PoolFacts facts = facts_of(gram, static_cast<double>(result.rows), run.thread_count());
  for (const double lambda : lambdas.empty() ? std::vector{1 / static_cast<double>(rows->rows())} : lambdas) {
    run.check_cancelled();
    LeverageScores& scores = result.by_lambda.emplace_back(
        summarise(lambda, leverage_scores(gram, lambda, run.thread_count()), facts.largest_square));
    ask(scores, facts, static_cast<double>(rows->rows()));
  }
  return result;
}

}  // namespace weft
