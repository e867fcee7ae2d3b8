// The folds of training rows for effects of levels.
#pragma once

#include <weft/data.hpp>
#include <weft/run.hpp>

#include "data/rows/row_rule.hpp"

namespace weft::detail {

/// Rows of a table in kLevelFolds folds: by their numbers or, where the data's options name a rule, as it has them. The
/// effects that encode a row then contain no target of its group; with times, none of its own part of them or later.
class LevelFolds {
 public:
  /// `first_row`: number of the data's first row. One pass over the data where they have a rule.
  LevelFolds(const Data& data, Index first_row, const Run& run);

  Index operator()(Index row) const;  ///< of the data
  bool by_rule() const { return folds_.parts > 0; }
  bool forward() const { return folds_.forward; }

 private:
  Index first_row_;
  Folds folds_;  // no parts: by number
};

}  // namespace weft::detail
