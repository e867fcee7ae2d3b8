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
  double target_square = 0;  ///< mean of (y − c)², c the model's intercept
  double fitted_square = 0;  ///< mean of (f − c)²
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

/// ‖α‖_{L²(p)} per output; where all features are plain √(T Σ b_t²), p being the uniform law on the centres: f = (1/T)Σ
/// a_t φ_t and b = a/T. Absent where plain and weighted features are mixed.
std::optional<std::vector<double>> square_integrable_norms(const Model& model, const Run& run);

/// Whether all, or some, of the map's families have no weight kernel.
bool all_plain(const FeatureMap& map);
bool some_plain(const FeatureMap& map);

}  // namespace weft::detail
