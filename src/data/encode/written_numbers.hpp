// Texts that people read as numbers: $1,250.00, 12 %, 3'400.-, 80 kg.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft::detail {

/// Digits, perhaps with a sign and separators of thousands, after or before a currency or before a unit.
bool is_written_number(std::string_view text);

/// One of the texts where nine tenths of them, and ten at least, are such numbers; else empty.
std::string written_number_among(const std::vector<std::string>& texts);

}  // namespace weft::detail
