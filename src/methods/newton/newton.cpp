#include "methods/newton/newton.hpp"

#include "core/stopwatch.hpp"
#include "methods/newton/newton_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

namespace weft::detail {

namespace {

// The median absolute deviation of a Gaussian variable is its standard deviation over this.
constexpr double kNormalMad = 1.4826;

[[noreturn]] void refuse(const char* option, const std::string& why, const std::string& hint) {
  throw Error(ErrorKind::option, why, option_mark(option), hint);
}

double parse_quantile(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0' || !(value > 0 && value < 1))
    refuse("quantiles", fmt::format("'{}' is not a number between 0 and 1", text),
           "separate them by commas, as in 0.1,0.5,0.9");
  return value;
}

std::vector<double> parse_quantiles(const std::string& list) {
  std::vector<double> quantiles;
  for (std::size_t first = 0; first <= list.size();) {
    const std::size_t comma = std::min(list.find(',', first), list.size());
    quantiles.push_back(parse_quantile(list.substr(first, comma - first)));
    first = comma + 1;
  }
  std::sort(quantiles.begin(), quantiles.end());
  if (const auto twice = std::adjacent_find(quantiles.begin(), quantiles.end()); twice != quantiles.end())
    refuse("quantiles", fmt::format("{} is there twice", *twice), "name every quantile once");
  return quantiles;
}

void check_problem(const Problem& problem, const NewtonChoices& choices) {
  if (problem.task != Task::regression)
    throw Error(ErrorKind::option,
                fmt::format("the {} loss is for numbers, and the target is classes", name_of(choices.loss)), "‹loss›",
                "use ‹task› regression if the classes are numbers, or ‹fit› logistic");
  if (choices.loss == RegressionLoss::quantile && problem.rows.outputs() > 1)
    throw Error(ErrorKind::option, "quantiles of several targets are not fitted at once", "‹target›",
                "fit a model for each target");
}

/// Targets and weights of one part of the rows.
struct Part {
  std::vector<std::vector<double>> y;  // per target
  std::vector<double> weights;
  double weight = 0;
};

struct Parts {
  Part training, held_out;
};

Parts read_targets(const Problem& problem, const FeatureRows& rows, const NewtonObjective& objective, bool negative) {
  Parts parts;
  const auto targets = static_cast<std::size_t>(problem.rows.outputs());
  parts.training.y.resize(targets);
  parts.held_out.y.resize(targets);
  rows.for_each_target([&](const FeatureBlock& block) {
    for (Index i = 0; i < block.rows(); ++i) {
      Part& part = objective.held_out(block.first_row + i) ? parts.held_out : parts.training;
      for (std::size_t t = 0; t < targets; ++t) {
        part.y[t].push_back(block.y(static_cast<Index>(t), i));
        if (!negative && part.y[t].back() < 0)
          throw Error(ErrorKind::data,
                      fmt::format("row {} has the target {}, and the poisson loss is for counts",
                                  block.first_row + i + 1, part.y[t].back()),
                      "‹loss›", "leave the row out, or use another loss");
      }
      part.weights.push_back(block.weights != nullptr ? block.weights[i] : 1);
    }
  });
  for (Part* part : {&parts.training, &parts.held_out}) {
    for (std::vector<double>& target : part->y) gather(problem.rows.share(), target);
    gather(problem.rows.share(), part->weights);
    part->weight = std::accumulate(part->weights.begin(), part->weights.end(), 0.0);
  }
  return parts;
}

/// The logarithm of their mean must be finite.
void check_events(const Part& part) {
  for (const std::vector<double>& counts : part.y) {
    double sum = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) sum += part.weights[i] * counts[i];
    if (!(sum > 0))
      throw Error(ErrorKind::data, "every count among the rows that are fitted is 0", "‹loss›",
                  "use more rows, or another loss");
  }
}

struct Start {
  Matrix x;
  double loss = 0;  // mean over training rows and outputs
};

/// No features, and the intercepts that minimise the loss of the training rows.
Start without_features(const Problem& problem, const NewtonObjective& objective, const NumberLoss& loss,
                       const Part& part) {
  Start start{Matrix(objective.features() + 1, loss.outputs())};
  for (Index k = 0; k < loss.outputs(); ++k) {
    const std::vector<double>& y = part.y[static_cast<std::size_t>(loss.loss().target_of(k))];
    const double constant = problem.options.intercept ? loss.best_constant(y, part.weights, k) : 0;
    start.x(objective.features(), k) = constant;
    for (std::size_t i = 0; i < y.size(); ++i)
      start.loss +=
          part.weights[i] * loss.loss().value(constant, y[i], k) / part.weight / static_cast<double>(loss.outputs());
  }
  return start;
}

/// 1.4826 times the weighted median of |r|; where more than half of them are 0, √(π/2) times their mean, which is the
/// same for Gaussian residuals.
double robust_scale(std::vector<double> residuals, const std::vector<double>& weights) {
  double sum = 0, weight = 0;
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    sum += weights[i] * residuals[i];
    weight += weights[i];
  }
  const double median = residuals.empty() ? 0 : weighted_quantile(std::move(residuals), weights, 0.5);
  return median > 0 ? kNormalMad * median : sum > 0 ? std::sqrt(std::numbers::pi / 2) * sum / weight : 1;
}

