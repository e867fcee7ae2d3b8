#include "train/search/leave_one_out.hpp"

#include "linalg/linear_scores.hpp"
#include "linalg/normal_equations.hpp"
#include "linalg/ridge.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

namespace {

NormalEquations ridged(NormalEquations equations, const Penalty& penalty) {
  penalty.add_ridge(equations);
  return equations;
}

class HatRows {
 public:
  HatRows(MapSet& maps, const PartSums& sums, const Penalty& penalty, double lambda, const FitOptions& options,
          const Run& run)
      : maps_(maps),
        run_(run),
        equations_(ridged(normal_equations(sum_of_all(sums), options.intercept), penalty)),
        solution_(solve_regularised(equations_.gram, penalty.matrix, lambda * equations_.weight,
                                    options.own<LeastSquaresOptions>().epsilon * equations_.weight, equations_.cross,
                                    run.thread_count())),
        intercepts_(equations_.intercepts(solution_.coefficients)),
        share_(options.intercept ? 1 / equations_.weight : 0) {
    for (std::size_t o = 0; o < intercepts_.size(); ++o) intercepts_[o] += sums.shift[o];
  }

  /// predictions (outputs × rows): of the fits without each row.
  void leave_out(const TrainingBlock& block, View<double> predictions) {
    maps_.start(block.x, run_);
    const View<const double> features = maps_.features(0, block.x, run_);
    phi_.reshape(features.rows, features.cols);
    for (Index t = 0; t < phi_.rows(); ++t) std::copy_n(features.row(t), phi_.cols(), phi_.row(t));
    linear_scores(solution_.coefficients, intercepts_, phi_, predictions, run_.thread_count());
    for (std::size_t t = 0; t < equations_.feature_means.size(); ++t)
      for (Index i = 0; i < phi_.cols(); ++i) phi_(static_cast<Index>(t), i) -= equations_.feature_means[t];
    const std::vector<double> forms = solution_.factor.inverse_forms(phi_, run_.thread_count());
    for (Index i = 0; i < block.rows(); ++i) {
      const double weight = block.weights == nullptr ? 1 : block.weights[i];
      const double leverage = weight * (share_ + forms[static_cast<std::size_t>(i)]);
      degrees_ += leverage;
      for (Index o = 0; o < predictions.rows; ++o) {
        const double residual = block.y(o, i) - predictions(o, i);
        squares_ += weight * residual * residual / static_cast<double>(predictions.rows);
        // Rounding can lift the leverage of a row that decides its own prediction to 1 and above.
        predictions(o, i) = block.y(o, i) - residual / std::max(1 - leverage, 1e-12);
      }
    }
  }

  double degrees() const { return degrees_; }
  double generalised(Index rows) const {
    const double left = 1 - degrees_ / static_cast<double>(rows);
    return squares_ / equations_.weight / (left * left);
  }

 private:
  MapSet& maps_;
  const Run& run_;
  NormalEquations equations_;
  RidgeSolution solution_;
  std::vector<double> intercepts_;
  double share_;  // of a row in the mean
  Matrix phi_;
  double degrees_ = 0;
  double squares_ = 0;
};

}  // namespace

std::optional<LeaveOneOut> leave_one_out(MapSet& maps, const PartSums& sums, const Penalty& penalty, double lambda,
                                         const Validation& validation, const FitOptions& options, const Run& run) {
  if (!validation.rows.rule().none()) return std::nullopt;
  HatRows hat(maps, sums, penalty, lambda, options, run);
  const Targets& targets = validation.targets;
  Matrix predictions(targets.outputs(), targets.rows());
  bool stopped = false;
  validation.rows.for_each([&](const TrainingBlock& block) {
    stopped = run.out_of_time();
    if (stopped) return false;
    hat.leave_out(block, predictions.view().col_range(block.first_row, block.rows()));
    run.report("leave one out", static_cast<double>(block.first_row + block.rows()),
               static_cast<double>(targets.rows()));
    return true;
  });
  if (stopped) return std::nullopt;
  const std::vector<Index> one_fold(static_cast<std::size_t>(targets.rows()), 0);
  return LeaveOneOut{fold_scores(validation.metric, targets, predictions, one_fold, 1, false).front(),
                     hat.generalised(targets.rows()), hat.degrees()};
}

}  // namespace weft::detail
