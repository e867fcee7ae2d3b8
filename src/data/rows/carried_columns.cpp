#include <weft/data.hpp>

#include "data/readers/table_reader.hpp"
#include "data/text.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <deque>

#include <fmt/format.h>

namespace weft {

struct CarriedColumns::State {
  std::vector<std::string> names;
  std::deque<std::vector<std::string>> rows;  // read, and not taken yet
};

namespace {

class CarryingReader final : public RowReader {
 public:
  CarryingReader(const Data& data, const std::string& list, std::shared_ptr<CarriedColumns::State> state)
      : reader_(data.open()),
        positions_(detail::find_columns(reader_->columns(), list, "keep", data.name())),
        state_(std::move(state)) {
    std::vector<std::string>& names = state_->names;
    names.clear();
    for (const Index c : positions_) names.push_back(columns()[static_cast<std::size_t>(c)].name);
    const std::vector<std::string> parts = detail::split_list(list);
    const bool by_name = std::equal(parts.begin(), parts.end(), names.begin(), names.end());
    if (!data.options().drop.empty() && !by_name && names != std::vector{list})
      throw Error(ErrorKind::option, "positions are not clear where columns are dropped", "‹keep›",
                  "give the columns' names, or leave ‹drop› out");
    reader_->keep_written(names);
  }

  const std::vector<Column>& columns() const override { return reader_->columns(); }
  const std::vector<std::string>& dictionary(Index column) const override { return reader_->dictionary(column); }
  std::string place(Index row_in_block, Index column) const override { return reader_->place(row_in_block, column); }
  void read_as_text(const std::vector<std::string>& columns) override { reader_->read_as_text(columns); }
  void need_only(const std::vector<std::string>& columns) override { reader_->need_only(columns); }
  bool absent_is_zero(const std::string& column) const override { return reader_->absent_is_zero(column); }
  double fraction() const override { return reader_->fraction(); }

  bool next(RawBlock& block, Index max_rows) override {
    if (!reader_->next(block, max_rows)) return false;
    for (Index i = 0; i < block.rows(); ++i) {
      std::vector<std::string>& row = state_->rows.emplace_back();
      for (std::size_t k = 0; k < positions_.size(); ++k) row.push_back(cell(block, i, k));
    }
    return true;
  }

 private:
  std::string cell(const RawBlock& block, Index row, std::size_t k) const {
    if (const auto* written = reader_->written(state_->names[k])) return (*written)[static_cast<std::size_t>(row)];
    const Index column = positions_[k];
    const double value = block.columns(column, row);
    if (std::isnan(value)) return "";
    if (columns()[static_cast<std::size_t>(column)].text) return dictionary(column)[static_cast<std::size_t>(value)];
    return fmt::format("{}", value);
  }

  std::unique_ptr<RowReader> reader_;
  std::vector<Index> positions_;
  std::shared_ptr<CarriedColumns::State> state_;
};

}  // namespace

CarriedColumns::CarriedColumns(const Data& data, const std::string& list)
    : state_(std::make_shared<State>()),
      data_(data.name(), data.options(), [data, list, state = state_]() -> std::unique_ptr<RowReader> {
        return std::make_unique<CarryingReader>(data, list, state);
      }) {}

const std::vector<std::string>& CarriedColumns::names() const {
  return state_->names;
}

std::vector<std::vector<std::string>> CarriedColumns::take(Index rows) {
  std::deque<std::vector<std::string>>& read = state_->rows;
  assert(static_cast<std::size_t>(rows) <= read.size());
  std::vector<std::vector<std::string>> taken(std::make_move_iterator(read.begin()),
                                              std::make_move_iterator(read.begin() + rows));
  read.erase(read.begin(), read.begin() + rows);
  return taken;
}

}  // namespace weft
