// From a table to the leverage scores of candidates: the steps of fit() up to the choice of features.
#include <weft/leverage.hpp>

#include "data/rows/training_rows.hpp"
#include "sampling/candidates.hpp"
#include "sampling/choose.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace weft {

using namespace detail;

namespace {

/// Ma et al. 2025, Theorem 3.2: 5·d_l·log(16d/δ) features, where d_l is the integral of a bound on the leverage
/// function.
double asked_features(double bound, double dimension) {
  constexpr double kDelta = 0.05;
  return std::ceil(5 * bound * std::max(0.0, std::log(16 * dimension / kDelta)));
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
  double largest_square = 0;  // G has 1/M₀
  for (Index t = 0; t < gram.rows(); ++t)
    largest_square = std::max(largest_square, gram(t, t) * static_cast<double>(gram.rows()));
  for (const double lambda : lambdas.empty() ? std::vector{1 / static_cast<double>(rows->rows())} : lambdas) {
    run.check_cancelled();
    result.by_lambda.push_back(summarise(lambda, leverage_scores(gram, lambda, run.thread_count()), largest_square));
  }
  return result;
}

}  // namespace weft
