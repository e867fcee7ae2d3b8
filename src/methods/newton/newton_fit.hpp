// A fit by Newton's method, whatever the loss: the problem of newton_objective.hpp, by the method of minimise.hpp. λ
// not given: fitted along a path from strong to weak, each from the one before, on the rows that are not held out; the
// λ with the least loss on those that are is refitted on all rows. A loss with a corner is smoothed, less and less,
// until the smoothing changes the value by no more than the tolerance.
#pragma once

#include "methods/newton/newton_objective.hpp"
#include "methods/newton/newton_state.hpp"

#include <optional>
#include <string>

namespace weft::detail {

struct NewtonSettings {
  std::string method = {};     ///< named in warnings
  std::string loss_name = {};  ///< of the held-out loss, in the report
  double tolerance = 1e-6;
  Index iterations = 0;  ///< 0: the default
  LogisticCheckpoint checkpoint = {};
  bool refit = true;         ///< on all rows, once λ is chosen
  double lambda_factor = 1;  ///< of a λ that is given
};

/// What a fit holds: the T × T matrices, a block per output where they fit, and Φ in what is left.
struct NewtonMemory {
  bool block_per_output = true;
  double cache = 0;  ///< bytes for Φ
};
NewtonMemory plan_newton_memory(const Problem& problem, Index outputs);

class NewtonFit {
 public:
  NewtonFit(const Problem& problem, RowLoss& loss, FeatureRows& rows, const Penalty& penalty, NewtonSettings settings,
            bool block_per_output);

  const NewtonObjective& objective() const { return objective_; }
  /// From `start`, which has no features. Once. A loss of numbers needs its mean there, per output: where it is 0,
  /// there is nothing to do.
  void run(Matrix start, std::optional<double> loss = {});
  const Matrix& x() const { return minimum_.x; }
  /// Adds λ, the path, and how the minimum was reached.
  void describe(FitReport& report) const;

 private:
  Minimum descend(double lambda, double tolerance);
  Minimum descend_smoothed(double tolerance);
  Minimum descend_once(double tolerance);
  double choose_lambda();
  bool restore_preconditioner();
  void keep(MinimiseState at);
  void fit_path();
  void fit_given(double lambda);
  void report_path(double lambda);

  const Problem& problem_;
  RowLoss& loss_;
  FeatureRows& rows_;
  const Penalty& penalty_;
  NewtonSettings settings_;
  NewtonObjective objective_;
  NewtonState state_;
  Index earlier_passes_ = 0;  // of a resumed fit: what has been done more than here
  FitReport path_ = {};
  double lambda_ = 0;  // effective
  double scale_ = 0;   // mean loss of an output at the last minimum: smoothing starts at a part of it
  Minimum minimum_;
};

/// The weights of the rows that are fitted and held out.
struct SplitWeight {
  double training = 0;
  double held_out = 0;
};
/// Throws where there is nothing to fit, or nothing to choose λ on.
void check_split_weight(const Problem& problem, const SplitWeight& weight);

/// The coefficients and intercepts of a point.
FitResult result_of(const Matrix& x, FitReport report);

}  // namespace weft::detail
