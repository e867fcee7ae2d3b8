// What a fitting algorithm is given and what it returns. An algorithm sees blocks of numbers: no files, no encoders.
#pragma once

#include <weft/fit.hpp>

#include "data/rows/block_source.hpp"

#include <optional>
#include <vector>

namespace weft::detail {

struct Problem {
  const FeatureMap& map;
  const BlockSource& rows;
  Task task;
  const FitOptions& options;
  const FamilyOptions& family;
  const Run& run;
  /// Landmarks drawn by leverage: the number of rows each stands for, over their mean number; empty: all alike.
  std::vector<double> shares = {};
};

struct FitResult {
  Matrix coefficients;             ///< features × outputs, of the smoothings
  std::vector<double> intercepts;  ///< outputs
  bool probabilistic = false;
  Calibration calibration;
  Matrix variance_factor;  ///< these four as in ModelParts
  std::vector<double> variance_means;
  double intercept_variance = 0;
  std::vector<double> noise;
  FitReport report;
  std::optional<FeatureMap> map = {};  ///< what the coefficients belong to, where it is not the problem's
};

/// Throws on options that the chosen fit does not read or cannot take, and on those that contradict each other.
void check_fit_options(const FitOptions& options, const FamilyOptions& family);

/// By problem.options.fit.
FitResult fit_problem(const Problem& problem);

FitResult fit_least_squares(const Problem& problem);
FitResult fit_lasso(const Problem& problem);
FitResult fit_functional_gradient(const Problem& problem);
FitResult fit_optimal_step(const Problem& problem);
FitResult fit_logistic(const Problem& problem);
FitResult fit_kernel_ridge(const Problem& problem);  ///< of a map of kernel sections
FitResult fit_learned_activation(const Problem& problem);

/// "auto" as the fit wants it: plain dense ReLU features where the activation is learned, else as it is.
FamilyOptions family_for(const FitOptions& options, FamilyOptions family);

/// Throws where the features and their sums exceed the memory; returns the bytes that are left for the rows.
double check_memory(const FamilyOptions& family, Index inputs, const FitOptions& options, const Run& run,
                    const ActivationPtr& custom = nullptr);
/// Throws where the fit cannot take a family of these parts.
void check_family(const FitOptions& options, const std::vector<FamilyPart>& parts);

/// Puts what a fit returned in its places in a model.
void store_result(FitResult result, ModelParts& parts);
/// The same for the options of the fit and where its rows come from.
void store_origin(const FamilyOptions& family, const FitOptions& options, const std::string& data, Index rows,
                  ModelParts& parts);

}  // namespace weft::detail
