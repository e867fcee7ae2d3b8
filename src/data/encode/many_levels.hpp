// A categorical variable with too many levels for one input each: its frequent levels have one, and all of them are
// encoded by their estimated effects on the target.
#pragma once

#include <weft/matrix.hpp>

#include <string>
#include <vector>

#include "data/encode/scaler.hpp"
#include "data/encode/target_encoder.hpp"

namespace weft::detail {

/// Rows are dealt out to this many folds by their numbers. The effects that encode a training row are estimated from
/// the other folds. With every row in a fold of its own, the effect would be a decreasing function of the target among
/// the rows of a level, and a fit that recognises the level could read the target off it.
inline constexpr Index kLevelFolds = 5;
Index level_fold(Index row);

/// What levels have effects on: a target, or the indicator of a class. Of many the first targets, or the most frequent
/// classes.
struct LevelOutput {
  std::string name;    ///< of the target or the class; empty where there is no other
  Index target = 0;    ///< row of Block::y
  Index position = 0;  ///< of the class, for classes
  double shift = 0;    ///< subtracted before sums are taken, so that no digits are lost to a large mean
};
inline constexpr Index kMostLevelOutputs = 10;
std::vector<LevelOutput> level_outputs(const std::vector<TargetStats>& columns, const TargetEncoder& target,
                                       const std::vector<std::string>& dictionary);

/// Levels are positions in Variable::categories.
struct ManyLevels {
  std::vector<Index> one_hot;        ///< level → its place among the inputs of frequent levels, -1: none
  std::vector<std::string> outputs;  ///< LevelOutput::name of each
  Matrix effects;                    ///< outputs × levels, estimated from all rows
  Matrix by_fold;                    ///< (fold, output) × levels, from the rows of the other folds
  std::vector<Scaler> scalers;       ///< one per output

  /// Without effects yet: they are 0. `frequent`: levels that have an input, in order.
  static ManyLevels of(Index levels, const std::vector<Index>& frequent, const std::vector<LevelOutput>& outputs);

  Index columns() const { return static_cast<Index>(outputs.size()); }
  std::vector<Index> frequent() const;
  /// Writes the inputs of rows whose levels are at `positions` (not finite: none of them), from row `first_input` and
  /// column `first` of x on. `folds`: one per row, the effects to leave out; null: effects of all rows.
  void write(const double* positions, const Index* folds, Index rows, Matrix& x, Index first_input, Index first) const;
};

/// Levels in order of their numbers that have an input: the most frequent ones, if they make up a hundredth of the
/// rows.
std::vector<Index> frequent_levels(const std::vector<Index>& counts, Index rows);

}  // namespace weft::detail
