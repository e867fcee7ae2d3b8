// Scaling of one input column: z = (x - shift) · factor, or a rank-to-normal map through knots.
#pragma once

#include <weft/encoder_statistics.hpp>
#include <weft/matrix.hpp>

#include <string>
#include <vector>

#include "data/encode/column_stats.hpp"

namespace weft::detail {

class Scaler {
 public:
  /// Leaves values as they are.
  Scaler() = default;
  /// Affine. A factor of 0 is a column that was constant in training: it stays 0 whatever comes later.
  Scaler(double shift, double factor) : shift_(shift), factor_(factor) {}
  /// Piecewise linear from values (strictly ascending) to scores (nondecreasing), constant outside.
  Scaler(std::vector<double> values, std::vector<double> scores)
      : values_(std::move(values)), scores_(std::move(scores)) {}

  /// For a numeric column; `scale` is not `both`. `name` is the column's, for messages.
  static Scaler for_numbers(Scaling scale, const ColumnStats& stats, const std::string& name);
  /// For a one-hot column, 1 in a share (0, 1] of the training rows.
  static Scaler for_one_hot(Scaling scale, double share);

  /// In place. Values are finite.
  void apply(double* values, Index count) const;
  double operator()(double value) const;

  double shift() const { return shift_; }
  double factor() const { return factor_; }
  const std::vector<double>& values() const { return values_; }  ///< empty: affine
  const std::vector<double>& scores() const { return scores_; }

 private:
  static constexpr Index kSearchedTogether = 16;
  double interpolate(double value) const;
  void interpolate_some(double* values) const;  ///< kSearchedTogether of them, in place
  double between(double value, std::size_t knot) const;

  double shift_ = 0;
  double factor_ = 1;
  std::vector<double> values_;
  std::vector<double> scores_;
};

/// Whether the scaling needs a sample of the column.
inline bool uses_ranks(Scaling scale) {
  return scale == Scaling::quantile || scale == Scaling::both;
}

/// The rank-to-normal map of a sorted sample. A value that makes up a share p of the sample goes to the middle of its
/// rank interval (midrank), so ties and zero-inflated columns keep their order and their centre. At most kMaxKnots
/// knots, at equal steps of rank; the outermost lie at rank 1/(2·knots), which bounds the scores by ±3.29. Between
/// knots the map is linear in the score itself: it agrees with interpolating the cdf to within one step of rank, and
/// costs no normal quantile per value.
Scaler rank_to_normal(const std::vector<double>& sorted);
inline constexpr Index kMaxKnots = 1001;

}  // namespace weft::detail
