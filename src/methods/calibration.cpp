#include "methods/calibration.hpp"

#include "core/random.hpp"
#include "linalg/linear_scores.hpp"
#include "linalg/normal_equations.hpp"
#include "linalg/ridge.hpp"
#include "methods/fold_rows.hpp"
#include "objective/platt.hpp"

#include <algorithm>

namespace weft::detail {

namespace {

constexpr Index kFolds = 3;

/// The fits that leave one fold out: coefficients side by side, T × (folds · outputs).
struct FoldFits {
  Matrix coefficients;
  std::vector<double> intercepts;
};

FoldFits fit_folds(const Problem& problem, const Penalty& penalty, double lambda,
                   const std::vector<Accumulator>& folds) {
  const Index outputs = problem.rows.outputs();
  FoldFits fits{Matrix(problem.map.features(), kFolds * outputs), {}};
  for (Index held_out = 0; held_out < kFolds; ++held_out) {
    std::vector<const Accumulator*> others;
    for (Index k = 0; k < kFolds; ++k)
      if (k != held_out) others.push_back(&folds[static_cast<std::size_t>(k)]);
    const NormalEquations equations = normal_equations(Accumulator::sum(others), problem.options.intercept);
    const Matrix solution = solve_regularised(equations.gram, penalty.matrix, lambda * equations.weight,
                                              problem.options.own<LeastSquaresOptions>().epsilon * equations.weight,
                                              equations.cross, problem.run.thread_count())
                                .coefficients;
    for (Index t = 0; t < solution.rows(); ++t)
      std::copy_n(solution.row(t), outputs, fits.coefficients.row(t) + held_out * outputs);
    const std::vector<double> intercepts = equations.intercepts(solution);
    fits.intercepts.insert(fits.intercepts.end(), intercepts.begin(), intercepts.end());
  }
  return fits;
}

}  // namespace

Calibration calibrate(const Problem& problem, const Penalty& penalty, double effective_lambda) {
  const Index outputs = problem.rows.outputs();
  const Random random(problem.family.seed, RandomStream::fit);
  const PartOf fold_of = [&](Index row) { return random.below(kFolds, static_cast<std::uint64_t>(row)); };
  const PartSums folds = accumulate_parts(problem, kFolds, fold_of);
  FoldFits fits = fit_folds(problem, penalty, effective_lambda, folds.parts);
  for (std::size_t k = 0; k < fits.intercepts.size(); ++k)
    fits.intercepts[k] += folds.shift[k % static_cast<std::size_t>(outputs)];

  std::vector<std::vector<double>> scores(static_cast<std::size_t>(outputs));
  std::vector<std::vector<std::uint8_t>> positive(static_cast<std::size_t>(outputs));
  std::vector<double> weights;
  Matrix phi;
  Matrix all;
  problem.rows.for_each([&](const TrainingBlock& block) {
    phi.reshape(problem.map.features(), block.rows());
    problem.map.smoothings(block.x, phi.view(), problem.run);
    all.reshape(kFolds * outputs, block.rows());
    linear_scores(fits.coefficients, fits.intercepts, phi, all, problem.run.thread_count());
    for (Index i = 0; i < block.rows(); ++i)
      for (Index o = 0; o < outputs; ++o) {
        scores[static_cast<std::size_t>(o)].push_back(all(fold_of(block.first_row + i) * outputs + o, i));
        positive[static_cast<std::size_t>(o)].push_back(block.y(o, i) > 0 ? 1 : 0);
      }
    if (block.weights != nullptr) weights.insert(weights.end(), block.weights, block.weights + block.rows());
    problem.run.report("calibrate", static_cast<double>(block.first_row + block.rows()),
                       static_cast<double>(problem.rows.rows()));
    // Where the time ended, the sigmoid is fitted to the rows the folds have seen.
    return folds.stopped_at == 0 || block.first_row + block.rows() < folds.stopped_at;
  });

  Calibration calibration;
  for (std::size_t o = 0; o < static_cast<std::size_t>(outputs); ++o) {
    const Sigmoid sigmoid = fit_sigmoid(scores[o], positive[o], weights);
    calibration.slope.push_back(sigmoid.slope);
    calibration.offset.push_back(sigmoid.offset);
  }
  return calibration;
}

}  // namespace weft::detail
