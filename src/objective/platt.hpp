// Platt's sigmoid: probabilities from the scores of a classifier.
#pragma once

#include <cstdint>
#include <span>

namespace weft::detail {

/// p = 1 / (1 + exp(slope · f + offset)): the slope is negative for a classifier better than chance.
struct Sigmoid {
  double slope = 0;
  double offset = 0;

  double probability(double score) const;
};

/// Minimises −Σ w (t log p + (1 − t) log(1 − p)) with Platt's targets t = (N₊+1)/(N₊+2) for positive rows and
/// 1/(N₋+2) for the others, N the weight of the class: they keep separable scores finite. Newton's method with
/// backtracking after Lin, Lin & Weng (2007). weights empty: all 1. A weight counts copies of a row.
/// Throws Error(data) on scores that are not finite and without rows.
Sigmoid fit_sigmoid(std::span<const double> scores, std::span<const std::uint8_t> positive,
                    std::span<const double> weights = {});

}  // namespace weft::detail
