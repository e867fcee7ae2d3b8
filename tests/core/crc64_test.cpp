#include "core/crc64.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace weft {

using namespace detail;
namespace {

std::uint64_t crc(const std::string& text) {
  Crc64 sum;
  sum.add(text.data(), text.size());
  return sum.value();
}

std::string some_bytes(std::size_t size) {
  std::string bytes;
  std::uint64_t state = size + 1;
  while (bytes.size() < size)
    bytes += static_cast<char>((state = state * 6364136223846793005 + 1442695040888963407) >> 56);
  return bytes;
}

// The definition: long division, one bit after the other.
std::uint64_t crc_by_division(const std::string& bytes) {
  std::uint64_t state = ~std::uint64_t{0};
  for (const char byte : bytes)
    for (int bit = 0; bit < 8; ++bit) {
      const bool last = ((state ^ (static_cast<unsigned char>(byte) >> bit)) & 1) != 0;
      state = (state >> 1) ^ (last ? 0xC96C5795D7870F42U : 0U);
    }
  return ~state;
}

// The check value of CRC-64/XZ in the catalogue of parametrised CRC algorithms.
TEST(Crc64, KnownValue) {
  EXPECT_EQ(crc("123456789"), 0x995DC9BBDF1939FAU);
  EXPECT_EQ(crc(""), 0U);
}

// Long pieces are folded where the processor can, short ones go through the table: both are the remainder of the
// definition.
TEST(Crc64, IsTheRemainderForEveryLengthAndAlignment) {
  for (std::size_t size = 0; size < 2000; size += size < 300 ? 1 : 37)
    EXPECT_EQ(crc(some_bytes(size)), crc_by_division(some_bytes(size))) << size;
  const std::string bytes = some_bytes(5000);
  const std::uint64_t expected = crc_by_division(bytes.substr(17));
  Crc64 folded, table;
  folded.add(bytes.data() + 17, bytes.size() - 17);
  for (std::size_t first = 17; first < bytes.size(); first += 100)
    table.add(bytes.data() + first, std::min<std::size_t>(100, bytes.size() - first));
  EXPECT_EQ(folded.value(), expected);
  EXPECT_EQ(table.value(), expected);
}

TEST(Crc64, PiecesAddUp) {
  const std::string text = some_bytes(1000);
  for (std::size_t cut = 0; cut <= 1000; cut += cut < 40 ? 1 : 96) {
    Crc64 sum, first, second;
    sum.add(text.data(), cut);
    sum.add(text.data() + cut, text.size() - cut);
    EXPECT_EQ(sum.value(), crc(text)) << cut;
    first.add(text.data(), cut);
    second.add(text.data() + cut, text.size() - cut);
    first.append(second, text.size() - cut);
    EXPECT_EQ(first.value(), crc(text)) << cut;
  }
}

}  // namespace
}  // namespace weft
