// The column that a RowRule goes by, where the rows are in several parts that no one reads together: its values with
// the numbers of their rows, which merge, and those of them that are held out.
#pragma once

#include "data/rows/row_rule.hpp"

namespace weft::detail {

/// Of every row: a number, a time in numbers, or the position of a text.
struct RuleCells {
  RowRule::Kind kind = RowRule::Kind::none;
  std::string column;
  bool text = false;
  std::vector<double> cells;
  std::vector<std::string> texts;  ///< what the positions stand for
};

/// Of the column that the data's options name, which they must, in one pass. Throws where it has missing cells.
RuleCells rule_cells(const Data& data, const Run& run);
/// Throws where there is one value at most, or too many folds.
void check_rule_values(const RowRuleOptions& options, const std::string& column, Index several);

/// The rows that are held out, by the values of their rule's column; those of all parts.
struct HeldOutValues {
  RowRuleOptions options = {};
  bool text = false;
  std::vector<double> numbers = {};     ///< ascending; of times the first: it and all later ones are held out
  std::vector<std::string> texts = {};  ///< ascending
  Index rows = 0;                       ///< that have them
  Index several = 0;                    ///< different values, the others included

  bool none() const { return options.column().empty(); }
  std::string describe() const;  ///< as RowRule does
  /// In one pass over a part, whose rows are numbered from `first_row` on.
  PartOf part_of(const Data& part, const Run& run, Index first_row) const;
};

/// The values of some parts.
struct RuleValues {
  RowRuleOptions options = {};
  bool text = false;
  std::vector<double> numbers = {};     ///< ascending
  std::vector<std::string> texts = {};  ///< ascending; either of the two is empty
  std::vector<Index> rows = {};         ///< of each value; 0 for texts that only rows without a target have

  /// In one pass; none where the data's options name no column.
  static RuleValues of(const Data& data, const Run& run);
  bool none() const { return options.column().empty(); }
  /// Adds those of the part `name`. Throws where it goes by another column, or has texts where these have numbers.
  void merge(const RuleValues& next, const std::string& name);
  /// What RowRule::held_out takes of the table of all parts.
  HeldOutValues held_out(const Random& draws, double share) const;
};

}  // namespace weft::detail
