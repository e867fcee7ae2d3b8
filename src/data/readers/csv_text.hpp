// A table that is a CSV text in memory.
#pragma once

#include <weft/data.hpp>

#include <string>

namespace weft::detail {

/// As read() of a file with these contents; `tabs`: it is TSV. Messages call it `name`.
Data csv_text(std::string text, const std::string& name, const ReadOptions& options = {}, bool tabs = false);

}  // namespace weft::detail
