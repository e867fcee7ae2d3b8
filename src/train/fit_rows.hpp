// The second half of a fit: from encoded rows to a model.
#pragma once

#include <weft/fit.hpp>

#include "data/rows/block_source.hpp"

#include <memory>

namespace weft::detail {

struct FittedRows {
  Encoder encoder;
  FamilyOptions family;  ///< resolved
  std::unique_ptr<BlockSource> rows;
  const BlockSource* unlabelled = nullptr;
  double encode_seconds = 0;
};

/// The family that fits the encoder's inputs. Throws where the options do not fit its target.
FamilyOptions resolved_family(const FitRequest& request, const Encoder& encoder);
/// Draws the features, fits and puts the model together.
Model fit_rows(const FitRequest& request, FittedRows rows);

}  // namespace weft::detail
