// A report on a model and the data it was fitted to: errors, guarantees, variable importance and pruning.
#pragma once

#include <weft/explanation.hpp>
#include <weft/model.hpp>
#include <weft/report.hpp>
#include <weft/tune.hpp>

#include <functional>
#include <optional>

namespace WEFT_PUBLIC weft {

struct Described {
  Model model;
  Data train;                             ///< the rows it was fitted to
  std::optional<Data> test = {};          ///< labelled rows it was not fitted to
  std::optional<TuneResult> search = {};  ///< the search that chose it
  /// Fits the same kind of model to other rows. Where there are no test rows, the charts of predictions are drawn for a
  /// fifth of the training rows, predicted by such a model of the others; where there is no `refit` either, not at all.
  std::function<Model(const Data&)> refit = {};
};

/// Errors with intervals, the search and its curve over T, ROC and calibration or residuals, the certificate, the
/// pruning curve, the importance of variables, the learned activation. Sections that do not apply are left out or give
/// the reason.
Report describe(const Described& subject, const Run& run = {});

/// Of labelled rows: errors with intervals, ROC and calibration or residuals, the importance of variables.
Report describe(const Model& model, const Data& data, const DecisionOptions& decision = {}, const Run& run = {});

/// Importance of the variables, curves, interactions, and the rows that were explained one by one.
Report describe(const Model& model, const Explanation& explanation, const std::vector<RowExplanation>& rows = {},
                const Run& run = {});

}  // namespace weft
