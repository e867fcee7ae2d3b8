// The configurations a search tries: a pure function of the options, the seed and the configuration's number.
#pragma once

#include <weft/tune.hpp>

#include <vector>

namespace weft::detail {

/// The families a text such as "all" or "rw-sign,rks-cos" stands for.
std::vector<std::string> tuned_families(const std::string& text);

/// What is tried of one family.
struct Candidate {
  Index number = 0;
  FamilyOptions family;
  std::optional<double> lambda;          ///< drawn, or as given; none: the whole path
  std::optional<double> bandwidth = {};  ///< of a kernel machine, where it is searched
};

/// The fit of one configuration: what the search chose in place of what was given.
FitOptions with_choice(FitOptions fit, std::optional<double> lambda, std::optional<double> bandwidth);

/// A trial without a score yet.
Trial trial_of(const Candidate& candidate, const FitOptions& fit);

/// Throws where a range is given that no configuration of these families draws from.
void check_ranges(const std::vector<FamilyOptions>& families, const FitOptions& fit, const TuneOptions& options,
                  bool bandwidth);

/// All candidates of one family: the first of a random search is the library's default, so that a search is never worse
/// than none; the others are drawn from the ranges of Anonymous 2026, Table 14 (docs/mathematics.md §4.3). A grid has
/// as many levels per number as fit into the count. `bandwidth` is what a kernel's is searched around; none: it is not
/// searched.
std::vector<Candidate> candidates(const FamilyOptions& family, const FitOptions& fit, const TuneOptions& options,
                                  std::optional<double> bandwidth = {});

}  // namespace weft::detail
