// The members of a model in a block file. The readable part is an array of
//   { "name", "weight", "transform": t, "maps": [ "parts" and "kernel" as in model/feature_map_json.hpp … ] }
// Transforms are numbered in the order in which members first use them. Their blocks are transformT.columns, .factors,
// .matrix and .landmarks (landmarks × own inputs): the landmarks of all members with this transform, each row once, so
// that trees over the same rows store them once. The blocks of member M are
//   memberM.split_inputs, .thresholds, .children (below and above of each split), where it has splits;
//   memberM.maps (leaf → position in "maps"), .sizes (leaf → features), .intercepts (leaves × outputs);
//   memberM.landmarks (rows of the transform's landmarks) and .coefficients (features × outputs), leaf after leaf;
//   memberM.mapK.partP.… of random features.
#pragma once

#include <weft/member.hpp>

#include <span>

#include "core/block_file.hpp"

namespace weft::detail {

Json members_to_json(std::span<const Member> members, BlockFileWriter& file);

/// Throws weft::Error(model) where numbers do not fit each other; Member::check has the rest. `inputs` are the
/// encoder's.
std::vector<Member> members_from_json(const Json& json, const Inputs& inputs, const BlockFileReader& file);

}  // namespace weft::detail
