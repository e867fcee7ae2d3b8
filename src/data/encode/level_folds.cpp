#include "data/encode/level_folds.hpp"

#include <weft/error.hpp>

#include "core/at.hpp"
#include "data/encode/many_levels.hpp"

namespace weft::detail {

LevelFolds::LevelFolds(const Data& data, Index first_row, const Run& run) : first_row_(first_row) {
  const RowRule rule = RowRule::of(data, run);
  if (rule.none()) return;
  if (first_row > 0)
    throw Error(ErrorKind::option, "rows of a group or time may be in other parts of the table",
                option_mark(data.options().rule.name()), "gather the statistics of all rows at once");
  const auto rows = static_cast<Index>(rule.keys().size());
  const bool times = rule.kind() == RowRule::Kind::times;  // cut into one part more
  folds_ = rule.folds(rows, times ? kLevelFolds - 1 : kLevelFolds, {}, 1);
}

Index LevelFolds::operator()(Index row) const {
  return by_rule() ? folds_.of_row[at(row)] : level_fold(first_row_ + row);
}

}  // namespace weft::detail
