#pragma once

#include <weft/data.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace weft::detail {

/// Finds columns by name in constant time, for whoever looks for many of them. Refers to the columns.
class ColumnNames {
 public:
  explicit ColumnNames(const std::vector<Column>& columns);
  /// By name alone.
  std::optional<Index> find(std::string_view name) const;
  /// By name or position, as look_up_column does.
  std::optional<Index> look_up(const std::string& name_or_index) const;
  /// The same, but throws if there is none, as find_column does.
  Index get(const std::string& name_or_index, const std::string& option, const std::string& place) const;

 private:
  const std::vector<Column>& columns_;
  std::unordered_map<std::string_view, Index> positions_;  // of several with one name, the first
};

/// The position of the column with exactly this name, else of the one at this position (negative: counted from the
/// end); nullopt if there is none.
std::optional<Index> look_up_column(const std::vector<Column>& columns, const std::string& name_or_index);

/// The same, but throws if there is none; the message lists the columns.
Index find_column(const std::vector<Column>& columns, const std::string& name_or_index, const std::string& option,
                  const std::string& place);

}  // namespace weft::detail
