// Logistic regression on random features, softmax where there are more than two classes.
#include "methods/newton/logistic.hpp"

#include "core/stopwatch.hpp"
#include "data/rows/piece_sums.hpp"
#include "methods/newton/newton_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace weft::detail {

namespace {

void check_task(const Problem& problem) {
  if (problem.task != Task::binary && problem.task != Task::multiclass)
    throw Error(ErrorKind::option, "logistic needs classes, and the target is numeric", "‹fit›",
                "use ‹fit› least-squares, or ‹task› classification if the numbers are classes");
}

double total(const std::vector<double>& weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

/// Weight per class: binary has two (−1, +1), softmax one per output.
struct ClassWeights {
  std::vector<double> training;
  std::vector<double> held_out;
};

ClassWeights class_weights(const BlockSource& source, const FeatureRows& rows, const NewtonObjective& objective) {
  const Index outputs = objective.outputs();
  const Index classes = std::max<Index>(outputs, 2);
  MatrixSums sums(source, 2, classes);
  rows.for_each_target([&](const FeatureBlock& block) {
    Matrix& some = sums.of(block.first_row);
    for (Index i = 0; i < block.rows(); ++i) {
      Index label = 0;
      if (outputs == 1)
        label = block.y(0, i) > 0 ? 1 : 0;
      else
        while (label + 1 < classes && !(block.y(label, i) > 0)) ++label;
      some(objective.held_out(block.first_row + i) ? 1 : 0, label) += block.weights != nullptr ? block.weights[i] : 1;
    }
  });
  const Matrix all = sums.all();
  return {{all.row(0), all.row(0) + classes}, {all.row(1), all.row(1) + classes}};
}

/// No features, and the intercepts of the classes' shares: the log-odds, or logits that sum to zero. A class without
/// rows counts as half a row of average weight, so that its intercept is finite.
Matrix without_features(const Problem& problem, const NewtonObjective& objective, std::vector<double> weights) {
  Matrix x(objective.features() + 1, objective.outputs());
  if (!problem.options.intercept) return x;
  const double half_row = 0.5 * total(weights) / static_cast<double>(problem.rows.rows());
  double mean = 0;
  for (double& w : weights) {
    w = std::log(std::max(w, half_row));
    mean += w / static_cast<double>(weights.size());
  }
  for (Index k = 0; k < x.cols(); ++k)
    x(x.rows() - 1, k) = x.cols() == 1 ? weights[1] - weights[0] : weights[static_cast<std::size_t>(k)] - mean;
  return x;
}

}  // namespace

FitResult fit_logistic(const Problem& problem) {
  check_task(problem);
  const Stopwatch clock;
  const auto& own = problem.options.own<LogisticOptions>();
  ClassLoss loss(problem.rows.outputs());
  const NewtonMemory memory = plan_newton_memory(problem, loss.outputs());
  FeatureRows rows(problem, memory.cache, FeatureRows::device_for(problem));
  const Penalty penalty = make_penalty(problem.map, own.regularizer, problem.run);
  NewtonFit fit(problem, loss, rows, penalty,
                {"logistic", "log loss", own.tolerance, own.iterations, LogisticCheckpoint(problem)},
                memory.block_per_output);
  const ClassWeights weights = class_weights(problem.rows, rows, fit.objective());
  check_split_weight(problem, {total(weights.training), total(weights.held_out)});
  fit.run(without_features(problem, fit.objective(), weights.training));
  FitReport report;
  fit.describe(report);
  FitResult result = result_of(fit.x(), std::move(report));
  result.probabilistic = true;
  result.report.seconds.emplace_back("solve", clock.seconds());
  return result;
}

}  // namespace weft::detail
