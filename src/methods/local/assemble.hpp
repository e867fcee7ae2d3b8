// From candidates with weights to the result of a fit: members in the targets' units, probabilities, relevance.
#pragma once

#include "methods/local/candidate.hpp"
#include "methods/problem.hpp"

namespace weft::detail {

/// What a fit of members is made of.
struct MemberRows {
  TargetScale scale;
  LabelledRows all;
  std::vector<Fold> split;

  MemberRows(const Problem& problem);
};

/// Fits the candidates that have a weight to all rows, and fills in members, intercepts, calibration and relevance.
void assemble(const Problem& problem, const MemberRows& rows, const CandidateFits& fits,
              std::vector<MemberCandidate>& candidates, const std::vector<double>& weights, FitResult& result);

/// Where no input varies: the mean.
void assemble_constant(const MemberRows& rows, FitResult& result);

}  // namespace weft::detail
