// A report on a model and the data it was fitted to: how good, how sure, why, and how small it could be.
#pragma once

#include <weft/model.hpp>
#include <weft/report.hpp>
#include <weft/tune.hpp>

#include <functional>
#include <optional>

namespace WEFT_PUBLIC weft {

struct Described {
  Model model;
  Data train;                             ///< what it was fitted to
  std::optional<Data> test = {};          ///< labelled rows it has not seen
  std::optional<TuneResult> search = {};  ///< what chose it
  /// Fits the same kind of model to other rows. Where there are no test rows, the charts of predictions are drawn for a
  /// fifth of the training rows, predicted by such a model of the others; where there is no `refit` either, not at all.
  std::function<Model(const Data&)> refit = {};
};

/// Errors with intervals, the search and its curve over T, ROC and calibration or residuals, the certificate, the
/// pruning curve, the most useful variables of stumps, the learned activation. Sections that do not apply are left out
/// or say why.
Report describe(const Described& subject, const Run& run = {});

}  // namespace weft
