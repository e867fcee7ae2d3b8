#include "table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace weft::c {

namespace {

class TableRows final : public RowReader {
 public:
  explicit TableRows(const weft_table& table) : table_(table), dictionaries_(table.columns), codes_(table.columns) {
    for (std::size_t c = 0; c < table.columns; ++c)
      columns_.push_back({table.column[c].name, table.column[c].texts != nullptr});
  }

  const std::vector<Column>& columns() const override { return columns_; }
  const std::vector<std::string>& dictionary(Index column) const override {
    return dictionaries_[static_cast<std::size_t>(column)];
  }
  bool next(RawBlock& block, Index max_rows) override {
    const Index rows = std::min({max_rows, kMostRows, static_cast<Index>(table_.rows) - next_});
    if (rows <= 0) return false;
    cells_.reshape(static_cast<Index>(table_.columns), rows);
    for (std::size_t c = 0; c < table_.columns; ++c) fill(c, rows, cells_.row(static_cast<Index>(c)));
    block = {cells_.view(), next_};
    start_ = next_;
    next_ += rows;
    return true;
  }
  void skip(Index rows) override { next_ += std::min(rows, static_cast<Index>(table_.rows) - next_); }
  std::string place(Index row, Index column) const override {
    return "row " + std::to_string(start_ + row + 1) + ", column " + columns_[static_cast<std::size_t>(column)].name;
  }
  double fraction() const override {
    return static_cast<double>(next_) / static_cast<double>(std::max<std::size_t>(table_.rows, 1));
  }

 private:
  static constexpr Index kMostRows = 4096;

  void fill(std::size_t c, Index rows, double* cells) {
    const weft_column& column = table_.column[c];
    if (column.texts == nullptr) {
      std::copy_n(column.numbers + next_, rows, cells);
      return;
    }
    for (Index i = 0; i < rows; ++i) {
      const char* text = column.texts[next_ + i];
      cells[i] = text == nullptr || *text == '\0' ? std::numeric_limits<double>::quiet_NaN() : code_of(c, text);
    }
  }

  double code_of(std::size_t c, const char* text) {
    const auto [entry, is_new] = codes_[c].try_emplace(text, dictionaries_[c].size());
    if (is_new) dictionaries_[c].push_back(entry->first);
    return static_cast<double>(entry->second);
  }

  weft_table table_;
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> dictionaries_;
  std::vector<std::unordered_map<std::string, std::size_t>> codes_;
  Matrix cells_;
  Index next_ = 0;
  Index start_ = 0;
};

void check(const weft_table& table) {
  const auto refuse = [](const std::string& what, const char* remedy) {
    throw Error(ErrorKind::data, what, "table", remedy);
  };
  if (table.columns == 0 || table.column == nullptr) refuse("the table has no columns", "give at least one");
  for (std::size_t c = 0; c < table.columns; ++c) {
    const weft_column& column = table.column[c];
    if (column.name == nullptr) refuse("column " + std::to_string(c) + " has no name", "name every column");
    if (column.numbers == nullptr && column.texts == nullptr && table.rows > 0)
      refuse(std::string("column '") + column.name + "' has neither numbers nor texts", "give one of them");
    for (std::size_t other = 0; column.texts == nullptr && other < table.rows; ++other)
      if (std::isinf(column.numbers[other]))
        refuse(std::string("column '") + column.name + "' has an infinite number in row " + std::to_string(other + 1),
               "fix it, or use NaN for a missing value");
  }
}

}  // namespace

Data data_of(const weft_table& table, const ReadOptions& options) {
  check(table);
  return {"table", options, [table] { return std::make_unique<TableRows>(table); }};
}

}  // namespace weft::c