/// Of the residuals of every output, on the held-out rows where there are any.
std::vector<double> residual_scales(const RowShare* share, FeatureRows& rows, const NewtonFit& fit, bool held_out) {
  const FitResult point = result_of(fit.x(), {});
  const Index outputs = point.coefficients.cols();
  std::vector<std::vector<double>> residuals(static_cast<std::size_t>(outputs));
  std::vector<double> weights;
  rows.for_each([&](const FeatureBlock& block) {
    Matrix scores(outputs, block.rows());
    rows.device().scores(point.coefficients, point.intercepts.data(), block.phi, scores, 1);
    for (Index i = 0; i < block.rows(); ++i) {
      if (fit.objective().held_out(block.first_row + i) != held_out) continue;
      weights.push_back(block.weights != nullptr ? block.weights[i] : 1);
      for (Index k = 0; k < outputs; ++k)
        residuals[static_cast<std::size_t>(k)].push_back(std::abs(block.y(k, i) - scores(k, i)));
    }
  });
  gather(share, weights);
  for (std::vector<double>& output : residuals) gather(share, output);
  std::vector<double> scales;
  for (std::vector<double>& output : residuals) scales.push_back(robust_scale(std::move(output), weights));
  return scales;
}

/// The fits of one problem, which share Φ.
class LossFits {
 public:
  LossFits(const Problem& problem, const NewtonChoices& choices)
      : problem_(problem),
        choices_(choices),
        memory_(
            plan_newton_memory(problem, FittedLoss{choices.loss, choices.quantiles}.outputs(problem.rows.outputs()))),
        rows_(problem, memory_.cache, FeatureRows::device_for(problem)),
        penalty_(make_penalty(problem.map, choices.regularizer, problem.run)) {}

  FitResult result() {
    FittedLoss loss{choices_.loss, choices_.quantiles};
    FitReport report;
    report.words.emplace_back("loss", name_of(choices_.loss));
    if (loss.kind == RegressionLoss::huber) loss.thresholds = huber_thresholds(report);
    NumberLoss rows_loss(loss, problem_.rows.outputs());
    NewtonFit fit = make_fit(rows_loss, {.tolerance = choices_.tolerance});
    start(fit, rows_loss);
    fit.describe(report);
    FitResult result = result_of(fit.x(), std::move(report));
    result.loss = std::move(loss);
    return result;
  }

 private:
  NewtonFit make_fit(NumberLoss& loss, NewtonSettings settings) {
    settings.method = method_name(problem_.options.method);
    settings.loss_name = fmt::format("{} loss", name_of(loss.loss().kind));
    settings.iterations = choices_.iterations;
    return {problem_, loss, rows_, penalty_, std::move(settings), memory_.block_per_output};
  }

