#pragma once

#include <weft/data.hpp>

#include <optional>
#include <string>
#include <vector>

namespace weft::detail {

/// The column of that exact name, else at that position (negative from the end); nothing where there is none.
std::optional<Index> look_up_column(const std::vector<Column>& columns, const std::string& name_or_index);

/// Resolves "name", "3" or "-1" to a column position; throws naming the columns there are.
Index find_column(const std::vector<Column>& columns, const std::string& name_or_index, const std::string& option,
                  const std::string& place);

}  // namespace weft::detail
