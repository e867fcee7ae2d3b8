// Arrays in the caller's memory, as a table.
#include <weft/data.hpp>

#include "core/transpose_rows.hpp"
#include "data/readers/scalar_type.hpp"
#include "data/row_tiles.hpp"
#include "data/text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft {

using namespace detail;

namespace {

class ArrayReader : public RowReader {
 public:
  ArrayReader(std::vector<View<const double>> parts, std::vector<Column> columns)
      : parts_(std::move(parts)), columns_(std::move(columns)) {}

  const std::vector<Column>& columns() const override { return columns_; }
  const std::vector<std::string>& dictionary(Index) const override { return no_texts_; }
  bool next(RawBlock& block, Index max_rows) override {
    const auto columns = static_cast<Index>(columns_.size());
    const Index count = std::min(block_rows(max_rows, columns), parts_.front().rows - rows_read_);
    if (count <= 0) return false;
    block.first_row = block_start_ = rows_read_;
    rows_read_ += count;
    cells_.reshape(columns, count);
    for_each_row_tile(columns, count, threads_, [&](Index, Tile rows) {
      Index first = 0;
      for (const View<const double>& part : parts_) {
        transpose_rows(part.row_range(block_start_ + rows.first, rows.count),
                       cells_.view().row_range(first, part.cols).col_range(rows.first, rows.count));
        first += part.cols;
      }
    });
    if (const auto bad = first_infinite(cells_, threads_))
      throw Error(ErrorKind::data, "a cell is infinite", place(bad->row, bad->column),
                  "fix it, or use NaN for a missing value");
    block.columns = cells_.view();
    return true;
  }
  void use_threads(int threads) override { threads_ = threads; }
  void skip(Index rows) override { rows_read_ += std::min(rows, parts_.front().rows - rows_read_); }
  std::string place(Index row, Index column) const override {
    return fmt::format("array:{}:{}", block_start_ + row + 1, column + 1);
  }
  double fraction() const override {
    return static_cast<double>(rows_read_) / static_cast<double>(std::max<Index>(1, parts_.front().rows));
  }

 private:
  std::vector<View<const double>> parts_;
  std::vector<Column> columns_;
  std::vector<std::string> no_texts_;
  Matrix cells_;
  Index rows_read_ = 0;
  Index block_start_ = 0;
  int threads_ = 1;
};

void check_rows(View<const double> part, Index rows, const char* what) {
  if (part.rows != rows)
    throw Error(ErrorKind::data, fmt::format("{} has {} rows where x has {}", what, part.rows, rows), "array",
                "give one row per sample");
}

}  // namespace

Data array(View<const double> x, View<const double> y, View<const double> weights) {
  if (x.rows <= 0 || x.cols <= 0)
    throw Error(ErrorKind::data, "x is empty", "array", "give at least one row and column");
  std::vector<View<const double>> parts = {x};
  std::vector<Column> columns;
  std::vector<std::string> targets;
  ReadOptions options;
  for (Index j = 0; j < x.cols; ++j) columns.push_back({fmt::format("x{}", j), false});
  if (y.cols > 0) {
    check_rows(y, x.rows, "y");
    for (Index t = 0; t < y.cols; ++t) targets.push_back(y.cols == 1 ? "target" : fmt::format("target{}", t));
    for (const std::string& target : targets) columns.push_back({target, false});
    options.target = fmt::format("{}", fmt::join(targets, ","));
    parts.push_back(y);
  }
  if (weights.cols > 0) {
    check_rows(weights, x.rows, "weights");
    if (weights.cols != 1)
      throw Error(ErrorKind::data, fmt::format("weights has {} columns", weights.cols), "array", "give one per sample");
    columns.push_back({"weights", false});
    options.weights = "weights";
    parts.push_back(weights);
  }
  return {"array", options, [parts, columns] { return std::make_unique<ArrayReader>(parts, columns); }};
}

}  // namespace weft
