// Cutting blocks into parts (fitted and held out, or folds) whose sums go to separate accumulators.
#pragma once

#include "data/rows/rule_values.hpp"
#include "linalg/accumulator.hpp"
#include "methods/map_set.hpp"
#include "methods/partitioned_block.hpp"
#include "methods/problem.hpp"

#include <optional>
#include <vector>

namespace weft::detail {

/// Sums of every part, all of them with the same `shift` of the targets.
struct PartSums {
  std::vector<Accumulator> parts;
  /// That of the sums, to be added to the intercepts: the mean of the first block, zeros without an intercept.
  std::vector<double> shift = {};
  Index stopped_at = 0;  ///< rows added when the time limit was reached; 0: all
};

PartSums accumulate_parts(const Problem& problem, Index parts, const PartOf& part_of);

/// Adds the sums of other rows, part by part; those without parts yet become the others.
void merge_parts(PartSums more, PartSums& sums);

/// As many rows as can be added and solved for before the time ends: random ones, in passes over all rows that each
/// take half of the time left. The first rows of a file would be a biased sample where it is sorted.
PartSums accumulate_in_time(const Problem& problem, Index parts, const PartOf& part_of);

/// What the report says of fewer rows than there are.
std::string rows_in_time_note(Index used, Index rows);

/// The same for several maps in one pass, block outermost: one PartSums per map.
std::vector<PartSums> accumulate_parts(MapSet& maps, const BlockSource& source, const FitOptions& options, Index parts,
                                       const PartOf& part_of, const Run& run);

/// What chooses λ and what is fitted: the sums of the rows that are not held out, and of those that are (none unless
/// asked).
struct HeldOutSums {
  Accumulator fitted;
  std::optional<Accumulator> held_out;
  std::vector<double> shift;

  /// Of one part, or of fitted and held-out rows.
  static HeldOutSums of(PartSums sums);
  /// Both together: what the final fit uses.
  Accumulator all() &&;
};

/// 1 for the rows that choose λ, else 0: a share options.lambda_holdout of them by this rule, drawn by the seed.
PartOf held_out_part(const RowRule& rule, const FamilyOptions& family, const FitOptions& options);
/// The same for rows in parts, by the values that their rule goes by.
HeldOutValues held_out_values(const RuleValues& values, const FamilyOptions& family, const FitOptions& options);
/// The same for the rows of a problem.
PartOf held_out_part(const Problem& problem);
/// Throws when either part has no weight.
void check_parts(const std::vector<Accumulator>& parts);

/// Fitted and held-out sums by the two above. Reports the time, and whether the time limit was reached.
HeldOutSums accumulate_held_out(const Problem& problem, bool hold_out, FitReport& report);

}  // namespace weft::detail
