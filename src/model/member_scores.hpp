// The sum of a model's members for rows that are encoded.
#pragma once

#include <weft/member.hpp>
#include <weft/run.hpp>

#include <span>

namespace weft::detail {

/// scores (rows × outputs) += Σ weight · member(x); x: encoded inputs × rows. Rows meet in blocks of
/// Predictor::kBlockRows and, within a leaf, in strips, as the feature map cuts them, whose features are reduced to
/// scores while they are in cache: the last bits follow from the rows alone.
void add_member_scores(std::span<const Member> members, View<const double> x, View<double> scores, const Run& run);

}  // namespace weft::detail
