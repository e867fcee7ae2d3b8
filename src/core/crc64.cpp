#include "core/crc64.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace weft::detail {

namespace {

using Table = std::array<std::array<std::uint64_t, 256>, 8>;

// Row 0 advances the state by one byte; row k by k zero bytes more, so that eight look-ups take eight bytes at once.
constexpr Table make_table() {
  constexpr std::uint64_t kPolynomial = 0xC96C5795D7870F42;
  Table table{};
  for (std::uint64_t byte = 0; byte < 256; ++byte) {
    std::uint64_t state = byte;
    for (int bit = 0; bit < 8; ++bit) state = (state >> 1) ^ ((state & 1) != 0 ? kPolynomial : 0);
    table[0][byte] = state;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t byte = 0; byte < 256; ++byte)
      table[k][byte] = (table[k - 1][byte] >> 8) ^ table[0][table[k - 1][byte] & 0xFF];
  return table;
}

constexpr Table kTable = make_table();

}  // namespace

void Crc64::add(const void* data, std::size_t size) {
  static_assert(std::endian::native == std::endian::little, "eight bytes are taken as one little-endian word");
  const auto* bytes = static_cast<const unsigned char*>(data);
  for (; size >= 8; size -= 8, bytes += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, 8);
    word ^= state_;
    state_ = 0;
    for (std::size_t k = 0; k < 8; ++k) state_ ^= kTable[7 - k][(word >> (8 * k)) & 0xFF];
  }
  for (; size > 0; --size, ++bytes) state_ = (state_ >> 8) ^ kTable[0][(state_ ^ *bytes) & 0xFF];
}

}  // namespace weft::detail
