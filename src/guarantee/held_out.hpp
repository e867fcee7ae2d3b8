// The plain bound: the loss of rows that the model was not fitted to, and what chance may have hidden.
#pragma once

#include <weft/certify.hpp>

namespace weft::detail {

/// The largest p with P(Bin(rows, p) ≤ errors) ≥ δ (Clopper & Pearson 1934): the error rate is at most that with
/// probability 1 − δ.
double clopper_pearson(Index errors, Index rows, double delta);

/// An upper bound on the expectation of losses in [0, largest] with probability 1 − δ (Maurer & Pontil 2009, Theorem
/// 4): mean + √(2 variance log(2/δ)/n) + 7 largest log(2/δ)/(3(n − 1)).
double empirical_bernstein(const MeasuredLoss& loss, double delta);

/// Of the rows given or, where there are none, of the rows that were predicted without them when the model was fitted;
/// nullopt where it has none either. `train` has the targets that the best constant and the range are taken from.
std::optional<HeldOutBound> held_out_bound(const Model& model, const Data& train, const Data* held_out, double delta,
                                           const Run& run);

/// The mean of the same loss on any rows.
double plain_loss(const Model& model, const Data& rows, const Run& run);

}  // namespace weft::detail
