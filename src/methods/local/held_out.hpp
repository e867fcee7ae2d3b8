// Rows held out of a portfolio's candidates.
#pragma once

#include "data/rows/row_rule.hpp"
#include "methods/local/relevance.hpp"

#include <weft/encoder.hpp>

namespace weft::detail {

/// How many of so many rows are held out at a time.
Index held_out_count(Index rows);

/// A fifth of the rows, at most 5000, or five folds where there are few rows; by classes where there are classes, so
/// that every part has its share of each, and as the rule for these rows has it.
std::vector<Fold> hold_out_rows(const LabelledRows& rows, const RowRule& rule, Task task, std::uint64_t seed);

/// The first rows of each fold, which are in random order.
std::vector<Fold> shrink(std::span<const Fold> folds, Index fit, Index held);

/// Mean squared, in units of the targets' variance, of predictions of all held-out rows, fold after fold.
double held_out_error(std::span<const Fold> folds, const Matrix& scores);

/// Of all folds.
Index held_rows(std::span<const Fold> folds);

}  // namespace weft::detail
