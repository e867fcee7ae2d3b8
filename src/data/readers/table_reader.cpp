#include "data/readers/table_reader.hpp"

#include "data/readers/find_column.hpp"
#include "data/text.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace weft::detail {

std::vector<Index> find_columns(const std::vector<Column>& columns, const std::string& list, const std::string& option,
                                const std::string& place) {
  if (list.empty()) return {};
  const ColumnNames names(columns);
  if (const auto whole = names.find(list)) return {*whole};
  std::vector<Index> positions;
  for (const std::string& part : split_list(list)) positions.push_back(names.get(part, option, place));
  return positions;
}

ColumnChoice choose_columns(std::vector<Column> file_columns, const ReadOptions& options, const std::string& place) {
  ColumnChoice choice;
  const std::vector<Index> dropped = find_columns(file_columns, options.drop, "drop", place);
  for (const Index c : find_columns(file_columns, options.categorical, "categorical", place))
    file_columns[static_cast<std::size_t>(c)].text = file_columns[static_cast<std::size_t>(c)].categorical = true;
  std::vector<bool> keep(file_columns.size(), true);
  for (const Index c : dropped) keep[static_cast<std::size_t>(c)] = false;
  for (std::size_t c = 0; c < file_columns.size(); ++c) {
    if (!keep[c]) continue;
    choice.columns.push_back(file_columns[c]);
    choice.file_position.push_back(static_cast<Index>(c));
  }
  if (choice.columns.empty()) throw Error(ErrorKind::option, "no column is left", "‹drop›", "leave out fewer columns");
  choice.file_columns = std::move(file_columns);
  return choice;
}

namespace {

class ChosenColumns : public TableReader {
 public:
  ChosenColumns(std::unique_ptr<RowReader> inner, const ReadOptions& options, const std::string& place)
      : inner_(std::move(inner)), choice_(choose_columns(inner_->columns(), options, place)) {
    dictionaries_.resize(choice_.columns.size());
    unchanged_ = choice_.columns.size() == inner_->columns().size();
    for (std::size_t c = 0; c < choice_.columns.size(); ++c) unchanged_ = unchanged_ && !needs_codes(c);
  }

  const std::vector<Column>& file_columns() const override { return choice_.file_columns; }
  const std::vector<Column>& columns() const override { return choice_.columns; }
  const std::vector<std::string>& dictionary(Index column) const override {
    const auto c = static_cast<std::size_t>(column);
    return needs_codes(c) ? dictionaries_[c].texts() : inner_->dictionary(choice_.file_position[c]);
  }
  bool next(RawBlock& block, Index max_rows) override {
    if (!inner_->next(block, max_rows)) return false;
    if (!unchanged_) convert(block);
    return true;
  }
  std::string place(Index row, Index column) const override {
    return inner_->place(row, choice_.file_position[static_cast<std::size_t>(column)]);
  }
  bool absent_is_zero(const std::string& column) const override {
    if (!names_) names_.emplace(choice_.file_columns);
    const bool dropped = names_->find(column).has_value();
    return !dropped && inner_->absent_is_zero(column);
  }
  void need_only(const std::vector<std::string>& columns) override {
    if (unchanged_) inner_->need_only(columns);  // else all cells are looked at
  }
  void use_threads(int threads) override { inner_->use_threads(threads); }
  double fraction() const override { return inner_->fraction(); }

 private:
  // A column the inner reader delivers as numbers and the user calls categorical.
  bool needs_codes(std::size_t c) const {
    return choice_.columns[c].text && !inner_->columns()[static_cast<std::size_t>(choice_.file_position[c])].text;
  }

  void convert(RawBlock& block) {
    const auto columns = static_cast<Index>(choice_.columns.size());
    cells_.reshape(columns, block.rows());
    for (Index c = 0; c < columns; ++c) {
      const double* const from = block.columns.row(choice_.file_position[static_cast<std::size_t>(c)]);
      double* const to = cells_.row(c);
      std::copy_n(from, block.rows(), to);
      if (!needs_codes(static_cast<std::size_t>(c))) continue;
      for (Index r = 0; r < block.rows(); ++r)
        if (!std::isnan(from[r])) to[r] = code(r, c, from[r]);
    }
    block.columns = cells_.view();
  }

  double code(Index row, Index column, double value) {
    const auto c = static_cast<std::size_t>(column);
    const Index code = dictionaries_[c].code(fmt::format("{}", value));
    if (code < 0) throw_too_many_texts(choice_.columns[c].name, place(row, column));
    return static_cast<double>(code);
  }

  std::unique_ptr<RowReader> inner_;
  ColumnChoice choice_;
  mutable std::optional<ColumnNames> names_;  // of the file
  std::vector<Dictionary> dictionaries_;
  Matrix cells_;
  bool unchanged_ = false;
};

}  // namespace

std::unique_ptr<TableReader> choose_columns(std::unique_ptr<RowReader> inner, const ReadOptions& options,
                                            const std::string& place) {
  return std::make_unique<ChosenColumns>(std::move(inner), options, place);
}

}  // namespace weft::detail
