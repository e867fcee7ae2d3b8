// The state of a fitted encoder.
#pragma once

#include <weft/encoder.hpp>

#include <optional>
#include <string>
#include <vector>

#include "data/encode/categories.hpp"
#include "data/encode/dates.hpp"
#include "data/encode/many_levels.hpp"
#include "data/encode/scaler.hpp"
#include "data/encode/target_encoder.hpp"

namespace weft::detail {

/// One variable of the user's table: a number with one input column, or two where it is scaled in both ways, dates with
/// as many for each of their parts, or categories with one column each, or with columns of frequent ones and of effects
/// where they are many; and one more column where its missing cells are indicated.
struct Variable {
  std::string name;
  bool categorical = false;
  Categories categories;  ///< empty for a number
  double fill = 0;        ///< stands in for missing cells: the mean, or the position of the most frequent category
  std::vector<Scaler> scalers;           ///< one per input column of a number or a category
  std::optional<ManyLevels> many = {};   ///< effects of categories on the target
  std::optional<Scaler> indicator = {};  ///< of the last column, 1 where the cell is missing
  Index missing = 0;                     ///< cells in training, where they are indicated
  bool boolean = false;                  ///< a number whose cells are words in training
  std::optional<DateParts> dates = {};   ///< of a number whose cells are dates; `fill` means nothing then

  Index columns() const {
    return static_cast<Index>(scalers.size()) + (many ? many->columns() : 0) + (indicator ? 1 : 0);
  }
  /// The place of a category's input among those of the variable, -1: it has none.
  Index one_hot(Index category) const { return many ? many->one_hot[static_cast<std::size_t>(category)] : category; }
  /// Training saw no cell of it: nothing can be made of those that come later.
  bool unused() const { return missing > 0 && !indicator; }
};

}  // namespace weft::detail

namespace weft {

struct Encoder::State {
  EncodeOptions options;
  Index rows = 0;
  std::vector<detail::Variable> variables;  ///< in the order of the training table's columns
  detail::TargetEncoder target;
  Inputs inputs;                                        ///< follows from the variables and the bias option
  std::vector<detail::LevelOutput> level_outputs = {};  ///< while it is fitted, where a variable has many levels
};

}  // namespace weft

namespace weft::detail {

Inputs inputs_of(const std::vector<Variable>& variables, bool bias);

/// Positions of the columns that a comma-separated list of names or indices chooses.
std::vector<Index> columns_named(const std::vector<Column>& columns, const std::string& list, const std::string& option,
                                 const std::string& place);

}  // namespace weft::detail
