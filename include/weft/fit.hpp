// Fitting: from data to a model.
#pragma once

#include <weft/data.hpp>
#include <weft/encoder.hpp>
#include <weft/feature_map.hpp>
#include <weft/fit_options.hpp>
#include <weft/model.hpp>
#include <weft/run.hpp>

namespace WEFT_PUBLIC weft {

struct FitRequest {
  Data train;  ///< must name a target
  FamilyOptions family = {};
  FitOptions fit = {};
  EncodeOptions encode = {};
  Run run = {};
  ActivationPtr custom = nullptr;  ///< the activation of the family's "custom"
  /// Rows that need no target: if given, the encoding of the inputs and the leverage scores are computed from them
  /// instead of the training rows.
  std::optional<Data> unlabelled = {};
  /// Number of requests, this one included, from which a search over these rows chose it. It is stored in the model's
  /// provenance: guarantees divide their δ among them.
  Index alternatives = 1;
  /// Fitted to these training rows already, by the options in `encode`; none: fit() does it, which is a pass over them.
  std::optional<Encoder> encoder = {};
};

/// Encodes the data, draws the features, fits.
Model fit(const FitRequest& request);

}  // namespace weft
