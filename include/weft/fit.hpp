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
  ActivationPtr custom = nullptr;  ///< what the family's "custom" stands for
  /// Rows whose target need not be there; they say how the inputs are encoded and what leverage scores are, in place of
  /// the training rows.
  std::optional<Data> unlabelled = {};
  /// Requests that this one was chosen from by a search over these rows, itself among them. The model's provenance
  /// keeps the number: guarantees share their δ among them.
  Index alternatives = 1;
};

/// Encodes the data, draws the features, fits.
Model fit(const FitRequest& request);

}  // namespace weft
