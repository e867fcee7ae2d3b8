// What LevelStatistics holds. z = (1, other inputs, outputs) is a row as the sums see it.
#pragma once

#include <weft/level_statistics.hpp>

#include <cstdint>
#include <vector>

namespace weft {

struct LevelStatistics::State {
  /// Of a variable with many levels, in one fold: Σ w z of the levels that occur.
  struct Sums {
    std::vector<Index> slot;     ///< level → place of its sums, -1: it does not occur
    std::vector<double> values;  ///< slots × width

    double* of(std::size_t level, Index width);                 ///< zeros at first
    const double* find(std::size_t level, Index width) const {  ///< null: it does not occur
      return slot[level] < 0 ? nullptr : values.data() + slot[level] * width;
    }
  };
  struct Fold {
    Matrix moments;  ///< width × width, upper triangle: Σ w z zᵀ
    std::vector<Sums> columns;
  };

  Index first_row = 0;
  Index rows = 0;
  Index covariates = 0;       ///< other inputs
  Index outputs = 0;          ///< LevelOutput
  std::vector<Index> levels;  ///< of each variable with many of them
  std::vector<Fold> folds;
  // The levels of two variables of one row are not in the sums: where there are two, every row is kept.
  std::vector<std::int32_t> codes;  ///< rows × variables, -1: none of the levels
  std::vector<double> weights;      ///< one per row, where `codes` are kept
  std::vector<Index> row_folds;     ///< likewise, where rows are in folds by a rule and not by their number
  bool forward = false;             ///< folds follow each other in time: each is predicted from those before it

  /// Do the rows of a fold count for the effects that another fold is encoded by (-1: that new rows are)?
  bool trains(Index fold, Index encoded) const { return forward && encoded >= 0 ? fold < encoded : fold != encoded; }
  Index width() const { return 1 + covariates + outputs; }
  Index variables() const { return static_cast<Index>(levels.size()); }
  void allot();  ///< empty folds
};

}  // namespace weft
