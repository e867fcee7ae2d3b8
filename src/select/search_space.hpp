// The configurations a search tries: a pure function of the options, the seed and the configuration's number.
#pragma once

#include <weft/tune.hpp>

#include <vector>

namespace weft {

/// What is tried of one family.
struct Candidate {
  Index number = 0;
  FamilyOptions family;
  std::optional<double> lambda;  ///< drawn, or as given; none: the whole path

  /// Not judged yet.
  Trial trial() const { return {.number = number, .family = family, .lambda = lambda}; }
};

/// All candidates of one family: the first of a random search is the library's default, so that a search is never worse
/// than none; the others are drawn from the ranges of [000] Table 14 (MATH section 3). A grid has as many levels per
/// number as fit into the count.
std::vector<Candidate> candidates(const FamilyOptions& family, const FitOptions& fit, const TuneOptions& options);

}  // namespace weft
