// RowRule::of: the column that the options name.
#include "data/encode/dates.hpp"
#include "data/readers/find_column.hpp"
#include "data/rows/rule_values.hpp"
#include "data/text.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace weft {

void check_rule(const RowRuleOptions& options) {
  const std::string name = options.name();
  const std::pair<const char*, const std::string*> all[] = {
      {"group", &options.group}, {"time", &options.time}, {"folds_column", &options.folds_column}};
  for (const auto& [other, column] : all)
    if (!column->empty() && other != name)
      throw Error(ErrorKind::option, fmt::format("{} is given too", option_mark(name)), option_mark(other),
                  "give one of ‹folds_column›, ‹group› and ‹time›");
  if (options.time_input && options.time.empty())
    throw Error(ErrorKind::option, "there is no column of times", "‹time_input›", "name one with ‹time›");
}

}  // namespace weft

namespace weft::detail {

namespace {

constexpr Index kMostFolds = 100;  // every one is a fit

/// The position of each value among the distinct ones.
template <class T>
std::vector<Index> ranks(const std::vector<T>& values) {
  std::vector<T> distinct = values;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<Index> result;
  result.reserve(values.size());
  for (const T& value : values)
    result.push_back(std::lower_bound(distinct.begin(), distinct.end(), value) - distinct.begin());
  return result;
}

/// A number stands for itself, a date for its seconds; months may come without a day.
std::optional<double> time_of(const std::string& text) {
  if (const std::optional<double> date = parse_date(text)) return date;
  constexpr std::size_t kMonth = 7;  // 2024-03
  if (text.size() == kMonth) return parse_date(text + "-01");
  double number = 0;
  if (parse_cell(text, number) == CellKind::number) return number;
  return std::nullopt;
}

/// The column's cells, one after the other.
class RuleColumn {
 public:
  RuleColumn(const Data& data, RowRule::Kind kind, const Run& run)
      : kind_(kind),
        run_(run),
        reader_(data.open()),
        at_(*rule_column(data, reader_->columns())),
        text_(column().text) {}

  const Column& column() const { return reader_->columns()[static_cast<std::size_t>(at_)]; }

  RuleCells cells() {
    constexpr Index kRows = 4096;
    for (RawBlock block; reader_->next(block, kRows);) {
      run_.check_cancelled();
      for (Index i = 0; i < block.rows(); ++i) take(block.columns(at_, i), i);
    }
    const bool text = text_ && kind_ != RowRule::Kind::times;
    return {kind_, column().name, text, std::move(cells_),
            text ? reader_->dictionary(at_) : std::vector<std::string>()};
  }

 private:
  void take(double cell, Index row) {
    if (!std::isfinite(cell))
      throw Error(ErrorKind::data, fmt::format("column {} has no value", shown(column().name)),
                  reader_->place(row, at_), "fill it in, or leave the row out");
    const bool date = text_ && kind_ == RowRule::Kind::times;
    cells_.push_back(date ? time_of_code(static_cast<std::size_t>(cell), row) : cell);
  }

  double time_of_code(std::size_t code, Index row) {
    if (code >= known_.size()) known_.resize(code + 1);
    if (!known_[code]) {
      const std::string& text = reader_->dictionary(at_)[code];
      known_[code] = time_of(text);
      if (!known_[code])
        throw Error(ErrorKind::data,
                    fmt::format("{} in column {} is neither a number nor a date", shown(text), shown(column().name)),
                    reader_->place(row, at_), "write times as 2024-03-01 or 2024-03-01T12:30:00");
    }
    return *known_[code];
  }

  RowRule::Kind kind_;
  const Run& run_;
  std::unique_ptr<RowReader> reader_;
  Index at_;
  bool text_;
  std::vector<double> cells_;                 // numbers, codes of texts, or times
  std::vector<std::optional<double>> known_;  // times by code
};

/// By their texts: codes follow the order in which these occur.
std::vector<Index> keys_of(const RuleCells& read) {
  if (!read.text) return ranks(read.cells);
  const std::vector<Index> rank = ranks(read.texts);
  std::vector<Index> result;
  result.reserve(read.cells.size());
  for (const double code : read.cells) result.push_back(rank[static_cast<std::size_t>(code)]);
  return result;
}

}  // namespace

std::optional<Index> rule_column(const Data& data, const std::vector<Column>& columns) {
  const RowRuleOptions& rule = data.options().rule;
  if (rule.column().empty()) return std::nullopt;
  return find_column(columns, rule.column(), rule.name(), data.name());
}

RuleCells rule_cells(const Data& data, const Run& run) {
  const RowRuleOptions& options = data.options().rule;
  check_rule(options);
  const std::string name = options.name();
  using Kind = RowRule::Kind;
  return RuleColumn(data, name == "group" ? Kind::groups : name == "time" ? Kind::times : Kind::folds, run).cells();
}

void check_rule_values(const RowRuleOptions& options, const std::string& column, Index several) {
  const std::string name = options.name();
  const bool folds = name == "folds_column";
  if (folds && several > kMostFolds)
    throw Error(ErrorKind::data, fmt::format("column {} names {} folds", shown(column), several), option_mark(name),
                fmt::format("name {} at most, or use ‹group›, which puts rows of one value into one fold", kMostFolds));
  if (several <= 1)
    throw Error(ErrorKind::data,
                fmt::format("all rows to be fitted have one {} of column {}, so that none can be held out",
                            folds ? "fold" : name, shown(column)),
                option_mark(name), "use rows with more of them (a hold-out takes whole ones), or leave the option out");
}

RowRule RowRule::of(const Data& data, const Run& run) {
  check_rule(data.options().rule);
  if (data.options().rule.name().empty()) return {};
  const RuleCells read = rule_cells(data, run);
  std::vector<Index> keys = keys_of(read);
  check_rule_values(data.options().rule, read.column,
                    static_cast<Index>(std::set<Index>(keys.begin(), keys.end()).size()));
  return {read.kind, read.column, std::move(keys)};
}

}  // namespace weft::detail
