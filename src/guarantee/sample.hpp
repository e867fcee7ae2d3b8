// Statistics of the rows that the theorems use.
#pragma once

#include <weft/model.hpp>

#include "objective/loss.hpp"

#include <vector>

namespace weft::detail {

/// One output on the rows; classes are coded ±1.
struct OutputSample {
  double train_loss = 0;
  double trivial_loss = 0;   ///< of the best constant
  double target_centre = 0;  ///< middle of the range of the targets
  double target_radius = 0;  ///< half its length
};

struct Sample {
  Index rows = 0;
  std::vector<OutputSample> outputs;

  double mean(double OutputSample::*member) const;  ///< over the outputs
};

/// Throws for weighted rows.
void check_unweighted(const Data& data);

/// One pass. Throws for weighted rows, and if there are no rows.
Sample measure_sample(const Model& model, const Data& data, const Loss& loss, const Run& run);

/// θ, κ, τ over the rows, in one pass by blocks. Plain features: p is the uniform law on the model's own centres, and τ
/// alone exists.
Constants sample_constants(const Model& model, const Data& data, const Run& run);

/// Whether all, or some, of the map's families have no weight kernel.
bool all_plain(const FeatureMap& map);
bool some_plain(const FeatureMap& map);

}  // namespace weft::detail
