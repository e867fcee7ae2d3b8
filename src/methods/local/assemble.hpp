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

/// The members of the candidates that have a weight, with intercepts, calibration, relevance, and the seconds that went
/// into fits and into the rest of the search.
void assemble(const Problem& problem, const MemberRows& rows, std::vector<MemberCandidate>& candidates,
              const std::vector<double>& weights, double seconds, FitResult& result);

/// Where no input varies: the mean.
void assemble_constant(const Problem& problem, const MemberRows& rows, FitResult& result);

}  // namespace weft::detail
