// A global kernel fitted to the log loss instead of the squared error of its scores, for metrics of probabilities.
#pragma once

#include "methods/local/candidate.hpp"

namespace weft::detail {

constexpr int kLogisticSteps = 3;

/// Newton's method for Σ w log(1 + exp(−t s)) + λ‖s‖², t = ±1, of every class against the others, from where least
/// squares on the same landmarks ended. A step is weighted least squares: weights w p(1 − p), targets
/// s + (t₊ − p) / (p(1 − p)), t₊ = (1 + t) / 2, p = 1 / (1 + exp(−s)); λ by the log loss of the held-out rows. The
/// last step adds these to the sums. The scores come back in the units of the scaled targets, with the same sign.
MemberCandidate refine_logistic(const MemberCandidate& global, const Fold& fold, const TargetScale& scale,
                                const Run& run);

}  // namespace weft::detail
