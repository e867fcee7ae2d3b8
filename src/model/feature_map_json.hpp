// Feature maps in a block file. The readable part is JSON:
//   { "inputs": { "names", "variable_of", "bias" },
//     "parts": [ { "family", "sigma", "gamma", "phase", "features", "groups": [[column …] …] } … ] }
// with "activation": { "basis", "first", "step", "width", "degree", "coefficients" } where it is a learned one,
// and the centres of part k into the blocks partK.weights, partK.group_of and partK.phases. Kernel sections have
//   "kernel": { "name", "bandwidth" }
// besides, the block landmarks (inputs × features), and as parts, without centres, what an implicit kernel is the limit
// of (none for the others).
#pragma once

#include <weft/feature_map.hpp>

#include "core/block_file.hpp"

#include <optional>
#include <string>
#include <vector>

namespace weft::detail {

/// Features without inputs and landmarks, which members share (model/member_json.hpp).
struct StoredFeatures {
  std::optional<Kernel> kernel;    ///< of sections
  std::vector<FeaturePart> parts;  ///< random features
};
/// "parts" and "kernel" as above; names of blocks begin with `prefix`.
Json features_to_json(const FeatureMap& map, const std::string& prefix, BlockFileWriter& file);
StoredFeatures features_from_json(const Json& json, const std::string& prefix, const Inputs& inputs,
                                  const BlockFileReader& file);

/// Adds the map's blocks to `file`. A custom activation throws: a C++ function cannot be stored.
Json feature_map_to_json(const FeatureMap& map, BlockFileWriter& file);

/// Throws weft::Error(model) for inconsistent parts.
FeatureMap feature_map_from_json(const Json& json, const BlockFileReader& file);

}  // namespace weft::detail
