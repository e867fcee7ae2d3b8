// The second half of a fit: from encoded rows to a model.
#pragma once

#include <weft/communicator.hpp>
#include <weft/fit.hpp>

#include "data/rows/block_source.hpp"
#include "model/narrow_inputs.hpp"

#include <memory>
#include <optional>

namespace weft::detail {

struct FittedRows {
  Encoder encoder;       ///< of all inputs, also where the rows are narrow
  FamilyOptions family;  ///< resolved
  std::unique_ptr<BlockSource> rows;
  const BlockSource* unlabelled = nullptr;
  double encode_seconds = 0;
  std::optional<FeatureMap> map = {};       ///< of all inputs, where it was drawn before the rows were read
  std::optional<NarrowInputs> narrow = {};  ///< what the rows have then
  Communicator* processes = nullptr;        ///< as in Problem
};

/// Collective: where one of the processes has no GPU for ‹device› auto, none uses one. Results do not depend on who
/// computed what.
void use_alike(Run& run, Communicator& processes);
/// The family that fits the encoder's inputs. Throws where the options do not fit its target.
FamilyOptions resolved_family(const FitRequest& request, const Encoder& encoder);
/// Draws the features, fits and puts the model together.
Model fit_rows(const FitRequest& request, FittedRows rows);

}  // namespace weft::detail