  void start(NewtonFit& fit, const NumberLoss& loss) {
    const bool counts = loss.loss().kind == RegressionLoss::poisson;
    const Parts parts = read_targets(problem_, rows_, fit.objective(), !counts);
    check_split_weight(problem_, {parts.training.weight, parts.held_out.weight});
    if (counts) check_events(parts.training);
    Start from = without_features(problem_, fit.objective(), loss, parts.training);
    fit.run(std::move(from.x), from.loss);
  }

  /// δ times the scale of the residuals of a fit by the absolute loss.
  std::vector<double> huber_thresholds(FitReport& report) {
    NumberLoss absolute({RegressionLoss::absolute}, problem_.rows.outputs());
    constexpr double kRough = 1e-2;  // of the loss: a scale needs no more
    // Far out the Huber loss is its threshold times the absolute loss, and so is λ; the threshold that the targets
    // themselves have is of the right unit.
    const double unit = choices_.huber_multiple * target_scale();
    NewtonFit fit = make_fit(absolute, {.tolerance = kRough, .refit = false, .lambda_factor = 1 / unit});
    start(fit, absolute);
    std::vector<double> thresholds = residual_scales(problem_.rows.share(), rows_, fit, !problem_.options.lambda);
    for (std::size_t k = 0; k < thresholds.size(); ++k) {
      report.numbers.emplace_back(thresholds.size() > 1 ? fmt::format("scale {}", k + 1) : "scale", thresholds[k]);
      thresholds[k] *= choices_.huber_multiple;
    }
    return thresholds;
  }

  /// Robust scale of the targets about their medians, the largest of several.
  double target_scale() const {
    std::vector<std::vector<double>> y(static_cast<std::size_t>(problem_.rows.outputs()));
    std::vector<double> weights;
    rows_.for_each_target([&](const FeatureBlock& block) {
      for (Index i = 0; i < block.rows(); ++i) {
        weights.push_back(block.weights != nullptr ? block.weights[i] : 1);
        for (std::size_t k = 0; k < y.size(); ++k) y[k].push_back(block.y(static_cast<Index>(k), i));
      }
    });
    gather(problem_.rows.share(), weights);
    double largest = 0;
    for (std::vector<double>& target : y) {
      gather(problem_.rows.share(), target);
      const double median = weighted_quantile(target, weights, 0.5);
      for (double& value : target) value = std::abs(value - median);
      largest = std::max(largest, robust_scale(std::move(target), weights));
    }
    return largest;
  }

  const Problem& problem_;
  const NewtonChoices& choices_;
  NewtonMemory memory_;
  FeatureRows rows_;
  Penalty penalty_;
};

}  // namespace

NewtonChoices newton_choices(const MethodOptions& options) {
  return std::visit(
      [](const auto& own) -> NewtonChoices {
        if constexpr (requires { own.quantiles; }) {
          const RegressionLoss loss = own.loss;
          if (own.quantiles.given() && loss != RegressionLoss::quantile)
            refuse("quantiles", fmt::format("the {} loss does not use it", name_of(loss)), "use ‹loss› quantile");
          if (own.huber_multiple.given() && loss != RegressionLoss::huber)
            refuse("huber_multiple", fmt::format("the {} loss does not use it", name_of(loss)), "use ‹loss› huber");
          NewtonChoices choices{loss, {}, own.huber_multiple, Regularizer::rkhs, own.tolerance, own.iterations};
          if (loss == RegressionLoss::quantile) choices.quantiles = parse_quantiles(own.quantiles);
          if constexpr (requires { own.regularizer; }) choices.regularizer = own.regularizer;
          return choices;
        }
        throw std::bad_variant_access();
      },
      options);
}

FitResult fit_newton(const Problem& problem) {
  const NewtonChoices choices = newton_choices(problem.options.method);
  check_problem(problem, choices);
  const Stopwatch clock;
  FitResult result = LossFits(problem, choices).result();
  result.report.seconds.emplace_back("solve", clock.seconds());
  return result;
}

}  // namespace weft::detail
