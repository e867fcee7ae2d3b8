// A linear map of encoded inputs, applied before a kernel or feature map sees a row.
#pragma once

#include <weft/inputs.hpp>
#include <weft/matrix.hpp>

#include <vector>

namespace WEFT_PUBLIC weft {

/// Relevance (a factor per column, or a matrix), the weight of one-hot columns and the choice among scalings (columns
/// left out) are all this one value. Without any of the three members it is the identity.
struct InputTransform {
  std::vector<Index> columns = {};   ///< of the encoder's inputs, strictly ascending; empty: all of them
  std::vector<double> factors = {};  ///< one per column; empty: all 1
  Matrix matrix = {};                ///< own inputs × columns, applied after the factors; empty: the identity

  bool operator==(const InputTransform& other) const;
  /// Their number: the rows of apply() for this number of encoded inputs.
  Index inputs(Index encoded) const;
  /// Their names and variables. Rows of a matrix mix the variables: they are variables of their own.
  Inputs inputs(const Inputs& encoded) const;
  /// x: encoded × rows → own inputs × rows.
  Matrix apply(View<const double> x) const;
  void apply(View<const double> x, View<double> out) const;
  /// Throws Error(model) unless it maps this number of encoded inputs and every number is finite.
  void check(Index encoded) const;
};

}  // namespace weft
