#include "core/crc64.hpp"

#include <gtest/gtest.h>

#include <string>

namespace weft {

using namespace detail;
namespace {

std::uint64_t crc(const std::string& text) {
  Crc64 sum;
  sum.add(text.data(), text.size());
  return sum.value();
}

// The check value of CRC-64/XZ in the catalogue of parametrised CRC algorithms.
TEST(Crc64, KnownValue) {
  EXPECT_EQ(crc("123456789"), 0x995DC9BBDF1939FAU);
  EXPECT_EQ(crc(""), 0U);
}

TEST(Crc64, PiecesAddUp) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += static_cast<char>(i * 37);
  for (std::size_t cut = 0; cut <= 40; ++cut) {
    Crc64 sum;
    sum.add(text.data(), cut);
    sum.add(text.data() + cut, text.size() - cut);
    EXPECT_EQ(sum.value(), crc(text)) << cut;
  }
}

}  // namespace
}  // namespace weft
