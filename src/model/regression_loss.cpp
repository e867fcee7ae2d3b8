#include <weft/regression_loss.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace weft {

namespace {

/// y log(y/μ) − y + μ, of d = log y − log μ: the difference of large means keeps its digits.
double half_deviance(double y, double log_mean) {
  if (!(y > 0)) return y < 0 ? std::numeric_limits<double>::infinity() : std::exp(log_mean);
  const double d = std::log(y) - log_mean;
  return y * (std::expm1(-d) + d);
}

}  // namespace

Index FittedLoss::outputs(Index targets) const {
  return is_quantile() ? static_cast<Index>(quantiles.size()) : targets;
}

double FittedLoss::value(double score, double y, Index output) const {
  const double r = y - score;
  switch (kind) {
    case RegressionLoss::squared:
      return r * r;
    case RegressionLoss::huber: {
      const double threshold = thresholds[static_cast<std::size_t>(output)];
      return std::abs(r) <= threshold ? r * r / 2 : threshold * (std::abs(r) - threshold / 2);
    }
    case RegressionLoss::absolute:
      return std::abs(r);
    case RegressionLoss::quantile:
      return (quantiles[static_cast<std::size_t>(output)] - (r < 0 ? 1 : 0)) * r;
    case RegressionLoss::poisson:
      break;
  }
  return half_deviance(y, score);
}

double FittedLoss::value_of_prediction(double prediction, double y, Index output) const {
  return value(kind == RegressionLoss::poisson ? std::log(prediction) : prediction, y, output);
}

void FittedLoss::predict(Index outputs, const double* scores, double* predictions) const {
  std::copy_n(scores, outputs, predictions);
  if (kind == RegressionLoss::poisson)
    for (Index k = 0; k < outputs; ++k) predictions[k] = std::exp(scores[k]);
  if (is_quantile()) std::sort(predictions, predictions + outputs);
}

std::vector<std::string> FittedLoss::column_names(const std::vector<std::string>& targets) const {
  if (!is_quantile()) return targets;
  std::vector<std::string> names;
  for (const double quantile : quantiles) names.push_back(fmt::format("q{}", quantile));
  return names;
}

}  // namespace weft
