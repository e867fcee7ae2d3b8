#include "core/utf8.hpp"

#include <cstdint>
#include <cstring>

namespace weft::detail {

namespace {

using Byte = unsigned char;

struct Sequence {
  std::size_t size = 0;          ///< 0: no character begins with this byte
  Byte low = 0x80, high = 0xBF;  ///< of the second byte; the others are 80 … BF
};

constexpr Sequence sequence_of(Byte first) {
  if (first < 0x80) return {1};
  if (first >= 0xC2 && first <= 0xDF) return {2};
  if (first == 0xE0) return {3, 0xA0};
  if (first == 0xED) return {3, 0x80, 0x9F};
  if (first >= 0xE1 && first <= 0xEF) return {3};
  if (first == 0xF0) return {4, 0x90};
  if (first >= 0xF1 && first <= 0xF3) return {4};
  if (first == 0xF4) return {4, 0x80, 0x8F};
  return {};
}

bool is_whole(std::string_view text, const Sequence& sequence) {
  if (sequence.size == 0 || text.size() < sequence.size) return false;
  for (std::size_t k = 1; k < sequence.size; ++k) {
    const auto byte = static_cast<Byte>(text[k]);
    if (byte < (k == 1 ? sequence.low : 0x80) || byte > (k == 1 ? sequence.high : 0xBF)) return false;
  }
  return true;
}

}  // namespace

std::size_t valid_utf8(std::string_view text) {
  constexpr std::uint64_t kNotAscii = 0x8080808080808080;
  std::size_t at = 0;
  while (at < text.size()) {
    std::uint64_t eight = 0;
    if (text.size() - at >= sizeof eight) std::memcpy(&eight, text.data() + at, sizeof eight);
    if (text.size() - at >= sizeof eight && (eight & kNotAscii) == 0) {
      at += sizeof eight;
      continue;
    }
    const Sequence sequence = sequence_of(static_cast<Byte>(text[at]));
    if (!is_whole(text.substr(at), sequence)) return at;
    at += sequence.size;
  }
  return at;
}

void append_utf8(char32_t character, std::string& text) {
  const auto last_bits = [&](int shift) { return static_cast<char>(0x80 | ((character >> shift) & 0x3F)); };
  if (character < 0x80) {
    text += static_cast<char>(character);
  } else if (character < 0x800) {
    text += {static_cast<char>(0xC0 | (character >> 6)), last_bits(0)};
  } else if (character < 0x10000) {
    text += {static_cast<char>(0xE0 | (character >> 12)), last_bits(6), last_bits(0)};
  } else {
    text += {static_cast<char>(0xF0 | (character >> 18)), last_bits(12), last_bits(6), last_bits(0)};
  }
}

}  // namespace weft::detail
