#include "data/readers/npy_reader.hpp"

#include "data/table_testing.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace weft {

using namespace detail;
namespace {

using testing::contains;
using testing::error_of;
using testing::expect_rows;
using testing::gzip;
using testing::kMissing;
using testing::read_all;
using testing::Rows;
using testing::TemporaryFolder;

// The bytes numpy.save writes: magic, version, header length, header padded with blanks to a multiple of 64, data.
std::string npy(const std::string& descr, const std::string& order, const std::string& shape, const std::string& data,
                char version = 1) {
  std::string header = "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }";
  const std::size_t width = version == 1 ? 2 : 4;
  while ((8 + width + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += {version, '\0'};
  for (std::size_t i = 0; i < width; ++i) bytes += static_cast<char>((header.size() >> (8 * i)) & 0xff);
  return bytes + header + data;
}

template <class T>
std::string bytes_of(const std::vector<T>& values, bool swapped = false) {
  std::string bytes;
  for (const T& value : values) {
    std::string raw(sizeof(T), '\0');
    std::memcpy(raw.data(), &value, sizeof(T));
    if (swapped) std::reverse(raw.begin(), raw.end());
    bytes += raw;
  }
  return bytes;
}

Rows parse_npy(const TemporaryFolder& folder, const std::string& bytes, Index block = 4096) {
  return read_all(read(folder.write("a.npy", bytes)), block).rows;
}

TEST(NpyReader, VersionsOneToThree) {
  const TemporaryFolder folder;
  for (const char version : {'\1', '\2', '\3'})
    expect_rows(parse_npy(folder, npy("'<f8'", "False", "(2, 3)", bytes_of<double>({1, 2, 3, 4, 5, 6}), version)),
                {{1, 2, 3}, {4, 5, 6}});
}

TEST(NpyReader, BytesNumpyWrote) {
  // numpy.save(file, numpy.array([[1.5, -2.0]])), NumPy 1.24, byte for byte.
  std::string bytes("\x93NUMPY\x01\x00\x76\x00", 10);
  bytes += "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }";
  bytes += std::string(58, ' ') + "\n";
  bytes += std::string("\x00\x00\x00\x00\x00\x00\xf8\x3f\x00\x00\x00\x00\x00\x00\x00\xc0", 16);
  const TemporaryFolder folder;
  expect_rows(parse_npy(folder, bytes), {{1.5, -2}});
}

template <class T>
void expect_type(const std::string& code, const std::vector<T>& values) {
  const TemporaryFolder folder;
  Rows expected;
  for (const T& value : values) expected.push_back({static_cast<double>(value)});
  const std::string shape = "(" + std::to_string(values.size()) + ",)";
  const char first = sizeof(T) == 1 ? '|' : '<';
  expect_rows(parse_npy(folder, npy(std::string("'") + first + code + "'", "False", shape, bytes_of(values))),
              expected);
  if (sizeof(T) > 1)
    expect_rows(parse_npy(folder, npy("'>" + code + "'", "False", shape, bytes_of(values, true))), expected);
}

TEST(NpyReader, AllTypesOfEitherByteOrder) {
  expect_type<double>("f8", {1.25, -3e300, 0});
  expect_type<float>("f4", {1.25F, -3e30F});
  expect_type<std::int8_t>("i1", {-128, 127});
  expect_type<std::int16_t>("i2", {-32768, 258});
  expect_type<std::int32_t>("i4", {-2147483647, 16909060});
  expect_type<std::int64_t>("i8", {-4503599627370496, 72623859});
  expect_type<std::uint8_t>("u1", {0, 255});
  expect_type<std::uint16_t>("u2", {65535, 258});
  expect_type<std::uint32_t>("u4", {4294967295U, 16909060});
  expect_type<std::uint64_t>("u8", {9007199254740992U, 258});
  expect_type<std::uint8_t>("b1", {1, 0});
}

TEST(NpyReader, FortranOrderEqualsCOrderInBlocksOfAnySize) {
  const Index rows = 23;
  const Index columns = 5;
  std::vector<float> by_row;
  std::vector<float> by_column(static_cast<std::size_t>(rows * columns));
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) {
      by_row.push_back(static_cast<float>(100 * i + j));
      by_column[static_cast<std::size_t>(j * rows + i)] = by_row.back();
    }
  const TemporaryFolder folder;
  const Rows expected = parse_npy(folder, npy("'<f4'", "False", "(23, 5)", bytes_of(by_row)));
  EXPECT_EQ(expected[7][3], 703);
  for (const Index block : {1, 7, 4096}) {
    expect_rows(parse_npy(folder, npy("'<f4'", "True", "(23, 5)", bytes_of(by_column)), block), expected);
    expect_rows(parse_npy(folder, npy("'<f4'", "False", "(23, 5)", bytes_of(by_row)), block), expected);
    expect_rows(parse_npy(folder, gzip(npy("'<f4'", "False", "(23, 5)", bytes_of(by_row))), block), expected);
    expect_rows(parse_npy(folder, gzip(npy("'<f4'", "True", "(23, 5)", bytes_of(by_column))), block), expected);
  }
}

TEST(NpyReader, HalfPrecision) {
  // numpy.array([1, -2, 65504, 2**-24, 1/3, -0.0, nan], "f2")
  const std::vector<std::uint16_t> halves = {0x3c00, 0xc000, 0x7bff, 0x0001, 0x3555, 0x8000, 0x7e00};
  const Rows expected = {{1}, {-2}, {65504}, {0x1p-24}, {0.333251953125}, {-0.0}, {kMissing}};
  const TemporaryFolder folder;
  expect_rows(parse_npy(folder, npy("'<f2'", "False", "(7,)", bytes_of(halves))), expected);
  expect_rows(parse_npy(folder, npy("'>f2'", "False", "(7,)", bytes_of(halves, true))), expected);
  const std::string infinite = npy("'<f2'", "False", "(1,)", bytes_of<std::uint16_t>({0xfc00}));
  EXPECT_TRUE(contains(error_of([&] { parse_npy(folder, infinite); }).message(), "infinite"));
}

TEST(NpyReader, NanIsMissingAndInfinityAnError) {
  const TemporaryFolder folder;
  expect_rows(parse_npy(folder, npy("'<f8'", "False", "(1, 2)", bytes_of<double>({kMissing, 1}))), {{kMissing, 1}});
  const double infinity = std::numeric_limits<double>::infinity();
  const Error error = error_of([&] {
    parse_npy(folder, npy("'<f8'", "False", "(3, 2)", bytes_of<double>({1, 2, 3, 4, 5, -infinity})), 2);
  });
  EXPECT_EQ(error.place(), folder.file("a.npy") + ":3:2");
}

TEST(NpyReader, DamagedAndForeignFilesAreErrors) {
  const TemporaryFolder folder;
  const std::string data = bytes_of<double>({1, 2, 3, 4});
  const auto expect_error = [&](const std::string& bytes, const std::string& message) {
    const Error error = error_of([&] { parse_npy(folder, bytes); });
    EXPECT_EQ(error.kind(), ErrorKind::data) << error.what();
    EXPECT_TRUE(contains(error.message(), message)) << error.what();
    EXPECT_TRUE(contains(error.place(), "a.npy"));
    EXPECT_FALSE(error.hint().empty());
  };
  const std::string good = npy("'<f8'", "False", "(2, 2)", data);
  for (const std::size_t size : {std::size_t{3}, std::size_t{9}, std::size_t{40}, good.size() - 1}) {
    EXPECT_EQ(error_of([&] { parse_npy(folder, good.substr(0, size)); }).kind(), ErrorKind::data) << size;
    EXPECT_EQ(error_of([&] { parse_npy(folder, gzip(good.substr(0, size))); }).kind(), ErrorKind::data) << size;
  }
  expect_error(npy("'<f8'", "False", "(2000000000, 3)", data), "too early");
  expect_error(gzip(npy("'<f8'", "False", "(2000000000, 3)", data)), "too early");
  expect_error(npy("'<f8'", "False", "(4611686018427387904, 4611686018427387904)", data), "larger than weft supports");
  expect_error(npy("'<f8'", "False", "(2, 900000000000)", data), "larger than weft supports");
  expect_error(npy("'<f8'", "False", "(99999999999999999999, 2)", data), "not a valid array size");
  expect_error(npy("'<f8'", "False", "(-2, 2)", data), "not a valid array size");
  expect_error(npy("'<f8'", "False", "(1, 2, 2)", data), "3 dimensions");
  expect_error(npy("'<f8'", "False", "()", data), "0 dimensions");
  expect_error(npy("'<f8'", "False", "(0, 2)", ""), "empty");
  expect_error(npy("'<f1'", "False", "(4,)", data), "'<f1'");
  expect_error(npy("'<c16'", "False", "(2,)", data), "'<c16'");
  expect_error(npy("'|O'", "False", "(4,)", data), "'|O'");
  expect_error(npy("[('a', '<f8')]", "False", "(4,)", data), "records");
  expect_error(npy("'<f8'", "False", "(2, 2)", data, 9), "version 9");
  expect_error("x" + good.substr(1), "not a .npy file");
}

TEST(NpyReader, AHeaderLengthOfGigabytesAllocatesNothing) {
  const TemporaryFolder folder;
  const std::string bytes = std::string("\x93NUMPY\x02\x00\xff\xff\xff\x7f", 12) + "{";
  EXPECT_TRUE(contains(error_of([&] { parse_npy(folder, bytes); }).message(), "header is damaged"));
}

}  // namespace
}  // namespace weft
