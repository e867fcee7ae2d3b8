// The configurations a search tries: a pure function of the options, the seed and the configuration's number.
#pragma once

#include <weft/tune.hpp>

#include "methods/method.hpp"

#include <deque>
#include <vector>

namespace weft::detail {

/// The names of the families in a list such as "rw-sign,rks-cos", or of all families for "all".
std::vector<std::string> tuned_families(const std::string& text);

/// Of "all", those that the method can take; what is named must be possible. A family that stands for another one of
/// them is tried once. A kernel machine has no family of its own. Adds to the notes which it
/// cannot take.
std::vector<FamilyOptions> fitted_families(const FamilyOptions& asked, const FitOptions& fit,
                                           std::vector<std::string>& notes);

/// One configuration of a family.
struct Candidate {
  Index number = 0;
  FamilyOptions family;
  std::optional<double> lambda;          ///< drawn or given; nullopt: all of the path
  std::optional<double> bandwidth = {};  ///< of a kernel machine, where it is searched
};

/// The metric for the task, or the loss of a method that names one. Throws where the one asked for does not apply.
Metric search_metric(Metric asked, const FitOptions& fit, Task task);

/// The options with the λ and the bandwidth of a configuration, where it has them.
FitOptions with_choice(FitOptions fit, std::optional<double> lambda, std::optional<double> bandwidth);

/// A trial without a score yet.
Trial trial_of(const Candidate& candidate, const FitOptions& fit);

/// Throws where a search range is given that no configuration of these families uses.
void check_ranges(const std::vector<FamilyOptions>& families, const FitOptions& fit, const TuneOptions& options,
                  bool bandwidth);

/// All configurations of one family. The first of a random search is the library's default, so that the search finds
/// nothing worse than that; the others are drawn from the ranges of Anonymous 2026, Table 14 (docs/mathematics.md
/// §4.3). A grid has as many levels per hyperparameter as options.configurations allows. `bandwidth` is the centre of a
/// kernel's search range; nullopt: its bandwidth is not searched.
std::vector<Candidate> candidates(const FamilyOptions& family, const FitOptions& fit, const TuneOptions& options,
                                  std::optional<double> bandwidth = {});

/// How a configuration is validated. Features chosen by looking at the rows differ from fold to fold: no sums to share.
/// Rows that have a rule are not left out one by one: others of a row's group, or later ones, would stay in the fit.
ValidatedBy validated_by(const FamilyOptions& family, const FitOptions& fit, const BlockSource& rows);

/// From the fronts of the families' queues: batches of at most `size`, of every family in turn, and of each as many as
/// it takes to have `at_once` in all.
std::vector<std::vector<Candidate>> next_round(std::vector<std::deque<Candidate>>& open, std::size_t size,
                                               std::size_t at_once);

}  // namespace weft::detail
