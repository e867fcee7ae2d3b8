// Fewer landmarks in every leaf of a sum of members: chosen by pivoted Cholesky, with the coefficients for which the
// leaf predicts its former landmarks as before, by least squares. The smallest share of landmarks that the rule
// accepts.
#pragma once

#include <weft/prune.hpp>

namespace weft::detail {

/// Throws Error(option) for what only models of one feature map have.
PruneResult prune_members(const Model& model, const Data& data, const PruneOptions& options, double epsilon,
                          const Run& run);

}  // namespace weft::detail
