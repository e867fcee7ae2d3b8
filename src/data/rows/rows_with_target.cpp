#include <weft/encoder.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/encode/encoder_state.hpp"
#include "data/rows/selected_rows.hpp"

namespace weft {

using namespace detail;

namespace {

class LabelledRows final : public SelectedRows {
 public:
  LabelledRows(std::unique_ptr<RowReader> reader, std::vector<Index> targets, std::string name, const Run& run)
      : SelectedRows(std::move(reader)), targets_(std::move(targets)), name_(std::move(name)), run_(run) {}

 private:
  bool keeps(const RawBlock& block, Index row) const override {
    return std::none_of(targets_.begin(), targets_.end(), [&](Index t) { return std::isnan(block.columns(t, row)); });
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
};

}  // namespace

Data rows_with_target(const Data& data, const std::vector<std::string>& names, const Run& run) {
  return {data.name(), data.options(), [data, names, run]() -> std::unique_ptr<RowReader> {
            auto reader = data.open();
            const std::vector<Column>& columns = reader->columns();
            std::vector<Index> targets = columns_named(columns, data.options().target, "target", data.name());
            if (targets.empty())
              for (Index c = 0; c < static_cast<Index>(columns.size()); ++c)
                if (std::find(names.begin(), names.end(), columns[static_cast<std::size_t>(c)].name) != names.end())
                  targets.push_back(c);
            return std::make_unique<LabelledRows>(std::move(reader), std::move(targets), data.name(), run);
          }};
}

}  // namespace weft
