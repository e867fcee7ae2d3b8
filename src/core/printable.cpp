#include "core/printable.hpp"

namespace weft::detail {

namespace {

unsigned char byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}

/// Bytes of the control character at i; 0 where there is none.
std::size_t control_at(std::string_view text, std::size_t i) {
  const unsigned char a = byte_at(text, i);
  const unsigned char b = byte_at(text, i + 1);
  const unsigned char c = byte_at(text, i + 2);
  if (a < 0x20 || a == 0x7f) return 1;
  if (a == 0xc2 && b >= 0x80 && b <= 0x9f) return 2;  // U+0080 to U+009F
  // U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069
  if (a == 0xe2 && b == 0x80 && (c == 0x8e || c == 0x8f || (c >= 0xaa && c <= 0xae))) return 3;
  if (a == 0xe2 && b == 0x81 && c >= 0xa6 && c <= 0xa9) return 3;
  return 0;
}

}  // namespace

std::string printable_text(std::string_view text, bool one_line) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = text[i] == '\t' || (text[i] == '\n' && !one_line) ? 0 : control_at(text, i);
    result += size == 0 ? text[i] : '?';
    i += size == 0 ? 1 : size;
  }
  return result;
}

}  // namespace weft::detail
