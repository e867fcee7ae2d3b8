// How well a classifier ranks held-out rows, whether its probabilities come true, and what it confuses.
#pragma once

#include "explain/estimate.hpp"

#include <optional>
#include <vector>

namespace weft::detail {

struct RocPoint {
  double false_positive_rate = 0;
  double true_positive_rate = 0;
};

/// Of class k against the others, one point per distinct score; empty where there is only one kind of row.
std::vector<RocPoint> roc_curve(const HeldOut& rows, Index k);
std::optional<Estimate> roc_area(const HeldOut& rows, Index k);

struct CalibrationBin {
  double predicted = 0;  ///< mean probability
  Estimate observed;     ///< share of the rows that are of the class
};

/// Bins of equally many rows, by the probability of the second of two classes, or of the predicted one of more.
std::vector<CalibrationBin> calibration_bins(const HeldOut& rows, std::size_t bins);

/// [true class][predicted class], in weights.
std::vector<std::vector<double>> confusion(const HeldOut& rows);

}  // namespace weft::detail
