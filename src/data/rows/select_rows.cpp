#include "data/rows/selected_rows.hpp"

namespace weft {

namespace {

class ChosenRows final : public detail::SelectedRows {
 public:
  ChosenRows(std::unique_ptr<RowReader> reader, std::function<bool(Index)> keep)
      : SelectedRows(std::move(reader)), keep_(std::move(keep)) {}

 private:
  bool keeps(const RawBlock& block, Index row) const override { return keep_(block.first_row + row); }

  std::function<bool(Index)> keep_;
};

}  // namespace

Data select_rows(const Data& data, std::function<bool(Index row)> keep) {
  return {data.name(), data.options(), [data, keep = std::move(keep)]() -> std::unique_ptr<RowReader> {
            return std::make_unique<ChosenRows>(data.open(), keep);
          }};
}

Data select_rows(const Data& data, std::vector<std::uint8_t> marks, std::uint8_t wanted) {
  const auto shared = std::make_shared<const std::vector<std::uint8_t>>(std::move(marks));
  return select_rows(data, [shared, wanted](Index row) { return (*shared)[static_cast<std::size_t>(row)] == wanted; });
}

}  // namespace weft
