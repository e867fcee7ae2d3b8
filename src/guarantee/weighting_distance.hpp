// Distance between two weightings of one family.
#pragma once

#include <weft/model.hpp>

#include <string>
#include <vector>

namespace weft::detail {

struct WeightingDistance {
  std::vector<double> norms;  ///< ‖α − β‖_H per output
  std::string reason;         ///< why the two cannot be compared; norms is then empty
};

/// Centres that both models have are subtracted before anything is squared, so that a pruned model's distance to its
/// original keeps its digits; the others enter by the joint Gram matrix.
WeightingDistance weighting_distance(const Model& model, const Model& original, const Run& run);

}  // namespace weft::detail
