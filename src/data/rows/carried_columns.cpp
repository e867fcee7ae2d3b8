#include <weft/data.hpp>

#include "data/readers/table_reader.hpp"
#include "data/rows/forwarding_reader.hpp"
#include "data/text.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <deque>
#include <mutex>

#include <fmt/format.h>

namespace weft {

struct CarriedColumns::State {
  std::vector<std::string> names;
  std::mutex mutex;                           // rows are read by one thread while another one takes some
  std::deque<std::vector<std::string>> rows;  // read, and not taken yet
};

namespace {

class CarryingReader final : public detail::ForwardingReader {
 public:
  CarryingReader(const Data& data, const std::string& list, std::shared_ptr<CarriedColumns::State> state)
      : ForwardingReader(data.open()),
        positions_(detail::find_columns(columns(), list, "keep", data.name())),
        state_(std::move(state)) {
    std::vector<std::string>& names = state_->names;
    names.clear();
    for (const Index c : positions_) names.push_back(columns()[static_cast<std::size_t>(c)].name);
    const std::vector<std::string> parts = detail::split_list(list);
    const bool by_name = std::equal(parts.begin(), parts.end(), names.begin(), names.end());
    if (!data.options().drop.empty() && !by_name && names != std::vector{list})
      throw Error(ErrorKind::option, "positions are not clear where columns are dropped", "‹keep›",
                  "give the columns' names, or leave ‹drop› out");
    inner().keep_written(names);
  }

  void need_only(const std::vector<std::string>& columns) override { inner().need_only(columns); }

  bool next(RawBlock& block, Index max_rows) override {
    if (!inner().next(block, max_rows)) return false;
    const std::lock_guard lock(state_->mutex);
    for (Index i = 0; i < block.rows(); ++i) {
      std::vector<std::string>& row = state_->rows.emplace_back();
      for (std::size_t k = 0; k < positions_.size(); ++k) row.push_back(cell(block, i, k));
    }
    return true;
  }

 private:
  std::string cell(const RawBlock& block, Index row, std::size_t k) const {
    if (const auto* written = inner().written(state_->names[k])) return (*written)[static_cast<std::size_t>(row)];
    const Index column = positions_[k];
    const double value = block.columns(column, row);
    if (std::isnan(value)) return "";
    if (columns()[static_cast<std::size_t>(column)].text) return dictionary(column)[static_cast<std::size_t>(value)];
    return fmt::format("{}", value);
  }

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
  const std::lock_guard lock(state_->mutex);
  std::deque<std::vector<std::string>>& read = state_->rows;
  assert(static_cast<std::size_t>(rows) <= read.size());
  std::vector<std::vector<std::string>> taken(std::make_move_iterator(read.begin()),
                                              std::make_move_iterator(read.begin() + rows));
  read.erase(read.begin(), read.begin() + rows);
  return taken;
}

}  // namespace weft
