// How large a portfolio's fits are.
#pragma once

#include <weft/encoder.hpp>
#include <weft/matrix.hpp>
#include <weft/methods/portfolio.hpp>

#include <span>

namespace weft::detail {

struct Sizes {
  bool thorough;
  Index relevance_rows;
  Index held_rows;  ///< while relevance is learned
  Index rounds;
  Index leaf;             ///< of the first round
  Index landmarks;        ///< likewise
  Index exact;            ///< most rows of one leaf for all
  Index features;         ///< random ones
  std::size_t two_trees;  ///< candidates that are averaged with a second tree
};

/// Whether an input is the effect of categories that have few rows each. The estimates are then so noisy that no kernel
/// comes near the relation behind them, and small ones predict as well as large ones (docs/data.md).
bool has_noisy_effects(std::span<const ColumnKind> kinds, const Matrix& x);

/// `noisy`: has_noisy_effects.
Sizes sizes_of(const PortfolioOptions& options, Index rows, bool noisy);

/// All, split, transformed and copied; and in every local candidate those of its leaves, which overlap.
double copies_of_rows(const Sizes& sizes);

}  // namespace weft::detail
