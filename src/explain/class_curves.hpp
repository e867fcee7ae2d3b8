// ROC curve, calibration and measures of a classifier on held-out rows.
#pragma once

#include "explain/estimate.hpp"

#include <optional>
#include <vector>

namespace weft::detail {

struct RocPoint {
  double false_positive_rate = 0;
  double true_positive_rate = 0;
};

/// ROC curve of class k against the others, one point per distinct score; empty if all rows are of one kind.
std::vector<RocPoint> roc_curve(const HeldOut& rows, Index k);
std::optional<Estimate> roc_area(const HeldOut& rows, Index k);

struct CalibrationBin {
  double predicted = 0;  ///< mean probability
  Estimate observed;     ///< fraction of the rows that are of the class
};

/// Bins with equal numbers of rows, by the predicted probability of the second of two classes, or of the predicted
/// class.
std::vector<CalibrationBin> calibration_bins(const HeldOut& rows, std::size_t bins);

/// What evaluate() measures of a classifier.
Evaluation class_evaluation(const HeldOut& rows);

}  // namespace weft::detail
