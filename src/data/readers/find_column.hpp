#pragma once

#include <weft/data.hpp>

#include <optional>
#include <string>
#include <vector>

namespace weft::detail {

/// The position of the column with exactly this name, else of the one at this position (negative: counted from the
/// end); nullopt if there is none.
std::optional<Index> look_up_column(const std::vector<Column>& columns, const std::string& name_or_index);

/// The same, but throws if there is none; the message lists the columns.
Index find_column(const std::vector<Column>& columns, const std::string& name_or_index, const std::string& option,
                  const std::string& place);

}  // namespace weft::detail
