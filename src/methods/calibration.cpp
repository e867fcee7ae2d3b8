#include "methods/calibration.hpp"

#include "core/at.hpp"
#include "core/random.hpp"
#include "data/rows/row_filter.hpp"
#include "linalg/linear_scores.hpp"
#include "linalg/normal_equations.hpp"
#include "linalg/ridge.hpp"
#include "methods/fold_rows.hpp"
#include "methods/method.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr Index kFolds = 3;
constexpr Index kSampledRows = 4 * kBlockRows;  // one or two numbers are fitted
constexpr Index kResidualRows = kBlockRows;     // quantiles: 1 % of 2000 rows are 20
constexpr Index kFewRows = kBlockRows / 4;
constexpr double kHeldOut = 0.2;
constexpr Index kFewestRows = 50;    // for a second fit
constexpr double kLeastLeft = 1e-6;  // of 1 − h, which rounding may make 0

/// About so many of the rows. They depend on nothing but their number: the sample belongs to the data.
std::function<bool(Index)> drawn_rows(Index rows, Index wanted) {
  return [share = static_cast<double>(wanted) / static_cast<double>(rows), random = Random(1, RandomStream::fit)](
             Index row) { return share >= 1 || random.uniform(static_cast<std::uint64_t>(row)) < share; };
}

std::unique_ptr<BlockSource> sampled(const BlockSource& rows, Task task, bool few = false) {
  const auto drawn = few ? drawn_rows(rows.rows(), kFewRows) : scored_rows(rows.rows(), task);
  std::vector<bool> keep(at(rows.rows()));
  for (std::size_t i = 0; i < keep.size(); ++i) keep[i] = drawn(static_cast<Index>(i));
  return filter_rows(rows, std::move(keep));
}

/// Rows in folds: at random, or as their rule has it.
struct CalibrationFolds {
  Folds folds;
  PartOf fold_of;  ///< refers to folds

  explicit CalibrationFolds(const Problem& problem) {
    const RowRule& rule = problem.rows.rule();
    if (rule.none()) {
      folds.parts = kFolds;
      fold_of = [random = Random(problem.family.seed, RandomStream::fit)](Index row) {
        return random.below(kFolds, static_cast<std::uint64_t>(row));
      };
    } else {
      folds = rule.folds(problem.rows.rows(), kFolds, {}, problem.family.seed);
      fold_of = folds.part_of();
    }
  }
  CalibrationFolds(const CalibrationFolds&) = delete;
  CalibrationFolds& operator=(const CalibrationFolds&) = delete;
};

/// The fits that predict each part: coefficients side by side, T × (parts · outputs).
struct FoldFits {
  Matrix coefficients;
  std::vector<double> intercepts;
};

FoldFits fit_folds(const Problem& problem, const Penalty& penalty, double lambda, const Folds& folds,
                   const std::vector<Accumulator>& sums) {
  const Index outputs = problem.rows.outputs();
  FoldFits fits{Matrix(problem.map.features(), folds.parts * outputs),
                std::vector<double>(at(folds.first() * outputs))};
  for (Index held_out = folds.first(); held_out < folds.parts; ++held_out) {
    std::vector<const Accumulator*> others;
    for (Index k = 0; k < folds.parts; ++k)
      if (folds.trains(k, held_out)) others.push_back(&sums[static_cast<std::size_t>(k)]);
    NormalEquations equations = normal_equations(Accumulator::sum(others), problem.options.intercept);
    penalty.add_ridge(equations);
    const Matrix solution =
        solve_regularised(equations.gram, penalty.matrix, lambda * equations.weight,
                          problem.options.own<LeastSquaresOptions>().epsilon * equations.weight, equations.cross,
                          Worker::for_equations(problem.run, equations.gram.rows()))
            .coefficients;
    for (Index t = 0; t < solution.rows(); ++t)
      std::copy_n(solution.row(t), outputs, fits.coefficients.row(t) + held_out * outputs);
    const std::vector<double> intercepts = equations.intercepts(solution);
    fits.intercepts.insert(fits.intercepts.end(), intercepts.begin(), intercepts.end());
  }
  return fits;
}

}  // namespace

ScoredRows score_folds(const Problem& problem, const Penalty& penalty, double effective_lambda) {
  const Index outputs = problem.rows.outputs();
  const CalibrationFolds by(problem);
  const PartSums sums = accumulate_parts(problem, by.folds.parts, by.fold_of);
  FoldFits fits = fit_folds(problem, penalty, effective_lambda, by.folds, sums.parts);
  for (std::size_t k = 0; k < fits.intercepts.size(); ++k)
    fits.intercepts[k] += sums.shift[k % static_cast<std::size_t>(outputs)];

  ScoredRows scored(outputs);
  Matrix phi;
  Matrix all;
  problem.rows.for_each([&](const TrainingBlock& block) {
    phi.reshape(problem.map.features(), block.rows());
    problem.map.smoothings(block.x, phi.view(), problem.run);
    all.reshape(by.folds.parts * outputs, block.rows());
    linear_scores(fits.coefficients, fits.intercepts, phi, all, problem.run.thread_count());
    for (Index i = 0; i < block.rows(); ++i) {
      const Index fold = by.fold_of(block.first_row + i);
      if (fold < by.folds.first()) continue;
      for (Index o = 0; o < outputs; ++o) scored.add(block, i, o, all(fold * outputs + o, i));
      if (block.weights != nullptr) scored.weights.push_back(block.weights[i]);
    }
    problem.run.report("calibrate", static_cast<double>(block.first_row + block.rows()),
                       static_cast<double>(problem.rows.rows()));
    // Where the time ended, the sigmoid is fitted to the rows the folds have seen.
    return sums.stopped_at == 0 || block.first_row + block.rows() < sums.stopped_at;
  });
  scored.gather(problem.rows.share());
  return scored;
}

