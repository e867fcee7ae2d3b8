// Successive halving on rows: all candidates are validated on few rows, the best third on three times as many, and so
// on.
#pragma once

#include "train/search/validation.hpp"

#include <memory>

namespace weft::detail {

inline constexpr double kRungFactor = 3;

/// Rows of a rung, and how candidates are validated on them.
struct Rung {
  std::unique_ptr<BlockSource> sample;
  Validation validation;
};

/// Fractions of the rows, ascending to 1: as many thirds as leave two rows per feature and every class in every fold.
std::vector<double> rung_fractions(const Validation& all, Index features);

/// A seeded sample of the rows, stratified by class; `rows` must outlive it.
Rung make_rung(double fraction, const BlockSource& rows, const Validation& all, const TargetInfo& target,
               std::uint64_t seed);

}  // namespace weft::detail
