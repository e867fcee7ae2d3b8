// UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weft::detail {

/// How many bytes at the start of the text are whole characters.
std::size_t valid_utf8(std::string_view text);

inline bool is_utf8(std::string_view text) {
  return valid_utf8(text) == text.size();
}

/// A code point up to U+10FFFF that is no surrogate.
void append_utf8(char32_t character, std::string& text);

}  // namespace weft::detail
