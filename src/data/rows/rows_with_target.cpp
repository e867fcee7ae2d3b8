#include <weft/encoder.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/encode/encoder_state.hpp"
#include "data/rows/labelled_rows.hpp"
#include "data/rows/selected_rows.hpp"

namespace weft {

using namespace detail;

namespace {

class LabelledRows final : public SelectedRows {
 public:
  LabelledRows(std::unique_ptr<RowReader> reader, std::vector<Index> targets, std::string name, const Run& run,
               std::shared_ptr<std::vector<Index>> numbers)
      : SelectedRows(std::move(reader)),
        targets_(std::move(targets)),
        name_(std::move(name)),
        run_(run),
        numbers_(std::move(numbers)) {
    if (numbers_) numbers_->clear();
  }

  void need_only(const std::vector<std::string>& names) override {
    std::vector<std::string> with_targets = names;
    for (const Index t : targets_) with_targets.push_back(columns()[static_cast<std::size_t>(t)].name);
    inner().need_only(with_targets);
  }

 private:
  bool keeps(const RawBlock& block, Index row) const override {
    const bool labelled =
        std::none_of(targets_.begin(), targets_.end(), [&](Index t) { return std::isnan(block.columns(t, row)); });
    if (labelled && numbers_) numbers_->push_back(block.first_row + row);
    return labelled;
  }

  void finish() const override {
    if (left_out() == 0) return;
    std::vector<std::string> names;
    for (const Index t : targets_) names.push_back(columns()[static_cast<std::size_t>(t)].name);
    if (delivered() == 0)
      throw Error(ErrorKind::data, fmt::format("no row has a value of target '{}'", fmt::join(names, ",")), name_,
                  "choose another ‹target›, or add rows that have one");
    run_.warn(fmt::format("{}: rows without a value of target '{}' are left out: {} of {}", name_,
                          fmt::join(names, ","), left_out(), left_out() + delivered()));
  }

  std::vector<Index> targets_;
  std::string name_;
  Run run_;
  std::shared_ptr<std::vector<Index>> numbers_;
};

}  // namespace

Data detail::labelled_rows(const Data& data, const std::vector<std::string>& names, const Run& run,
                           const std::shared_ptr<std::vector<Index>>& numbers) {
  return {data.name(), data.options(), [data, names, run, numbers]() -> std::unique_ptr<RowReader> {
            auto reader = data.open();
            const std::vector<Column>& columns = reader->columns();
            std::vector<Index> targets = columns_named(columns, data.options().target, "target", data.name());
            if (targets.empty())
              for (Index c = 0; c < static_cast<Index>(columns.size()); ++c)
                if (std::find(names.begin(), names.end(), columns[static_cast<std::size_t>(c)].name) != names.end())
                  targets.push_back(c);
            return std::make_unique<LabelledRows>(std::move(reader), std::move(targets), data.name(), run, numbers);
          }};
}

Data rows_with_target(const Data& data, const std::vector<std::string>& names, const Run& run) {
  return labelled_rows(data, names, run, nullptr);
}

}  // namespace weft
