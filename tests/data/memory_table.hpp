// A small table in memory that reads like a file, for tests: numbers, texts and missing cells.
#pragma once

#include <weft/data.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace weft::testing {

inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// A column of numbers or of texts; an empty text is a missing cell.
struct TableColumn {
  std::string name;
  std::variant<std::vector<double>, std::vector<std::string>> cells;
};

class MemoryReader final : public RowReader {
 public:
  /// `chunk`: the most rows it hands out at a time.
  MemoryReader(const std::vector<TableColumn>& table, Index chunk)
      : table_(table), chunk_(chunk), dictionaries_(table.size()), codes_(table.size()) {
    for (const TableColumn& column : table) columns_.push_back({column.name, column.cells.index() == 1});
    if (!table.empty())
      std::visit([&](const auto& cells) { rows_ = static_cast<Index>(cells.size()); }, table[0].cells);
  }

  const std::vector<Column>& columns() const override { return columns_; }
  const std::vector<std::string>& dictionary(Index column) const override {
    return dictionaries_[static_cast<std::size_t>(column)];
  }
  bool next(RawBlock& block, Index max_rows) override {
    const Index rows = std::min({max_rows, chunk_, rows_ - next_});
    if (rows <= 0) return false;
    cells_.reshape(static_cast<Index>(columns_.size()), rows);
    for (Index i = 0; i < rows; ++i)
      for (std::size_t c = 0; c < columns_.size(); ++c)
        cells_(static_cast<Index>(c), i) = cell(static_cast<std::size_t>(next_ + i), c);
    block = {cells_.view(), next_};
    first_ = next_;
    next_ += rows;
    return true;
  }
  std::string place(Index row, Index column) const override {
    return "table:" + std::to_string(first_ + row) + ":" + std::to_string(column);
  }
  double fraction() const override { return static_cast<double>(next_) / static_cast<double>(rows_); }

 private:
  double cell(std::size_t row, std::size_t c) {
    if (const auto* numbers = std::get_if<std::vector<double>>(&table_[c].cells)) return (*numbers)[row];
    const std::string& text = std::get<std::vector<std::string>>(table_[c].cells)[row];
    if (text.empty()) return kMissing;
    const auto [entry, fresh] = codes_[c].emplace(text, dictionaries_[c].size());
    if (fresh) dictionaries_[c].push_back(text);
    return static_cast<double>(entry->second);
  }

  std::vector<TableColumn> table_;
  Index chunk_;
  Index rows_ = 0;
  Index first_ = 0;
  Index next_ = 0;
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> dictionaries_;
  std::vector<std::map<std::string, std::size_t>> codes_;
  Matrix cells_;
};

inline Data memory_table(std::vector<TableColumn> table, const std::string& target = "",
                         const std::string& weights = "", Index chunk = 1 << 20) {
  ReadOptions options;
  options.target = target;
  options.weights = weights;
  return Data("table", options,
              [table = std::move(table), chunk] { return std::make_unique<MemoryReader>(table, chunk); });
}

}  // namespace weft::testing
