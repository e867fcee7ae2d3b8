#include "data/readers/idx_reader.hpp"

#include "data/table_testing.hpp"

namespace weft {

using namespace detail;
namespace {

using testing::contains;
using testing::error_of;
using testing::expect_rows;
using testing::gzip;
using testing::read_all;
using testing::Rows;
using testing::Table;
using testing::TemporaryFolder;

std::string idx(char type, const std::vector<unsigned>& extents, const std::string& data) {
  std::string bytes = {'\0', '\0', type, static_cast<char>(extents.size())};
  for (const unsigned extent : extents)
    for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>((extent >> shift) & 0xff);
  return bytes + data;
}

const std::string kImages = idx(8, {3, 2, 2}, std::string("\x00\x01\x02\xff\x04\x05\x06\x07\x08\x09\x0a\x0b", 12));
const std::string kLabels = idx(8, {3}, std::string("\x07\x00\x09", 3));
const Rows kPixels = {{0, 1, 2, 255}, {4, 5, 6, 7}, {8, 9, 10, 11}};
const Rows kPixelsAndLabels = {{0, 1, 2, 255, 7}, {4, 5, 6, 7, 0}, {8, 9, 10, 11, 9}};

TEST(IdxReader, ReadsImagesAlone) {
  const TemporaryFolder folder;
  const Data data = read(folder.write("pictures", kImages));
  const Table table = read_all(data);
  EXPECT_EQ(table.names, (std::vector<std::string>{"p0", "p1", "p2", "p3"}));
  EXPECT_EQ(data.options().target, "");
  expect_rows(table.rows, kPixels);
}

TEST(IdxReader, FindsTheLabelsBesideTheImages) {
  for (const char* ending : {"", ".gz"})
    for (const char* labels_ending : {"", ".gz"}) {
      const TemporaryFolder folder;
      const auto pack = [](const std::string& bytes, const std::string& end) {
        return end.empty() ? bytes : gzip(bytes);
      };
      const std::string images = folder.write(std::string("t-images-idx3-ubyte") + ending, pack(kImages, ending));
      folder.write(std::string("t-labels-idx1-ubyte") + labels_ending, pack(kLabels, labels_ending));
      const Data data = read(images);
      EXPECT_EQ(data.options().target, "target");
      for (const Index block : {1, 2, 4096}) {
        const Table table = read_all(data, block);
        EXPECT_EQ(table.names.back(), "target");
        expect_rows(table.rows, kPixelsAndLabels);
      }
    }
}

// 21 bytes that declare a quarter of a million columns.
TEST(IdxReader, WhatTheFileDeclaresMustBeThere) {
  const TemporaryFolder folder;
  const std::string declared = idx(8, {2, 512, 500}, "12345");
  EXPECT_TRUE(contains(error_of([&] { read(folder.write("p", declared)); }).what(), "ends too early"));
  EXPECT_TRUE(contains(error_of([&] { read(folder.write("p.gz", gzip(declared))); }).what(), "ends too early"));
  const std::string one_row_less = idx(8, {3, 2}, "1234");
  EXPECT_TRUE(contains(error_of([&] { read(folder.write("q", one_row_less)); }).what(), "ends too early"));
}

TEST(IdxReader, AUserTargetOrDropWins) {
  const TemporaryFolder folder;
  const std::string images = folder.write("t-images.idx3-ubyte", kImages);
  folder.write("t-labels.idx1-ubyte", kLabels);
  EXPECT_EQ(read(images, {.target = "0"}).options().target, "p0");
  EXPECT_EQ(read(images, {.drop = "target"}).options().target, "");
}

TEST(IdxReader, AllTypesAreBigEndian) {
  const TemporaryFolder folder;
  const auto first_column = [&](const std::string& bytes) { return read_all(read(folder.write("f", bytes))).rows; };
  expect_rows(first_column(idx(0x09, {2}, "\xff\x05")), {{-1}, {5}});
  expect_rows(first_column(idx(0x0b, {2}, std::string("\xff\xfe\x01\x02", 4))), {{-2}, {258}});
  expect_rows(first_column(idx(0x0c, {1}, std::string("\x01\x02\x03\x04", 4))), {{16909060}});
  expect_rows(first_column(idx(0x0d, {1}, std::string("\x3f\xc0\x00\x00", 4))), {{1.5}});
  expect_rows(first_column(idx(0x0e, {1}, std::string("\xc0\x00\x00\x00\x00\x00\x00\x00", 8))), {{-2}});
}

TEST(IdxReader, MistakesAreErrors) {
  const TemporaryFolder folder;
  const auto expect_error = [&](const std::string& bytes, const std::string& message) {
    for (const std::string& packed : {bytes, gzip(bytes)}) {
      const std::string path = folder.write("f", packed);
      const Error error = error_of([&] { read_all(read(path, {.format = FileFormat::idx})); });
      EXPECT_EQ(error.kind(), ErrorKind::data);
      EXPECT_TRUE(contains(error.place(), path)) << error.what();
      EXPECT_TRUE(contains(error.message(), message)) << error.what();
    }
  };
  expect_error(kImages.substr(0, kImages.size() - 1), "too early");
  expect_error(kImages.substr(0, 9), "too early");
  expect_error(idx(8, {4000000000U, 100, 100}, "abc"), "too early");
  expect_error(idx(8, {3, 70000, 70000, 70000, 70000, 70000}, "abc"), "larger than weft supports");
  expect_error(idx(8, {0, 2}, ""), "no data");
  expect_error(idx(7, {3}, "abc"), "not an IDX file");
  expect_error(idx(0x0d, {1}, std::string("\x7f\x80\x00\x00", 4)), "infinite");
}

TEST(IdxReader, LabelsMustFit) {
  const TemporaryFolder folder;
  const std::string images = folder.write("t-images-idx3-ubyte", kImages);
  const std::string labels = folder.write("t-labels-idx1-ubyte", idx(8, {2}, "ab"));
  const Error error = error_of([&] { read(images); });
  EXPECT_EQ(error.place(), labels);
  EXPECT_TRUE(contains(error.message(), "2 × 1 labels do not fit the 3 rows")) << error.what();
}

}  // namespace
}  // namespace weft
