// Relevance: how much a kernel's distance counts each input, learned from the gradients of a fit (Radhakrishnan,
// Beaglehole, Pandit & Belkin 2024).
//
// A round fits kernel ridge regression at the best bandwidth and λ of a grid, judged on rows that are held out, and
// takes G = mean of Σ_o ∇f_o ∇f_oᵀ over the rows. The next round measures distances between Ax: for the l1 kernel A =
// diag √G, divided by its largest entry, for the l2 kernels AᵀA = G/‖G‖ or its diagonal. The bandwidth is a factor of
// the median distance, so that a round may start where the last one ended.
#pragma once

#include "methods/local/kernel_equations.hpp"

#include <weft/input_transform.hpp>
#include <weft/kernel.hpp>
#include <weft/run.hpp>

#include <functional>
#include <optional>
#include <string>

namespace weft::detail {

/// A kernel and its inputs before anything is learned.
struct KernelForm {
  std::string name;
  Kernel::Kind kind = Kernel::Kind::laplace;
  double exponent = 1;
  bool full = false;         ///< a matrix of relevance instead of a number per input
  InputTransform base = {};  ///< columns and their factors; no matrix

  Kernel kernel(double bandwidth) const;
};

/// Rows to fit and rows to measure the error on.
struct Fold {
  LabelledRows fit;
  LabelledRows held;
};

/// What one set of rows has learned before a round.
struct LearnedInputs {
  InputTransform transform = {};
  double bandwidth = 0;
};

struct RelevanceStep {
  LearnedInputs learned = {};             ///< from all rows, or from the one fold
  std::vector<LearnedInputs> folds = {};  ///< from each fold's
  double factor = 0;                      ///< bandwidth over the median distance
  double lambda = 0;                      ///< on the diagonal of K
  double error = 0;                       ///< mean squared error of the held-out rows, over the targets' variance
  /// √(mean squared derivative) of each encoded input at the rows of the fit, in units of the input's deviation.
  std::vector<double> sensitivity = {};
};

struct RelevanceOptions {
  Index rounds = 3;
  std::optional<double> bandwidth = {};  ///< fixed instead of searched
  std::optional<double> lambda = {};     ///< likewise
  const RelevanceStep* start = nullptr;  ///< where the search of both begins
};

/// Round 0, without relevance, and the rounds that follow; it stops early when two rounds no longer help. With several
/// folds each learns its own relevance, errors are theirs together, and the transforms are those of `whole`, all the
/// rows; with one fold they are the fold's. Empty: the equations could not be solved.
std::vector<RelevanceStep> learn_relevance(const KernelForm& form, std::span<const Fold> folds,
                                           const LabelledRows* whole, const RelevanceOptions& options, const Run& run);

/// The step of the smallest error.
const RelevanceStep& best_step(const std::vector<RelevanceStep>& steps);

/// `next` for round 0 and so many more, as long as it returns a step, there is time and the rounds help.
std::vector<RelevanceStep> steps_while_better(Index rounds, const std::function<std::optional<RelevanceStep>()>& next,
                                              const Run& run);

/// Sensitivity of every encoded input, from root mean square derivatives in the columns of `base`, whose values are x.
std::vector<double> sensitivity_of(const std::vector<double>& derivatives, const InputTransform& base, const Matrix& x,
                                   Index encoded);

/// Of the held-out rows; `cross`: kernel values, centres × held-out rows.
double error_of_fit(const KernelFit& fit, const DeviceMatrix<double>& cross, const LabelledRows& held, const Run& run);

/// Σ_i w Σ_o (y − score)² / (outputs · Σ w); scores is rows × outputs.
double mean_squared_error(const LabelledRows& rows, View<const double> scores);

}  // namespace weft::detail
