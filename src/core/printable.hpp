// Texts of files on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace weft::detail {

/// The text with "?" for every character that a terminal would obey instead of show: control characters (also those of
/// two bytes in UTF-8) and marks that change the direction of writing. Tabs stay, and line ends unless it is one line.
std::string printable_text(std::string_view text, bool one_line);

}  // namespace weft::detail