std::function<bool(Index row)> scored_rows(Index rows, Task task) {
  return drawn_rows(rows, task == Task::regression ? kResidualRows : kSampledRows);
}

ScoredRows score_by_leverage(const Problem& problem, const FitResult& fit, const SolvedEquations& equations) {
  // A row takes as long as in the fit, so that a limit that is near leaves time for few.
  const bool few = problem.run.seconds_left() < problem.run.max_seconds / 2;
  const auto sample = sampled(problem.rows, problem.task, few);
  ScoredRows scored = score_all_by_leverage(
      {problem.map, *sample, problem.task, problem.options, problem.family, problem.run}, fit, equations);
  scored.gather(problem.rows.share());
  return scored;
}

ScoredRows score_all_by_leverage(const Problem& problem, const FitResult& fit, const SolvedEquations& equations) {
  const Index outputs = problem.rows.outputs();
  const int threads = problem.run.thread_count();
  const double mean_leverage = equations.feature_means.empty() ? 0 : 1 / equations.weight;
  ScoredRows scored(outputs);
  Matrix phi;
  Matrix scores;
  problem.rows.for_each([&](const TrainingBlock& block) {
    phi.reshape(problem.map.features(), block.rows());
    problem.map.smoothings(block.x, phi.view(), problem.run);
    scores.reshape(outputs, block.rows());
    linear_scores(fit.coefficients, fit.intercepts, phi, scores, threads);
    for (std::size_t t = 0; t < equations.feature_means.size(); ++t)
      for (Index i = 0; i < phi.cols(); ++i) phi(static_cast<Index>(t), i) -= equations.feature_means[t];
    const std::vector<double> forms = equations.factor.inverse_forms(phi, threads);
    for (Index i = 0; i < block.rows(); ++i) {
      const double weight = block.weights == nullptr ? 1 : block.weights[i];
      const double left = std::max(kLeastLeft, 1 - weight * (forms[at(i)] + mean_leverage));
      for (Index o = 0; o < outputs; ++o)
        scored.add(block, i, o, block.y(o, i) - (block.y(o, i) - scores(o, i)) / left);
    }
    scored.add_weights(block);
    return true;
  });
  return scored;
}

ScoredRows score_rows(const BlockSource& rows, Task task, const FeatureMap& map, const Matrix& coefficients,
                      const std::vector<double>& intercepts, const Run& run) {
  ScoredRows scored(rows.outputs());
  Matrix phi;
  Matrix scores;
  sampled(rows, task)->for_each([&](const TrainingBlock& block) {
    phi.reshape(map.features(), block.rows());
    map.smoothings(block.x, phi.view(), run);
    scores.reshape(rows.outputs(), block.rows());
    linear_scores(coefficients, intercepts, phi, scores, run.thread_count());
    for (Index i = 0; i < block.rows(); ++i)
      for (Index o = 0; o < scores.rows(); ++o) scored.add(block, i, o, scores(o, i));
    scored.add_weights(block);
    return true;
  });
  scored.gather(rows.share());
  return scored;
}

LeftOut score_by_second_fit(const Problem& problem, FitResult (*run)(const Problem&), FitResult& fit) {
  const auto scored = [&](const BlockSource& rows, const FitResult& by) {
    return score_rows(rows, problem.task, by.map ? *by.map : problem.map, by.coefficients, by.intercepts, problem.run);
  };
  const auto seen = [&] { return LeftOut{scored(problem.rows, fit), ScoredBy::none}; };
  if (problem.rows.rows() < kFewestRows || problem.run.out_of_time()) return seen();
  FitOptions options = problem.options;
  set_own_value(options.method, "checkpoint", std::string());  // that of the fit itself stays
  set_own_value(options.method, "resume", false);
  const PartOf part = problem.rows.rule().held_out(Random(1, RandomStream::fit), kHeldOut);
  std::vector<bool> held;
  for (Index row = 0; row < problem.rows.rows(); ++row) held.push_back(part(row) == 1);
  const auto held_rows = filter_rows(problem.rows, held);
  held.flip();
  const auto others = filter_rows(problem.rows, held);
  try {
    const FitResult second = run(
        {problem.map, *others, problem.task, options, problem.family, problem.run, problem.shares, problem.columns});
    return {scored(*held_rows, second), ScoredBy::held_out_rows};
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::cancelled) throw;
    fit.report.warnings.push_back(fmt::format("{}, because a second fit to some of them failed: {}",
                                              problem.task == Task::regression || fit.probabilistic
                                                  ? "no rows were scored for intervals"
                                                  : "class probabilities are calibrated on rows of the fit",
                                              error.message()));
    return seen();
  }
}

}  // namespace weft::detail
