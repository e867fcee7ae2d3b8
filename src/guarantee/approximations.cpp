// Two questions that are asked before a model is made smaller, or a kernel machine is replaced by random features: how
// much the lasso may prune (equation 62 of Dubé & Marchand 2023), and how many features there must be (Wang 2019).
#include "guarantee/bound_lines.hpp"

#include "core/at.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace weft::detail {

namespace {

/// log ‖K(w_t, ·)‖_H with the centre's scale.
double log_norm(const FeaturePart& part, Index t) {
  double square = 0;
  if (part.family.kernel.kind() == WeightKernel::Kind::exponential)
    for (Index j = 0; j < part.centres.weights.cols(); ++j)
      square += part.centres.weights(t, j) * part.centres.weights(t, j);
  return std::log(part.scale(t)) + square / (4 * part.gamma * part.gamma);
}

/// Σ_t |a_t|·‖K(w_t, ·)‖_H of an output; for the Gaussian kernel ‖a‖₁.
double absolute_sum(const ModelParts& parts, Index output) {
  const std::vector<double> amplitudes = parts.map.log_amplitudes();
  double sum = 0;
  Index column = 0;
  for (const FeaturePart& part : parts.map.parts())
    for (Index t = 0; t < part.centres.count(); ++t, ++column)
      sum += std::abs(parts.coefficients(column, output)) * std::exp(log_norm(part, t) - amplitudes[at(column)]);
  return sum;
}

class Approximations : BoundLines {
 public:
  using BoundLines::BoundLines;

  std::vector<BoundLine> pruning() const {
    return by_theta("Dubé & Marchand 2023, equation 62", "pruning", {"fixed"}, applies_.prunable(),
                    [&](BoundLine& line, double theta) {
                      const bool printed = line.theta == "paper";
                      line.assumes = fmt::format(
                          "inputs and targets stay within the range of these rows; the lasso of eq. 60 with this "
                          "weight or less; |alpha - beta|^2 <= {} T |a|_1 lambda",
                          printed ? "12" : "2");
                      line.gap = line.bound = facts_.difference;
                      line.best_lambda = weight(theta, printed ? 12 : 2);
                      line.vacuous = !(*line.best_lambda > 0);
                    });
  }

  BoundLine upper() const {
    BoundLine line = about_features("Wang 2019, Theorem 1");
    if (line.inapplicable) return line;
    const double b = square_bound(), lambda = *facts_.model.parts().report.number("lambda");
    const double norm = mean([&](std::size_t k) { return facts_.rkhs_norms[k] * facts_.rkhs_norms[k]; });
    line.features_needed = std::max(1.0, std::ceil(4 * b * norm / facts_.difference));
    const double logarithm = std::log(*line.features_needed / facts_.delta);
    const double enough = std::ceil(4 * b * b / (lambda * lambda) * logarithm);
    line.vacuous = rows_ < enough;
    if (line.vacuous) line.rows_needed = enough;
    const double any = b * mean([&](std::size_t k) { return facts_.sample.outputs[k].target_square; }) / lambda;
    line.assumes = fmt::format(
        "{}; lambda at least (2b/sqrt(m))·sqrt(log(s/delta)) = {:.4g}, and the fit has {:.4g}; the mean over features "
        "and new rows; for any target of this size {:.4g} features are enough (Remark 1)",
        kRowsAssumed, 2 * b * std::sqrt(logarithm / rows_), lambda, std::max(1.0, std::ceil(any / facts_.difference)));
    return line;
  }

  BoundLine lower() const {
    BoundLine line = about_features("Wang 2019, Theorem 2");
    if (line.inapplicable) return line;
    if (facts_.model.parts().map.sections()->kernel.kind() != Kernel::Kind::angular) {
      line.inapplicable = "it is about sign features, whose kernel is angular";
      return line;
    }
    const double lambda = *facts_.model.parts().report.number("lambda");
    const double rest = mean([&](std::size_t k) {
      return std::max(0.0, facts_.rkhs_norms[k] * facts_.rkhs_norms[k] - facts_.sample.outputs[k].fitted_square);
    });
    const double factor = lambda / (1 + lambda);
    line.features_needed = std::max(1.0, std::ceil(factor * factor * rest / facts_.difference));
    line.vacuous = !(*line.features_needed > 1);
    line.assumes =
        "the mean over features and the rows of the fit; fewer features than asked for have a larger difference";
    return line;
  }

 private:
  double weight(double theta, double factor) const {
    const ModelParts& parts = facts_.model.parts();
    double least = std::numeric_limits<double>::infinity();
    for (Index k = 0; k < outputs(); ++k) {
      const double sum = absolute_sum(parts, k);
      if (sum == 0) continue;  // nothing is left to prune
      const double reach = reach_of(theta, facts_.rkhs_norms[at(k)]) + std::abs(intercept(k));
      least = std::min(least, pruning_weight(range(k), reach, theta, facts_.difference,
                                             static_cast<double>(parts.map.features()), sum, factor));
    }
    return least;
  }

  BoundLine about_features(const std::string& name) const {
    BoundLine line{.name = name, .claim = "approximation"};
    if (const std::string reason = applies_.exact_kernel(); !reason.empty()) line.inapplicable = reason;
    line.gap = line.bound = facts_.difference;
    return line;
  }

  /// b: the largest squared feature.
  double square_bound() const {
    return facts_.model.parts().map.sections()->kernel.kind() == Kernel::Kind::angular ? 1 : 2;
  }

  template <class Value>
  double mean(const Value& value) const {
    double sum = 0;
    for (Index k = 0; k < outputs(); ++k) sum += value(at(k)) / outputs_number();
    return sum;
  }
};

}  // namespace

std::vector<BoundLine> pruning_lines(const Facts& facts) {
  return Approximations(facts).pruning();
}

std::vector<BoundLine> wang_upper_lines(const Facts& facts) {
  return {Approximations(facts).upper()};
}

std::vector<BoundLine> wang_lower_lines(const Facts& facts) {
  return {Approximations(facts).lower()};
}

}  // namespace weft::detail
